// SPDX-License-Identifier: Zlib
// Pairs of boxes that were set and not searched yet: to a reader of the cache they look as if they had been found at
// once.
#include "couple.h"

#include "CulletRecorder.h"

#include <atomic>
#include <functional>
#include <thread>

using namespace test;

/// Worlds are filled body by body, and nothing reads the cache before the first step.
TEST( PendingPairs, OfCreatedBoxesAreFoundWhenTheCacheIsRead )
{
    Couple couple;
    for ( const bool isRead : { true, false } )
    {
        const int before = couple.countSilently();
        for ( int i = 0; i < 100; ++i ) // more than boxes that move
        {
            couple.bodies.create( cube( 0, 0, 0, 1 ) );
        }
        EXPECT_EQ( before, couple.countSilently() );
        if ( isRead )
        {
            EXPECT_TRUE( samePairs( couple.bodies.expectedPairs(), pairsOf( couple.cache ) ) );
        }
        couple.bodies.update();
        EXPECT_EQ( int( couple.bodies.expectedPairs().size() ), couple.countSilently() );
    }
}

/// removeOverlappingPairsContainingProxy removes pending pairs, and the next step adds them again.
TEST( PendingPairs, AreRemovedWithTheirProxyAndAddedByTheNextStep )
{
    Couple couple;
    couple.meet();
    couple.cache.removeOverlappingPairsContainingProxy( couple.proxy( 0 ), nullptr );
    EXPECT_EQ( 0, couple.cache.getNumOverlappingPairs() ) << "reading again does not bring them back";
    couple.bodies.move( couple.bodies.at( 0 ), couple.bodies.at( 0 ).box );
    couple.bodies.update();
    EXPECT_EQ( 1, couple.cache.getNumOverlappingPairs() );
}

/// A pair that began and ended between two reads of the cache never enters it.
TEST( PendingPairs, DependOnTheLastBoxAlone )
{
    Couple couple;
    couple.meet();
    couple.part();
    EXPECT_EQ( 0, couple.cache.getNumOverlappingPairs() );
    couple.meet();
    EXPECT_EQ( 1, couple.cache.getNumOverlappingPairs() );
    couple.bodies.update();
    EXPECT_EQ( 1, couple.countSilently() );
    couple.part();
    couple.bodies.update();
    EXPECT_EQ( 0, couple.countSilently() ) << "an update needs no reader";
}

TEST( PendingPairs, LeaveWithADestroyedProxy )
{
    for ( size_t gone : { 0u, 1u } )
    {
        Couple couple;
        couple.bodies.create( cube( 0, btScalar( 0.5 ), 0, 1 ) );
        couple.bodies.update();
        couple.meet();
        couple.bodies.destroy( gone );
        EXPECT_TRUE( samePairs( couple.bodies.expectedPairs(), pairsOf( couple.cache ) ) );
        couple.bodies.update();
        EXPECT_TRUE( samePairs( couple.bodies.expectedPairs(), pairsOf( couple.cache ) ) );
    }
}

/// The pair began before there was a callback, so it stays, like a pair that was found at once.
TEST( PendingPairs, AreNotShownToACallbackInstalledLater )
{
    Couple couple;
    Filter filter( []( const auto&, const auto& ) { return false; } );
    GhostPairTracker ghost;
    couple.meet();
    couple.cache.setOverlapFilterCallback( &filter );
    couple.cache.setInternalGhostPairCallback( &ghost );
    EXPECT_EQ( 1, couple.cache.getNumOverlappingPairs() );
    EXPECT_EQ( 0u, ghost.pairs.size() );
    couple.bodies.update();
    EXPECT_EQ( 1, couple.cache.getNumOverlappingPairs() );
    filter.decide = []( const auto&, const auto& ) { return true; };
    couple.bodies.move( couple.bodies.at( 2 ), couple.bodies.at( 0 ).box );
    EXPECT_EQ( 2u, ghost.pairs.size() ) << "callbacks hear of pairs in setAabb, whether the cache is read or not";
    couple.cache.setInternalGhostPairCallback( nullptr );
    couple.cache.setOverlapFilterCallback( nullptr );
}

/// The order of the pair array depends on when the cache is read. A recorder must not change it.
TEST( PendingPairs, AreNotSearchedByARecorder )
{
    const Rig rig = makeRig( culletAuto );
    const Rig recorded = makeRig( culletAuto );
    CulletRecordFile sink( "/dev/null" );
    CulletRecorder recorder( recorded.broadphase.get(), &sink );
    const int moveCount = CulletBroadphase::EAGER_MOVES;
    EXPECT_EQ( arrayAfterSteps( *rig.broadphase, 200, moveCount, 10 ),
               arrayAfterSteps( recorder, 200, moveCount, 10 ) );
}

namespace
{
/// The counts that several threads read at the same time.
std::vector<int> countInThreads( const btOverlappingPairCache& cache )
{
    std::vector<int> counts( 4 );
    std::atomic<int> readyCount( 0 );
    std::vector<std::thread> threads;
    for ( int& count : counts )
    {
        threads.emplace_back(
            [&]
            {
                for ( ++readyCount; readyCount < int( counts.size() ); )
                {
                    std::this_thread::yield();
                }
                count = cache.getNumOverlappingPairs();
            } );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
    return counts;
}
} // namespace

/// The first thread makes the pending searches, and the others wait for it.
TEST( PendingPairs, AreFoundByThreadsThatReadAtOnce )
{
    const int bodyCount = 200;
    const Rig rig = makeRig( culletAuto );
    btOverlappingPairCache& cache = rig.cache();
    Bodies bodies( *rig.broadphase, 7, spreadFor( bodyCount ) );
    bodies.createRandom( bodyCount );
    for ( int step = 0; step < 400; ++step )
    {
        bodies.update();
        for ( int i = 0; i < CulletBroadphase::EAGER_MOVES; ++i )
        {
            bodies.move( bodies.at( bodies.random().below( bodyCount ) ), bodies.randomBox() );
        }
        const std::vector<int> counts = countInThreads( cache );
        ASSERT_EQ( std::vector<int>( counts.size(), cache.getNumOverlappingPairs() ), counts );
        const std::vector<IdPair> actual = pairsOf( cache );
        const std::vector<IdPair> expected = bodies.expectedPairs();
        ASSERT_TRUE( std::includes( actual.begin(), actual.end(), expected.begin(), expected.end() ) );
    }
}

namespace
{
/// Counts the pairs that it is shown, and has none of them removed.
struct CountPairs : public btOverlapCallback
{
    bool processOverlap( btBroadphasePair& ) override
    {
        ++count;
        return false;
    }

    int count = 0;
};

int countProcessed( Couple& couple, bool inOrder )
{
    CountPairs counter;
    btDispatcherInfo info;
    info.m_deterministicOverlappingPairs = inOrder;
    couple.cache.processAllOverlappingPairs( &counter, nullptr, info );
    return counter.count;
}

/// The number of pairs after `call`, a call of the cache.
std::function<int( Couple& )> after( std::function<void( Couple&, btOverlappingPairCache& )> call )
{
    return [call]( Couple& couple )
    {
        call( couple, couple.cache );
        return couple.countSilently();
    };
}

const CulletPairCache& own( const Couple& couple )
{
    return static_cast<const CulletPairCache&>( couple.cache );
}

const struct
{
    const char* name;
    std::function<int( Couple& )> count; ///< pairs that this way of reading finds
} readers[] = {
    { "getNumOverlappingPairs", []( Couple& c ) { return c.cache.getNumOverlappingPairs(); } },
    { "getOverlappingPairArray", []( Couple& c ) { return c.cache.getOverlappingPairArray().size(); } },
    { "getOverlappingPairArray, const", []( Couple& c ) { return own( c ).getOverlappingPairArray().size(); } },
    { "getOverlappingPairArrayPtr",
      []( Couple& c ) { return int( c.cache.getOverlappingPairArrayPtr()->m_pProxy1 == c.proxy( 1 ) ); } },
    { "getOverlappingPairArrayPtr, const",
      []( Couple& c ) { return int( own( c ).getOverlappingPairArrayPtr()->m_pProxy1 == c.proxy( 1 ) ); } },
    { "findPair", []( Couple& c ) { return int( c.cache.findPair( c.proxy( 0 ), c.proxy( 1 ) ) != nullptr ); } },
    { "processAllOverlappingPairs",
      []( Couple& c )
      {
          CountPairs counter;
          c.cache.processAllOverlappingPairs( &counter, nullptr );
          return counter.count;
      } },
    { "processAllOverlappingPairs with a btDispatcherInfo", []( Couple& c ) { return countProcessed( c, false ); } },
    { "processAllOverlappingPairs in order", []( Couple& c ) { return countProcessed( c, true ); } },
    { "sortOverlappingPairs", after( []( Couple&, auto& cache ) { cache.sortOverlappingPairs( nullptr ); } ) },
    { "cleanProxyFromPairs",
      after( []( Couple& c, auto& cache ) { cache.cleanProxyFromPairs( c.proxy( 0 ), nullptr ); } ) },
    { "adding and removing another pair", after(
                                              []( Couple& c, auto& cache )
                                              {
                                                  cache.addOverlappingPair( c.proxy( 0 ), c.proxy( 2 ) );
                                                  EXPECT_EQ( 2, c.countSilently() );
                                                  cache.removeOverlappingPair( c.proxy( 0 ), c.proxy( 2 ), nullptr );
                                              } ) },
    { "removeOverlappingPair of another pair",
      after( []( Couple& c, auto& cache ) { cache.removeOverlappingPair( c.proxy( 0 ), c.proxy( 2 ), nullptr ); } ) },
    { "setOverlapFilterCallback", after( []( Couple&, auto& cache ) { cache.setOverlapFilterCallback( nullptr ); } ) },
    { "setInternalGhostPairCallback",
      after( []( Couple&, auto& cache ) { cache.setInternalGhostPairCallback( nullptr ); } ) },
    { "getOverlappingPairCache", after( []( Couple& c, auto& ) { c.rig.broadphase->getOverlappingPairCache(); } ) },
    { "getOverlappingPairCache, const",
      after( []( Couple& c, auto& ) { std::as_const( *c.rig.broadphase ).getOverlappingPairCache(); } ) },
};
} // namespace

TEST( PendingPairs, AreFoundByEveryWayOfReading )
{
    for ( const auto& reader : readers )
    {
        SCOPED_TRACE( reader.name );
        Couple couple;
        couple.meet();
        EXPECT_EQ( 0, couple.countSilently() ) << "the cache was not read yet";
        EXPECT_EQ( 1, reader.count( couple ) );
    }
}
