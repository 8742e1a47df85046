// SPDX-License-Identifier: Zlib
// How the pair set changes when boxes move, stay, grow and shrink: CT-05 to CT-08 and CT-11 to CT-13.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

#include <map>

using namespace test;

class PairChanges : public RigTest
{
};

INSTANTIATE_TEST_SUITE_P(, PairChanges, testing::ValuesIn( exactRigs() ), rigName );

TEST_P( PairChanges, CT05_PersistingPairsKeepTheirAlgorithm )
{
    DispatcherWitness dispatcher;
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 5, 3, &dispatcher );
    for ( int i = 0; i < 40; ++i )
    {
        bodies.create( cube( btScalar( i % 4 ), btScalar( i / 4 % 4 ), btScalar( i / 16 ), btScalar( 1.5 ) ) );
    }
    bodies.update();
    std::map<IdPair, const btCollisionAlgorithm*> given;
    for ( int i = 0; i < rig.cache().getNumOverlappingPairs(); ++i )
    {
        btBroadphasePair& pair = rig.cache().getOverlappingPairArrayPtr()[i];
        given[idsOf( pair )] = dispatcher.giveAlgorithm( pair );
    }
    ASSERT_GT( given.size(), 100u );

    for ( int step = 0; step < 100; ++step )
    {
        for ( size_t i = 0; i < 40; ++i ) // within 0.2 of home: boxes that overlapped by 0.5 still do
        {
            const btScalar shift = btScalar( bodies.random().between( -0.2, 0.2 ) );
            bodies.move( bodies.at( i ), cube( btScalar( i % 4 ) + shift, btScalar( i / 4 % 4 ) + shift,
                                               btScalar( i / 16 ) + shift, btScalar( 1.5 ) ) );
        }
        bodies.createRandom( 5 ); // others come and go, so that pairs change places in the array
        bodies.update();
        while ( bodies.size() > 40 )
        {
            bodies.destroy( bodies.size() - 1 );
        }
        bodies.update();
        ASSERT_EQ( given.size(), size_t( rig.cache().getNumOverlappingPairs() ) );
        for ( int i = 0; i < rig.cache().getNumOverlappingPairs(); ++i )
        {
            const btBroadphasePair& pair = rig.cache().getOverlappingPairArrayPtr()[i];
            ASSERT_EQ( given.at( idsOf( pair ) ), pair.m_algorithm );
        }
    }
    EXPECT_EQ( 0, dispatcher.freed );
    bodies.destroyAll();
    EXPECT_EQ( int( given.size() ), dispatcher.freed );
}

TEST_P( PairChanges, CT06_SeparatingDestroysTheAlgorithmOnce )
{
    DispatcherWitness dispatcher;
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 6, 1, &dispatcher );
    bodies.create( cube( 0, 0, 0, 1 ) );
    Body& mover = bodies.create( cube( btScalar( 0.5 ), 0, 0, 1 ) );
    bodies.update();
    ASSERT_EQ( 1, rig.cache().getNumOverlappingPairs() );
    dispatcher.giveAlgorithm( rig.cache().getOverlappingPairArrayPtr()[0] );

    bodies.move( mover, cube( 5, 0, 0, 1 ) );
    bodies.update();
    EXPECT_EQ( 0, rig.cache().getNumOverlappingPairs() );
    EXPECT_EQ( 1, dispatcher.destroyed );
    EXPECT_EQ( 1, dispatcher.freed );

    bodies.move( mover, cube( btScalar( 0.5 ), 0, 0, 1 ) );
    bodies.update();
    ASSERT_EQ( 1, rig.cache().getNumOverlappingPairs() );
    EXPECT_EQ( nullptr, rig.cache().getOverlappingPairArrayPtr()[0].m_algorithm );
    EXPECT_EQ( 1, dispatcher.destroyed );
}

TEST_P( PairChanges, CT07_UpdatingTwiceChangesNothing )
{
    const Rig rig = makeRig( GetParam() );
    GhostWitness ghost;
    rig.cache().setInternalGhostPairCallback( &ghost );
    Bodies bodies( *rig.broadphase, 7, spreadFor( 200 ) );
    rig.broadphase->calculateOverlappingPairs( nullptr ); // before there is anything at all
    bodies.createRandom( 200 );
    bodies.update();
    const std::vector<char> before = bytesOf( rig.cache() );
    const int addCount = ghost.addCount;
    ASSERT_GT( addCount, 50 );
    for ( int i = 0; i < 3; ++i )
    {
        bodies.update();
    }
    EXPECT_EQ( before, bytesOf( rig.cache() ) );
    EXPECT_EQ( addCount, ghost.addCount );
    EXPECT_EQ( 0, ghost.removeCount );
    rig.cache().setInternalGhostPairCallback( nullptr );
}

TEST_P( PairChanges, CT08_UnchangedBoxesChangeNothing )
{
    const Rig rig = makeRig( GetParam() );
    GhostWitness ghost;
    rig.cache().setInternalGhostPairCallback( &ghost );
    Bodies bodies( *rig.broadphase, 8, spreadFor( 200 ) );
    bodies.createRandom( 200 );
    bodies.update();
    const std::vector<char> before = bytesOf( rig.cache() );
    const int addCount = ghost.addCount;
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        Box same = bodies.at( i ).box;
        same.lower[3] = btScalar( i ); // the fourth lane of a btVector3 means nothing
        same.upper[3] = -btScalar( i );
        bodies.move( bodies.at( i ), same );
    }
    bodies.update();
    EXPECT_EQ( before, bytesOf( rig.cache() ) );
    EXPECT_EQ( addCount, ghost.addCount );
    EXPECT_EQ( 0, ghost.removeCount );
    if ( rig.cullet )
    {
        cltStats stats;
        ASSERT_EQ( clt_ok, cltBroadphase_GetStats( rig.cullet->getCore(), &stats ) );
        EXPECT_EQ( 0u, stats.changedCount );
    }
    rig.cache().setInternalGhostPairCallback( nullptr );
}

TEST_P( PairChanges, CT11_TeleportDropsAllOldPairsAtOnce )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 11, 2 );
    for ( int i = 0; i < 50; ++i )
    {
        bodies.create( bodies.randomBox() );
    }
    Body& mover = bodies.create( { btVector3( -2, -2, -2 ), btVector3( 2, 2, 2 ) } );
    bodies.create( cube( 5000, 0, 0, 1 ) );
    bodies.update();
    ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
    const size_t before = pairsOf( rig.cache() ).size();

    bodies.move( mover, cube( 5000, 0, 0, 1 ) );
    bodies.update();
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
    EXPECT_EQ( before - 50 + 1, pairsOf( rig.cache() ).size() );
}

TEST_P( PairChanges, CT12_ShrinkingDropsPairsAndHits )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 12, 2 );
    Body& shrinker = bodies.create( cube( 0, 0, 0, 10 ) );
    bodies.create( cube( 8, 8, 8, 1 ) );
    bodies.update();
    ASSERT_EQ( 1, rig.cache().getNumOverlappingPairs() );

    bodies.move( shrinker, cube( 0, 0, 0, 1 ) );
    CollectBox hits;
    rig.broadphase->aabbTest( btVector3( 5, 5, 5 ), btVector3( 6, 6, 6 ), hits );
    EXPECT_TRUE( hits.proxies.empty() );
    bodies.update();
    EXPECT_EQ( 0, rig.cache().getNumOverlappingPairs() );
}

TEST_P( PairChanges, CT13_BodiesThatAreNeverUpdatedStillPair )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 13, 2 );
    for ( int i = 0; i < 20; ++i )
    {
        bodies.create( cube( btScalar( i ) * btScalar( 0.9 ), 0, 0, 1 ) ); // a row of sleepers, each touching the next
    }
    Body& newcomer = bodies.create( cube( 0, 100, 0, 1 ) );
    for ( int step = 0; step < 1000; ++step )
    {
        bodies.move( newcomer, cube( btScalar( step % 20 ), 100, 0, 1 ) );
        bodies.update();
    }
    ASSERT_EQ( 19, rig.cache().getNumOverlappingPairs() );
    bodies.move( newcomer, cube( 7, btScalar( 0.5 ), 0, 1 ) );
    bodies.update();
    EXPECT_GT( rig.cache().getNumOverlappingPairs(), 19 );
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
}
