// SPDX-License-Identifier: Zlib
// Crowds whose groups and masks keep them apart, as debris and particles: they cost no more than without pairs,
// whatever the cache.
#include "tests/bullet/support/block_count.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

using namespace test;

namespace
{
const int debris = 2;

/// Debris in a broadphase with a cache of a kind.
struct Crowd
{
    template <typename MakeCache>
    Crowd( MakeCache makeCache, int count, btScalar distance )
        : rig( makeRig( culletAuto, makeCache() ) ), bodies( *rig.broadphase, 1, 1 )
    {
        for ( int i = 0; i < count; ++i )
        {
            bodies.create( cube( btScalar( i ) * distance, 0, 0, 1 ), debris, ~debris );
        }
    }

    /// Steps in which all bodies move a little.
    void live()
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

/// What a crowd asks Bullet's allocator for in its life.
template <typename MakeCache>
size_t bytesFor( MakeCache makeCache, btScalar distance )
{
    const BlockCount blocks;
    Crowd crowd( makeCache, 500, distance );
    crowd.live();
    return blocks.bytes();
}
} // namespace

TEST( KeptApart, NothingIsKeptOfThem )
{
    const std::function<btOverlappingPairCache*()> caches[] = {
        [] { return nullptr; }, [] { return new btHashedOverlappingPairCache; },
        [] { return new btSortedOverlappingPairCache; }, [] { return new CountingCache; } };
    for ( const auto& makeCache : caches )
    {
        EXPECT_EQ( bytesFor( makeCache, 10 ), bytesFor( makeCache, 0 ) );
    }
}

/// Nor is anybody asked about them, until one is edited.
TEST( KeptApart, NobodyIsAskedAboutThem )
{
    CountingCache* cache = new CountingCache;
    Crowd crowd( [cache] { return cache; }, 50, 0 );
    crowd.live();
    EXPECT_EQ( 0, cache->addCalls );
    EXPECT_EQ( 0, cache->removeCalls );

    crowd.bodies.at( 7 ).proxies[0]->m_collisionFilterMask = -1;
    crowd.bodies.at( 8 ).proxies[0]->m_collisionFilterMask = -1;
    crowd.bodies.at( 7 ).mask = crowd.bodies.at( 8 ).mask = -1;
    crowd.live();
    EXPECT_TRUE( samePairs( crowd.bodies.expectedPairs(), pairsOf( *cache ) ) );
    EXPECT_EQ( 1, cache->addCalls );
}

/// A given cache refuses by a mask that the broadphase has not seen, and that is as before when it looks.
TEST( KeptApart, AnEditIsTakenBack )
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

/// Groups and masks are not the rule of this cache.
TEST( KeptApart, ACacheWithARuleOfItsOwnIsAsked )
{
    EitherSideCache* cache = new EitherSideCache;
    Crowd crowd( [cache] { return cache; }, 50, 0 );
    crowd.live();
    EXPECT_EQ( 50 * 49 / 2, cache->addCalls / 6 ) << "in each of six steps";
    EXPECT_EQ( 0, cache->getNumOverlappingPairs() );
}

/// More kinds of groups and masks than are told apart, that come, change and go.
TEST( KeptApart, ManyKinds )
{
    CulletFilterCensus census;
    Random random( 1 );
    std::vector<std::pair<int, int>> alive;
    int refusedCount = 0;
    for ( int i = 0; i < 20000; ++i )
    {
        const bool comes = random.below( 100 ) < ( i / 1000 % 2 ? 45 : 55 );
        const uint32_t bits = i < 10000 ? 16 : 4;
        if ( comes )
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
        refusedCount += !census.hasPartner( group, mask );
    }
    EXPECT_GT( refusedCount, 500 );
}
