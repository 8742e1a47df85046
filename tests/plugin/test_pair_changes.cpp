// SPDX-License-Identifier: Zlib
// What the core hears of boxes that are set, nothing where the box is the old one, and in which order its changes come
// out.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace test;

TEST( PairChanges, UnchangedBoxesNeverReachTheCore )
{
    const Rig rig = makeRig( culletAuto );
    Bodies bodies( *rig.broadphase, 8, spreadFor( 200 ) );
    bodies.createRandom( 200 );
    bodies.update();
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        Box same = bodies.at( i ).box;
        same.lower[3] = btScalar( i ); // the fourth lane of a btVector3 means nothing
        bodies.move( bodies.at( i ), same );
    }
    bodies.update();
    cltStats stats;
    ASSERT_EQ( clt_ok, cltBroadphase_GetStats( rig.cullet->getCore(), &stats ) );
    EXPECT_EQ( 0u, stats.changedCount );
}

namespace
{
/// Notes the pairs that come and go, in the order in which it is told.
class OrderLog : public btOverlappingPairCallback
{
public:
    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        added.push_back( { proxy0->m_uniqueId, proxy1->m_uniqueId } );
        return nullptr;
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, btDispatcher* ) override
    {
        removed.push_back( { proxy0->m_uniqueId, proxy1->m_uniqueId } );
        return nullptr;
    }

    void removeOverlappingPairsContainingProxy( btBroadphaseProxy*, btDispatcher* ) override
    {
    }

    std::vector<std::pair<int, int>> added, removed;
};
} // namespace

/// Few changes and many are sorted in different ways.
TEST( PairChanges, ComeInTheOrderOfUidsWhateverTheSlots )
{
    for ( int count : { 60, 3000 } )
    {
        const Rig rig = makeRig( culletAuto );
        Bodies bodies( *rig.broadphase, 9, spreadFor( count ) );
        bodies.createRandom( count );
        bodies.update();
        for ( int i = 0; i < count / 2; ++i ) // their slots go to others
        {
            bodies.destroy( size_t( i ) );
        }
        bodies.update();
        bodies.createRandom( count / 2 );
        bodies.update();

        OrderLog log;
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
        EXPECT_GT( log.added.size(), size_t( count / 4 ) );
        EXPECT_GT( log.removed.size(), size_t( count / 4 ) );
        EXPECT_TRUE( std::is_sorted( log.added.begin(), log.added.end() ) ) << count;
        EXPECT_TRUE( std::is_sorted( log.removed.begin(), log.removed.end() ) ) << count;
        rig.cullet->getOverlappingPairCache()->setInternalGhostPairCallback( nullptr );
    }
}
