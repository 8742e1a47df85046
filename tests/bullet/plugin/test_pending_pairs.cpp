// SPDX-License-Identifier: Zlib
// Pairs of boxes that were set but not searched yet. Reading the cache finds them, as if they had been found at once.
#include "couple.h"

#include "CulletRecorder.h"
#include "pair_cache/CulletPairCache.h"

#include <atomic>
#include <thread>

using namespace test;

/// Worlds are filled body by body, and nothing reads the cache before the first step. A pair that began and ended
/// between two reads never enters it.
TEST( PendingPairs, AreSearchedOnceForAllBoxesWhenTheCacheIsRead )
{
    Couple couple;
    couple.meet();
    couple.part();
    EXPECT_EQ( 0, couple.cache.getNumOverlappingPairs() );
    couple.meet();
    for ( const bool isRead : { true, false } )
    {
        const int previous = couple.countWithoutSearching();
        couple.bodies.createAt( cube( 0, 0, 0, 1 ), 100 ); // more than boxes that move
        EXPECT_EQ( previous, couple.countWithoutSearching() );
        if ( isRead )
        {
            EXPECT_TRUE( couple.hasExactPairs() );
        }
        couple.bodies.update();
        EXPECT_EQ( int( couple.bodies.expectedPairs().size() ), couple.countWithoutSearching() );
    }
}

/// The core reports no change in such a step: the pair began and ended since its last update.
TEST( PendingPairs, AreRemovedByTheNextStepIfTheirBoxesParted )
{
    Couple couple;
    couple.meet();
    EXPECT_EQ( 1, couple.cache.getNumOverlappingPairs() );
    couple.part();
    couple.bodies.update();
    EXPECT_EQ( 0, couple.cache.getNumOverlappingPairs() );
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

/// The pair began before the callbacks were installed, so they do not get it. Pairs found at once behave like this.
TEST( PendingPairs, AreNotShownToACallbackInstalledLater )
{
    Couple couple;
    Filter filter( []( const auto&, const auto& ) { return false; } );
    GhostPairTracker ghost;
    couple.meet();
    couple.cache.setOverlapFilterCallback( &filter );
    couple.cache.setInternalGhostPairCallback( &ghost );
    couple.bodies.update();
    EXPECT_EQ( 1, couple.cache.getNumOverlappingPairs() );
    EXPECT_EQ( 0u, ghost.pairs.size() );
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

/// The first thread makes the pending searches, and the others wait for it.
TEST( PendingPairs, AreFoundByThreadsThatReadAtOnce )
{
    const int bodyCount = 200;
    Arena arena( culletAuto, 7, spreadFor( bodyCount ) );
    const btOverlappingPairCache& cache = arena.cache;
    Bodies& bodies = arena.bodies;
    bodies.createRandom( bodyCount );
    for ( int step = 0; step < 400; ++step )
    {
        bodies.update();
        for ( int i = 0; i < CulletBroadphase::EAGER_MOVES; ++i )
        {
            bodies.move( bodies.at( bodies.random().below( bodyCount ) ), bodies.randomBox() );
        }
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
        ASSERT_EQ( std::vector<int>( counts.size(), cache.getNumOverlappingPairs() ), counts );
        const std::vector<IdPair> actual = pairsOf( cache ), expected = bodies.expectedPairs();
        ASSERT_TRUE( std::includes( actual.begin(), actual.end(), expected.begin(), expected.end() ) );
    }
}

static void processAllPairs( btOverlappingPairCache& cache, bool isInOrder )
{
    struct Keep : public btOverlapCallback
    {
        bool processOverlap( btBroadphasePair& ) override
        {
            return false;
        }
    } keep;
    btDispatcherInfo info;
    info.m_deterministicOverlappingPairs = isInOrder;
    cache.processAllOverlappingPairs( &keep, nullptr, info );
}

static const CulletPairCache& asConstant( const btOverlappingPairCache& cache )
{
    return static_cast<const CulletPairCache&>( cache );
}

TEST( PendingPairs, AreFoundByEveryCallOfTheCache )
{
    using Cache = btOverlappingPairCache;
    const std::function<void( Couple&, Cache& )> calls[] = {
        []( Couple&, Cache& cache ) { cache.getNumOverlappingPairs(); },
        []( Couple&, Cache& cache ) { cache.getOverlappingPairArray(); },
        []( Couple&, Cache& cache ) { asConstant( cache ).getOverlappingPairArray(); },
        []( Couple&, Cache& cache ) { cache.getOverlappingPairArrayPtr(); },
        []( Couple&, Cache& cache ) { asConstant( cache ).getOverlappingPairArrayPtr(); },
        []( Couple& couple, Cache& cache ) { cache.findPair( couple.proxy( 0 ), couple.proxy( 1 ) ); },
        []( Couple&, Cache& cache ) { walkPairs( cache, []( btBroadphasePair& ) { return false; } ); },
        []( Couple&, Cache& cache ) { processAllPairs( cache, false ); },
        []( Couple&, Cache& cache ) { processAllPairs( cache, true ); },
        []( Couple&, Cache& cache ) { cache.sortOverlappingPairs( nullptr ); },
        []( Couple& couple, Cache& cache ) { cache.cleanProxyFromPairs( couple.proxy( 0 ), nullptr ); },
        []( Couple& couple, Cache& cache )
        { cache.removeOverlappingPair( couple.proxy( 0 ), couple.proxy( 2 ), nullptr ); },
        []( Couple&, Cache& cache ) { cache.setOverlapFilterCallback( nullptr ); },
        []( Couple&, Cache& cache ) { cache.setInternalGhostPairCallback( nullptr ); },
        []( Couple& couple, Cache& ) { couple.rig.broadphase->getOverlappingPairCache(); },
        []( Couple& couple, Cache& ) { std::as_const( *couple.rig.broadphase ).getOverlappingPairCache(); },
    };
    for ( const auto& call : calls )
    {
        SCOPED_TRACE( &call - calls );
        Couple couple;
        couple.meet();
        EXPECT_EQ( 0, couple.countWithoutSearching() ) << "the cache was not read yet";
        call( couple, couple.cache );
        EXPECT_EQ( 1, couple.countWithoutSearching() );
    }
}
