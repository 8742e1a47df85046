// SPDX-License-Identifier: Zlib
// Members beyond btBroadphaseInterface: those that programs written for btDbvtBroadphase call by name, and times. Also
// memory and the order of filter calls.
#include "tests/bullet/support/block_count.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

#include <chrono>
#include <thread>

using namespace test;

TEST( Members, OfBtDbvtBroadphaseCanBeCalledByName )
{
    CulletBroadphase broadphase;
    Bodies bodies( broadphase, 53, 2 );
    Body& body = bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.create( cube( 5, 0, 0, 1 ) );
    broadphase.setVelocityPrediction( btScalar( 0.25 ) );
    EXPECT_EQ( btScalar( 0.25 ), broadphase.getVelocityPrediction() );
    broadphase.optimize();
    broadphase.printStats();
    broadphase.setAabbForceUpdate( body.proxies[0], btVector3( 5, 0, 0 ), btVector3( 6, 1, 1 ), nullptr );
    broadphase.collide( nullptr );
    EXPECT_EQ( 1, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
}

TEST( Members, ReportTheTimeOfTheLastChangesToTheCache )
{
    const std::chrono::milliseconds thinkingTime( 20 );
    Filter filter(
        [&]( const auto&, const auto& )
        {
            std::this_thread::sleep_for( thinkingTime );
            return true;
        } );
    CulletBroadphase broadphase;
    broadphase.m_deferedcollide = true; // the pair then begins in calculateOverlappingPairs
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( &filter );
    EXPECT_EQ( 0, broadphase.getCacheMs() );
    Bodies bodies( broadphase, 54, 2 );
    bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.create( cube( 0, 0, 0, 1 ) );

    broadphase.calculateOverlappingPairs( nullptr );
    EXPECT_EQ( 1, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
    EXPECT_GE( broadphase.getCacheMs(), float( thinkingTime.count() ) );

    broadphase.calculateOverlappingPairs( nullptr );
    EXPECT_LT( broadphase.getCacheMs(), float( thinkingTime.count() ) );
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( nullptr );
}

/// Blocks that are allocated while an application creates its bodies lie between them, and slow down Bullet's loops
/// over the bodies.
TEST( Members, AllocateFewBlocksWhileAWorldIsFilled )
{
    const BlockCount blocks;
    CulletBroadphase broadphase;
    for ( int i = 0; i < 4096; ++i )
    {
        broadphase.createProxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), 0, nullptr, 1, 2, nullptr );
    }
    EXPECT_LE( blocks.made(), 80 ) << "of arrays that double, and of proxies";
}

TEST( Members, AskTheFilterInUidOrder )
{
    CulletBroadphase broadphase;
    Filter oddIdsOnly(
        []( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 )
        {
            EXPECT_LT( proxy0.m_uniqueId, proxy1.m_uniqueId );
            return proxy0.m_uniqueId % 2 == 1 && proxy1.m_uniqueId % 2 == 1;
        } );
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( &oddIdsOnly );
    Bodies bodies( broadphase, 34, 1 );
    for ( int i = 0; i < 11; ++i )
    {
        bodies.create( cube( 0, 0, 0, 1 ), 0, 0 ); // groups and masks that accept nothing
    }
    bodies.update();
    EXPECT_EQ( 15, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() ) << "6 odd ids, 6*5/2 pairs";

    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( nullptr );
    bodies.update();
    EXPECT_EQ( 15, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() ) << "pairs that are there stay";
}
