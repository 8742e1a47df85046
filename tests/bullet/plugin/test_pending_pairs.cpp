// SPDX-License-Identifier: Zlib
// Pairs of boxes that were set and not searched yet: they behave as if they had been found at once, and nobody who does
// not look can tell.
#include "couple.h"

#include "CulletRecorder.h"

#include <atomic>
#include <thread>

using namespace test;

/// Worlds are filled body by body, and nobody looks before the first step.
TEST( PendingPairs, OfBoxesThatAreCreated )
{
    Couple couple;
    for ( const bool isLookedAt : { true, false } )
    {
        const int before = couple.countSilently();
        for ( int i = 0; i < 100; ++i ) // more than boxes that move
        {
            couple.bodies.create( cube( 0, 0, 0, 1 ) );
        }
        EXPECT_EQ( before, couple.countSilently() );
        if ( isLookedAt )
        {
            EXPECT_TRUE( samePairs( couple.bodies.expectedPairs(), pairsOf( couple.cache ) ) );
        }
        couple.bodies.update();
        EXPECT_EQ( int( couple.bodies.expectedPairs().size() ), couple.countSilently() );
    }
}

/// removeOverlappingPairsContainingProxy takes out what was pending, and the next step puts it back.
TEST( PendingPairs, AreRemovedLikeOthers )
{
    Couple couple;
    couple.meet();
    couple.cache.removeOverlappingPairsContainingProxy( couple.proxy( 0 ), nullptr );
    EXPECT_EQ( 0, couple.cache.getNumOverlappingPairs() ) << "looking again does not bring them back";
    couple.bodies.move( couple.bodies.at( 0 ), couple.bodies.at( 0 ).box );
    couple.bodies.update();
    EXPECT_EQ( 1, couple.cache.getNumOverlappingPairs() );
}

/// Met and parted between two looks: a pair that nobody could have seen never was one.
TEST( PendingPairs, OnlyTheLastBoxCounts )
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
    EXPECT_EQ( 0, couple.countSilently() ) << "an update needs nobody to look";
}

TEST( PendingPairs, OneOfThemIsDestroyed )
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

/// The pair met before there was a callback, so that it stays, as one that was found at once would.
TEST( PendingPairs, ALaterCallbackIsNotAsked )
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
    EXPECT_EQ( 2u, ghost.pairs.size() ) << "callbacks hear of pairs in setAabb, whether anybody looks or not";
    couple.cache.setInternalGhostPairCallback( nullptr );
    couple.cache.setOverlapFilterCallback( nullptr );
}

/// Where pairs lie depends on when somebody looked. Who records a program is to change nothing.
TEST( PendingPairs, ARecorderDoesNotLook )
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
/// What several threads read that start at the same moment.
std::vector<int> countAtOnce( const btOverlappingPairCache& cache )
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

/// Reading is reading: the one that finds something pending has it searched, the others wait for it.
TEST( PendingPairs, ManyThreadsMayLookAtOnce )
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
        const std::vector<int> counts = countAtOnce( cache );
        ASSERT_EQ( std::vector<int>( counts.size(), cache.getNumOverlappingPairs() ), counts );
        const std::vector<IdPair> actual = pairsOf( cache );
        const std::vector<IdPair> expected = bodies.expectedPairs();
        ASSERT_TRUE( std::includes( actual.begin(), actual.end(), expected.begin(), expected.end() ) );
    }
}
