// SPDX-License-Identifier: Zlib
// Unchanged boxes do not reach the core, and changes come in canonical order.
#include "couple.h"

using namespace test;

TEST( PairChanges, OfUnchangedBoxesNeverReachTheCore )
{
    const Rig rig = makeRig( culletAuto );
    Bodies bodies( *rig.broadphase, 8, spreadFor( 200 ) );
    bodies.createRandom( 200 );
    bodies.update();
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        Box same = bodies.at( i ).box;
        same.lower[3] = btScalar( i ); // the fourth component of a btVector3 has no meaning
        bodies.move( bodies.at( i ), same );
    }
    bodies.update();
    cltStats stats;
    ASSERT_EQ( clt_ok, cltBroadphase_GetStats( rig.cullet->getCore(), &stats ) );
    EXPECT_EQ( 0u, stats.changedCount );
}

/// The core's tree finds them in another order.
TEST( PairChanges, OfASearchAtOnceComeInUidOrder )
{
    const Rig rig = makeRig( culletAuto );
    Bodies bodies( *rig.broadphase, 10, 50 );
    bodies.createBoxes( 40 );
    bodies.update();
    GhostLog log;
    rig.cullet->getOverlappingPairCache()->setInternalGhostPairCallback( &log );
    bodies.move( bodies.at( 20 ), cube( -100, -100, -100, 200 ) );
    EXPECT_GE( log.calls.size(), 35u );
    EXPECT_TRUE( std::is_sorted( log.calls.begin(), log.calls.end() ) );
    rig.cullet->getOverlappingPairCache()->setInternalGhostPairCallback( nullptr );
}

/// Few changes and many are sorted in different ways.
TEST( PairChanges, ComeInUidOrderWhenSlotsAreReused )
{
    for ( int count : { 60, 3000 } )
    {
        const Rig rig = makeRig( culletAuto );
        Bodies bodies( *rig.broadphase, 9, spreadFor( count ) );
        bodies.createRandom( count );
        bodies.update();
        for ( int i = 0; i < count / 2; ++i ) // their slots are reused
        {
            bodies.destroy( size_t( i ) );
        }
        bodies.update();
        bodies.createRandom( count / 2 );
        bodies.update();

        GhostLog log;
        rig.cullet->m_deferedcollide = true;
        rig.cullet->getOverlappingPairCache()->setInternalGhostPairCallback( &log );
        for ( size_t i = 0; i + 1 < bodies.size(); i += 2 )
        {
            const Box box = bodies.at( i ).box;
            bodies.move( bodies.at( i ), bodies.at( i + 1 ).box );
            bodies.move( bodies.at( i + 1 ), box );
        }
        bodies.move( bodies.at( 0 ), bodies.at( 1 ).box );
        bodies.update();
        const auto firstBegan =
            std::partition_point( log.calls.begin(), log.calls.end(),
                                  []( const auto& call ) { return std::get<0>( call ) == GhostLog::ENDED; } );
        EXPECT_GT( firstBegan - log.calls.begin(), count / 4 );
        EXPECT_GT( log.calls.end() - firstBegan, count / 4 );
        EXPECT_TRUE( std::is_sorted( log.calls.begin(), log.calls.end() ) ) << count;
        rig.cullet->getOverlappingPairCache()->setInternalGhostPairCallback( nullptr );
    }
}
