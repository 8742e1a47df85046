// SPDX-License-Identifier: Zlib
// The pairs of one proxy leave the cache, as when a body is destroyed. The cache finds them by a query of the core,
// unless something happened since the last update that makes it hold others, too.
#include "couple.h"

using namespace test;

namespace
{

using PairArray = std::vector<std::pair<btBroadphaseProxy*, btBroadphaseProxy*>>;

PairArray arrayOf( btOverlappingPairCache& cache )
{
    PairArray pairs;
    for ( int i = 0; i < cache.getNumOverlappingPairs(); ++i )
    {
        const btBroadphasePair& pair = cache.getOverlappingPairArrayPtr()[i];
        pairs.emplace_back( pair.m_pProxy0, pair.m_pProxy1 );
    }
    return pairs;
}

/// Bodies with more pairs than the cache scans, and one far away.
struct Crowd : Arena
{
    static constexpr int count = 100;
    static constexpr std::size_t far = count; ///< index of the body far away

    explicit Crowd( btDispatcher* dispatcher = nullptr ) : Arena( culletAuto, 1, 1, dispatcher )
    {
        bodies.createAt( cube( 0, 0, 0, 1 ), count );
        bodies.create( cube( 50, 0, 0, 1 ) );
        bodies.update();
    }
};

struct Event
{
    const char* name;
    std::function<void( Crowd& )> happen;
};

const Event events[] = {
    { "nothing", []( Crowd& ) {} },
    { "a partner moved away", []( Crowd& crowd ) { crowd.bodies.move( crowd.bodies.at( 9 ), cube( 9, 9, 9, 1 ) ); } },
    { "it moved away", []( Crowd& crowd ) { crowd.bodies.move( crowd.bodies.at( 3 ), cube( 9, 9, 9, 1 ) ); } },
    { "a partner was created", []( Crowd& crowd ) { crowd.bodies.create( cube( 0, 0, 0, 1 ) ); } },
    { "a partner was destroyed", []( Crowd& crowd ) { crowd.bodies.destroy( 9 ); } },
    { "a pair was added",
      []( Crowd& crowd ) { crowd.cache.addOverlappingPair( crowd.proxy( 3 ), crowd.proxy( crowd.far ) ); } },
    { "a pair was removed",
      []( Crowd& crowd ) { crowd.cache.removeOverlappingPair( crowd.proxy( 3 ), crowd.proxy( 9 ), nullptr ); } },
    { "its mask was edited", []( Crowd& crowd ) { crowd.proxy( 3 )->m_collisionFilterMask = 0; } } };

} // namespace

TEST( PairsOfOne, LeaveInBulletsOrderWhateverHappenedSinceTheUpdate )
{
    for ( const auto& [name, happen] : events )
    {
        Crowd crowd;
        happen( crowd );
        Filter acceptAll( []( const auto&, const auto& ) { return true; } );
        btHashedOverlappingPairCache stock;
        stock.setOverlapFilterCallback( &acceptAll );
        for ( const auto& [a, b] : arrayOf( crowd.cache ) )
        {
            stock.addOverlappingPair( a, b );
        }
        const std::size_t before = arrayOf( stock ).size();
        stock.removeOverlappingPairsContainingProxy( crowd.proxy( 3 ), nullptr );
        EXPECT_LE( arrayOf( stock ).size() + crowd.count - 3, before ) << name;

        crowd.bodies.destroy( 3 );
        EXPECT_EQ( arrayOf( stock ), arrayOf( crowd.cache ) ) << name;
    }
}

/// When the algorithm of a pair that ended is freed, the cache still has other pairs that ended.
TEST( PairsOfOne, LeaveWhileAnUpdateRemovesPairs )
{
    EditingDispatcher dispatcher;
    Crowd crowd( &dispatcher );
    for ( int i = 0; i < crowd.pairCount(); ++i )
    {
        dispatcher.giveAlgorithm( crowd.pair( i ) );
    }
    const btBroadphaseProxy* destroyed = crowd.proxy( 3 );
    dispatcher.edit = [&]
    {
        crowd.bodies.destroy( 3 );
        for ( const auto& [a, b] : arrayOf( crowd.cache ) )
        {
            EXPECT_TRUE( a != destroyed && b != destroyed );
        }
    };
    crowd.bodies.move( crowd.bodies.at( 3 ), cube( 9, 9, 9, 1 ) );
    crowd.bodies.update();
    EXPECT_LT( 0, dispatcher.freed );
    EXPECT_TRUE( crowd.hasExactPairs() );
}
