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

/// Bodies with more pairs than the cache scans, a few that overlap elsewhere, and one far away.
struct DenseWorld : Arena
{
    static constexpr int count = 100, few = 20;
    static constexpr std::size_t one = count + few - 3, partner = one + 1, far = count + few; ///< indices of bodies

    explicit DenseWorld( btDispatcher* dispatcher = nullptr ) : Arena( culletAuto, 1, 1, dispatcher )
    {
        bodies.createAt( cube( 0, 0, 0, 1 ), count );
        bodies.createAt( cube( 20, 0, 0, 1 ), few );
        bodies.create( cube( 50, 0, 0, 1 ) );
        bodies.update();
    }

    bool hasPairOf( const btBroadphaseProxy* proxy ) const
    {
        const PairArray pairs = arrayOf( cache );
        return std::any_of( pairs.begin(), pairs.end(),
                            [proxy]( const auto& pair ) { return pair.first == proxy || pair.second == proxy; } );
    }
};

struct Event
{
    const char* name;
    std::function<void( DenseWorld& )> happen;
};

const Event events[] = {
    { "nothing", []( DenseWorld& ) {} },
    { "a partner moved away",
      []( DenseWorld& world ) { world.bodies.move( world.bodies.at( world.partner ), cube( 9, 9, 9, 1 ) ); } },
    { "it moved away",
      []( DenseWorld& world ) { world.bodies.move( world.bodies.at( world.one ), cube( 9, 9, 9, 1 ) ); } },
    { "a partner was created", []( DenseWorld& world ) { world.bodies.create( cube( 20, 0, 0, 1 ) ); } },
    { "a partner was destroyed", []( DenseWorld& world ) { world.bodies.destroy( world.partner ); } },
    { "a pair was added", []( DenseWorld& world )
      { world.cache.addOverlappingPair( world.proxy( world.one ), world.proxy( world.far ) ); } },
    { "a pair was removed", []( DenseWorld& world )
      { world.cache.removeOverlappingPair( world.proxy( world.one ), world.proxy( world.partner ), nullptr ); } },
    { "its mask was edited", []( DenseWorld& world ) { world.proxy( world.one )->m_collisionFilterMask = 0; } },
    { "a pair was due in updates", []( DenseWorld& world )
      {
          world.proxy( world.one )->m_collisionFilterMask = 0;
          world.bodies.move( world.bodies.at( world.one ), world.bodies.at( world.one ).box ); // so that it is read
          world.bodies.update();
          world.bodies.update();
      } } };

} // namespace

TEST( PairsOfOne, LeaveInBulletsOrderWhateverHappenedSinceTheUpdate )
{
    for ( const auto& [name, happen] : events )
    {
        DenseWorld world;
        happen( world );
        Filter acceptAll( []( const auto&, const auto& ) { return true; } );
        btHashedOverlappingPairCache stock;
        stock.setOverlapFilterCallback( &acceptAll );
        for ( const auto& [a, b] : arrayOf( world.cache ) )
        {
            stock.addOverlappingPair( a, b );
        }
        const std::size_t before = arrayOf( stock ).size();
        stock.removeOverlappingPairsContainingProxy( world.proxy( world.one ), nullptr );
        EXPECT_LE( arrayOf( stock ).size() + world.few - 3, before ) << name;

        world.bodies.destroy( world.one );
        EXPECT_EQ( arrayOf( stock ), arrayOf( world.cache ) ) << name;
    }
}

/// When the algorithm of a pair that ended is freed, the cache still has other pairs that ended.
TEST( PairsOfOne, LeaveWhileAnUpdateRemovesPairs )
{
    EditingDispatcher dispatcher;
    DenseWorld world( &dispatcher );
    for ( int i = 0; i < world.pairCount(); ++i )
    {
        dispatcher.giveAlgorithm( world.pair( i ) );
    }
    const btBroadphaseProxy* destroyed = world.proxy( world.one );
    dispatcher.edit = [&]
    {
        world.bodies.destroy( world.one );
        EXPECT_FALSE( world.hasPairOf( destroyed ) );
    };
    world.bodies.move( world.bodies.at( world.one ), cube( 9, 9, 9, 1 ) );
    world.bodies.update();
    EXPECT_LT( 0, dispatcher.freed );
    EXPECT_TRUE( world.hasExactPairs() );
}

/// The update takes the pair for one that is absent and stays so. Then it would stay when the body is destroyed.
TEST( PairsOfOne, LeaveIfTheFilterRanAnUpdateWhenAPairWasAdded )
{
    DenseWorld world;
    Filter updating(
        [&]( const auto&, const auto& )
        {
            world.bodies.update();
            return true;
        } );
    btBroadphaseProxy* const one = world.proxy( world.one );
    world.cache.setOverlapFilterCallback( &updating );
    ASSERT_NE( nullptr, world.cache.addOverlappingPair( one, world.proxy( world.far ) ) );
    world.cache.setOverlapFilterCallback( nullptr );
    world.bodies.destroy( world.one );
    EXPECT_FALSE( world.hasPairOf( one ) );
}

TEST( PairsOfOne, LackThePairOfAProxyWithItself )
{
    DenseWorld world;
    btBroadphaseProxy* const one = world.proxy( world.one );
    EXPECT_EQ( nullptr, world.cache.addOverlappingPair( one, one ) );
    world.bodies.update();
    world.bodies.destroy( world.one );
    EXPECT_FALSE( world.hasPairOf( one ) );
}

/// The algorithm's destructor separates the body and runs an update, which may merge: all pairs change their places.
TEST( PairsOfOne, LeaveAloneIfAnUpdateRemovesThemMeanwhile )
{
    EditingDispatcher dispatcher;
    DenseWorld world( &dispatcher );
    for ( int i = 0; i < world.pairCount(); ++i )
    {
        dispatcher.giveAlgorithm( world.pair( i ) );
    }
    dispatcher.edit = [&]
    {
        world.bodies.move( world.bodies.at( world.one ), cube( 9, 9, 9, 1 ) );
        for ( std::size_t i = 0; i < world.count; ++i ) // so many that the update merges
        {
            world.bodies.move( world.bodies.at( i ), cube( btScalar( i * 2 ), 99, 0, 1 ) );
        }
        world.bodies.update();
    };
    world.cache.removeOverlappingPairsContainingProxy( world.proxy( world.one ), &dispatcher );
    EXPECT_TRUE( world.hasExactPairs() );
}
