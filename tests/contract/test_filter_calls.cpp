// SPDX-License-Identifier: Zlib
// When the application's filter is asked, and about whom: CT-26.
#include "contestants.h"

#include <map>
#include <set>

using namespace test;

namespace
{
/// Notes what it is asked, and complains about what no broadphase has a reason to ask.
class FilterWitness : public btOverlapFilterCallback
{
public:
    FilterWitness( btOverlappingPairCache& cache, const std::set<const btBroadphaseProxy*>& alive )
        : m_cache( cache ), m_alive( alive )
    {
    }

    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        EXPECT_EQ( 1u, m_alive.count( proxy0 ) );
        EXPECT_EQ( 1u, m_alive.count( proxy1 ) );
        EXPECT_EQ( nullptr, m_cache.findPair( proxy0, proxy1 ) ) << "asked for a pair that is there";
        const IdPair pair = idsOf( btBroadphasePair( *proxy0, *proxy1 ) );
        EXPECT_EQ( 1, ++timesAsked[pair] ) << "asked again in the same step for " << pair.first << "-" << pair.second;
        return ( pair.first + pair.second ) % 3 != 0;
    }

    mutable std::map<IdPair, int> timesAsked; ///< in this step

private:
    btOverlappingPairCache& m_cache;
    const std::set<const btBroadphaseProxy*>& m_alive;
};

std::set<const btBroadphaseProxy*> proxiesOf( Bodies& bodies )
{
    std::set<const btBroadphaseProxy*> proxies;
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        proxies.insert( bodies.at( i ).proxies[0] );
    }
    return proxies;
}
} // namespace

/// Steps of a world: every box is set, whether it moved or not, then the pairs are brought up to date.
TEST_P( Contract, CT26_AskedOncePerNewPairAndStep )
{
    Arena arena( GetParam(), 26, spreadFor( 100 ) );
    std::set<const btBroadphaseProxy*> alive;
    for ( int i = 0; i < 100; ++i )
    {
        arena.bodies.create( arena.bodies.randomBox() );
    }
    alive = proxiesOf( arena.bodies );
    FilterWitness filter( arena.cache(), alive );
    arena.cache().setOverlapFilterCallback( &filter );
    size_t asked = 0;
    for ( int step = 0; step < 20 && !HasFailure(); ++step )
    {
        filter.timesAsked.clear();
        for ( size_t i = 0; i < arena.bodies.size(); ++i )
        {
            Body& body = arena.bodies.at( i );
            const bool moves = ( i + size_t( step ) ) % 3 == 0;
            arena.bodies.move( body, moves ? arena.bodies.randomBox() : body.box );
        }
        arena.bodies.update();
        asked += filter.timesAsked.size();
    }
    EXPECT_GT( asked, 100u );
    arena.cache().setOverlapFilterCallback( nullptr );
}

/// Also where bodies come and go.
TEST_P( Contract, CT26_AskedAboutLiveProxiesOnly )
{
    Arena arena( GetParam(), 27, spreadFor( 100 ) );
    std::set<const btBroadphaseProxy*> alive;
    FilterWitness filter( arena.cache(), alive );
    for ( int step = 0; step < 60 && !HasFailure(); ++step )
    {
        arena.cache().setOverlapFilterCallback( nullptr ); // a new proxy is not known to be alive before it is there
        arena.bodies.create( arena.bodies.randomBox() );
        if ( arena.bodies.size() > 40 )
        {
            arena.bodies.destroy( arena.bodies.random().below( uint32_t( arena.bodies.size() ) ) );
        }
        alive = proxiesOf( arena.bodies );
        filter.timesAsked.clear();
        arena.cache().setOverlapFilterCallback( &filter );
        Body& body = arena.bodies.at( arena.bodies.random().below( uint32_t( arena.bodies.size() ) ) );
        arena.bodies.move( body, arena.bodies.randomBox() );
        arena.bodies.update();
    }
    arena.cache().setOverlapFilterCallback( nullptr );
}
