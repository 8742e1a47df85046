// SPDX-License-Identifier: Zlib
// Any number of pairs, also after few: CT-43, and the coincident bodies of CT-41.
#include "contestants.h"

using namespace test;

namespace
{
/// Bodies in one place. Avoids destroyProxy for each, because every call makes Bullet's cache walk all pairs.
struct CoincidentBodies
{
    explicit CoincidentBodies( const RigKind& kind ) : rig( makeRig( kind ) ), bodies( *rig.broadphase, 43, 1 )
    {
    }

    ~CoincidentBodies()
    {
        if ( !rig.cullet ) // cullet frees its proxies itself
        {
            rig.cache().getOverlappingPairArray().resizeNoInitialize( 0 );
            bodies.destroyAll();
        }
    }

    Rig rig;
    Bodies bodies;
};
} // namespace

/// The cache must hold all pairs, each once.
static void expectAllPairs( const RigKind& kind, int bodyCount )
{
    CoincidentBodies scene( kind );
    const btVector3 point( btScalar( 0.1 ), btScalar( 0.2 ), btScalar( 0.3 ) );
    for ( int i = 0; i < bodyCount; ++i )
    {
        scene.bodies.create( { point, point } );
    }
    scene.bodies.update();
    const size_t pairCount = size_t( bodyCount ) * size_t( bodyCount - 1 ) / 2;
    ASSERT_EQ( pairCount, size_t( scene.rig.cache().getNumOverlappingPairs() ) );

    std::vector<bool> seen( pairCount ); // by rank; as many pairs as ranks and no duplicate means all pairs
    const btBroadphasePair* pairs = scene.rig.cache().getOverlappingPairArrayPtr();
    for ( size_t i = 0; i < pairCount; ++i )
    {
        const IdPair ids = idsOf( pairs[i] );
        const size_t rank = size_t( ids.second - 1 ) * size_t( ids.second - 2 ) / 2 + size_t( ids.first - 1 );
        ASSERT_FALSE( seen[rank] ) << ids.first << "-" << ids.second << " is there twice";
        seen[rank] = true;
    }
}

/// Whether another contestant fills the same kind of cache, which takes most of the time.
static bool repeatsAnotherCache( const RigKind& kind )
{
    const bool isGivenToOthers = kind.engine == Engine::culletHashed && kind.algorithm != clt_algorithmWide;
    return isGivenToOthers || kind.engine == Engine::simple || kind.engine == Engine::sap;
}

TEST_P( Contract, CT41Large_ThreeThousandCoincidentPointsFormAllPairs )
{
    if ( repeatsAnotherCache( GetParam() ) )
    {
        GTEST_SKIP() << "cullet_wide_given and btDbvt fill the same cache";
    }
    expectAllPairs( GetParam(), 3000 ); // 4,498,500 pairs: more than 20 bits
}

TEST_P( Contract, CT43_PairCountMayExceed16Bits )
{
    expectAllPairs( GetParam(), 363 ); // 65,703 pairs
}

/// After steps with few pairs, and buffers to match, one step has a hundred times as many.
TEST_P( Contract, CT43_PairCountMayGrowAHundredfold )
{
    Arena arena( GetParam(), 43, spreadFor( 1000 ) );
    Bodies& bodies = arena.bodies;
    bodies.createRandom( 1000 );
    for ( int step = 0; step < 5; ++step )
    {
        bodies.randomizeBoxes();
        bodies.update();
    }
    const size_t usual = bodies.expectedPairs().size();
    bodies.moveAll(
        []( const Body& body ) -> Box
        {
            const btVector3 lower = body.box.lower * btScalar( 0.05 );
            return { lower, lower + ( body.box.upper - body.box.lower ) };
        } );
    bodies.update();
    ASSERT_GT( bodies.expectedPairs().size(), 100 * usual );
    EXPECT_TRUE( arena.hasExpectedPairs() );
}

TEST_P( Contract, CT43Large_PairCountMayExceed24Bits )
{
    if ( repeatsAnotherCache( GetParam() ) || GetParam().engine == Engine::dbvt )
    {
        GTEST_SKIP() << "cullet_wide_given fills the same cache";
    }
    // 16,782,321 pairs; memory for three times as many while array and hash table grow
    expectAllPairs( GetParam(), 5794 );
}
