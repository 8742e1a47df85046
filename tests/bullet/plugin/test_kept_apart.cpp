// SPDX-License-Identifier: Zlib
// Dense bodies that groups and masks keep from pairing, such as debris and particles: with any cache, they cost no
// more than bodies without overlaps.
#include "tests/bullet/support/block_count.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

using namespace test;

namespace
{
const int debrisGroup = 2;

/// Debris in a broadphase with a given kind of cache.
struct Debris
{
    template <typename MakeCache>
    Debris( MakeCache makeCache, int count, btScalar distance )
        : rig( makeRig( culletAuto, makeCache() ) ), bodies( *rig.broadphase, 1, 1 )
    {
        for ( int i = 0; i < count; ++i )
        {
            bodies.create( cube( btScalar( i ) * distance, 0, 0, 1 ), debrisGroup, ~debrisGroup );
        }
    }

    /// Steps in which all bodies move a little.
    void runSteps()
    {
        for ( int step = 0; step < 5; ++step )
        {
            bodies.update();
            bodies.moveAll(
                [step]( const Body& body )
                {
                    const btVector3 way( 0, step % 2 ? btScalar( 0.01 ) : btScalar( -0.01 ), 0 );
                    return Box{ body.box.lower + way, body.box.upper + way };
                } );
        }
        bodies.update();
    }

    Rig rig;
    Bodies bodies;
};

/// The bytes that a world of debris asks Bullet's allocator for.
template <typename MakeCache>
size_t bytesFor( MakeCache makeCache, btScalar distance )
{
    const BlockCount blocks;
    Debris world( makeCache, 500, distance );
    world.runSteps();
    return blocks.bytes();
}
} // namespace

TEST( FilteredDebris, NeedsNoMemoryForPairs )
{
    const std::function<btOverlappingPairCache*()> caches[] = {
        [] { return nullptr; }, [] { return new btHashedOverlappingPairCache; },
        [] { return new btSortedOverlappingPairCache; }, [] { return new CountingCache; } };
    for ( const auto& makeCache : caches )
    {
        EXPECT_EQ( bytesFor( makeCache, 10 ), bytesFor( makeCache, 0 ) );
    }
}

/// The cache is not asked about them either, until a mask is edited.
TEST( FilteredDebris, CallsNoCacheUntilAMaskIsEdited )
{
    CountingCache* cache = new CountingCache;
    Debris world( [cache] { return cache; }, 50, 0 );
    world.runSteps();
    EXPECT_EQ( 0, cache->addCalls );
    EXPECT_EQ( 0, cache->removeCalls );

    world.bodies.at( 7 ).proxies[0]->m_collisionFilterMask = -1;
    world.bodies.at( 8 ).proxies[0]->m_collisionFilterMask = -1;
    world.bodies.at( 7 ).mask = world.bodies.at( 8 ).mask = -1;
    world.runSteps();
    EXPECT_TRUE( samePairs( world.bodies.expectedPairs(), pairsOf( *cache ) ) );
    EXPECT_EQ( 1, cache->addCalls );
}

/// A given cache rejects a pair by an edited mask, and the edit is reverted before the broadphase looks at it.
TEST( FilteredDebris, FindsThePairWhenAnEditIsReverted )
{
    const Rig rig = makeRig( culletAuto, new btHashedOverlappingPairCache );
    Bodies bodies( *rig.broadphase, 1, 1 );
    for ( int i = 0; i < 4 * CulletBroadphase::LOOKS; ++i )
    {
        bodies.create( cube( btScalar( 2 * i ), 0, 0, 1 ) );
    }
    bodies.update();
    Body& edited = bodies.at( bodies.size() - 1 ); // the update looks at the first ones
    edited.proxies[0]->m_collisionFilterMask = 0;
    bodies.move( bodies.at( 0 ), edited.box );
    bodies.update();
    EXPECT_EQ( 0, rig.cache().getNumOverlappingPairs() );
    edited.proxies[0]->m_collisionFilterMask = -1;
    bodies.move( edited, edited.box );
    bodies.update();
    EXPECT_EQ( 1, rig.cache().getNumOverlappingPairs() );
}

/// This cache does not filter by groups and masks.
TEST( FilteredDebris, AsksACacheWithItsOwnFilter )
{
    EitherSideCache* cache = new EitherSideCache;
    Debris world( [cache] { return cache; }, 50, 0 );
    world.runSteps();
    EXPECT_EQ( 50 * 49 / 2, cache->addCalls / 6 ) << "in each of six steps";
    EXPECT_EQ( 0, cache->getNumOverlappingPairs() );
}

/// More kinds of groups and masks than the census has entries, added and removed at random.
TEST( FilteredDebris, CountsManyKindsOfFilters )
{
    CulletFilterCensus census;
    Random random( 1 );
    std::vector<std::pair<int, int>> alive;
    int rejectedCount = 0;
    for ( int i = 0; i < 20000; ++i )
    {
        const bool isAdded = random.below( 100 ) < ( i / 1000 % 2 ? 45 : 55 );
        const uint32_t bits = i < 10000 ? 16 : 4;
        if ( isAdded )
        {
            alive.emplace_back( 1 << random.below( bits ), 1 << random.below( bits ) );
            census.add( alive.back().first, alive.back().second );
        }
        else if ( !alive.empty() )
        {
            std::swap( alive.back(), alive[random.below( uint32_t( alive.size() ) )] );
            census.remove( alive.back().first, alive.back().second );
            alive.pop_back();
        }
        const int group = 1 << random.below( bits ), mask = 1 << random.below( bits );
        const bool has = std::any_of( alive.begin(), alive.end(),
                                      [=]( const auto& other )
                                      { return ( group & other.second ) != 0 && ( other.first & mask ) != 0; } );
        EXPECT_LE( has, census.hasPartner( group, mask ) );
        rejectedCount += !census.hasPartner( group, mask );
    }
    EXPECT_GT( rejectedCount, 500 );
}
