// SPDX-License-Identifier: Zlib
// Worlds that end up in the same place to the last bit: CT-47.
#include "contestants.h"
#include "scenes.h"

using namespace test;

static const Scene scenes[] = { { "stacks", buildStacks },   { "wall", buildWall },   { "tower", buildTower },
                                { "pyramid", buildPyramid }, { "hulls", buildHulls }, { "hull pack", buildHullPack } };

/// Where everything is. Bodies were added in the same order everywhere.
static std::vector<btScalar> stateOf( BulletWorld& world )
{
    std::vector<btScalar> state;
    for ( const auto& body : world.bodies() )
    {
        const btTransform& transform = body->getWorldTransform();
        for ( int axis = 0; axis < 3; ++axis )
        {
            state.push_back( transform.getOrigin()[axis] );
            state.push_back( body->getLinearVelocity()[axis] );
            for ( int row = 0; row < 3; ++row )
            {
                state.push_back( transform.getBasis()[row][axis] );
            }
        }
        state.push_back( btScalar( body->getActivationState() ) );
    }
    return state;
}

static void expectSameLives( const RigKind& kindA, const RigKind& kindB, bool sortPairs )
{
    for ( const Scene& scene : scenes )
    {
        SCOPED_TRACE( scene.name );
        const Rig rigA = makeRig( kindA ), rigB = makeRig( kindB );
        BulletWorld a( *rigA.broadphase ), b( *rigB.broadphase );
        a.world().getDispatchInfo().m_deterministicOverlappingPairs = sortPairs;
        b.world().getDispatchInfo().m_deterministicOverlappingPairs = sortPairs;
        scene.build( a );
        scene.build( b );
        for ( int step = 0; step < 300; ++step )
        {
            a.step();
            b.step();
            ASSERT_EQ( stateOf( a ), stateOf( b ) ) << "step " << step;
        }
    }
}

/// btSimpleBroadphase holds the exact pairs, and its uids are in creation order too.
TEST_P( Contract, CT47_SameBitsAsAnExactBroadphaseWhenPairsAreSorted )
{
    expectSameLives( GetParam(), bulletSimple, true );
}

TEST_P( Contract, CT47_SameBitsInTwoRuns )
{
    RigKind other = GetParam();
    other.algorithm = clt_algorithmAuto;
    other.threadCount = 3;
    expectSameLives( GetParam(), other, false );
}

// Bullet's near callback is a plain function without a context, so what it notes is global.
static std::vector<std::pair<int, int>> dispatched;

static void noteAndCollide( btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info )
{
    dispatched.emplace_back( pair.m_pProxy0->m_uniqueId, pair.m_pProxy1->m_uniqueId );
    btCollisionDispatcher::defaultNearCallback( pair, dispatcher, info );
}

TEST_P( Contract, CT47_SortedPairsAreDispatchedInDescendingOrder )
{
    const Rig rig = makeRig( GetParam() );
    BulletWorld heap( *rig.broadphase );
    heap.world().getDispatchInfo().m_deterministicOverlappingPairs = true;
    heap.dispatcher().setNearCallback( noteAndCollide );
    buildBoxHeap( heap );
    size_t most = 0;
    for ( int step = 0; step < 120; ++step )
    {
        dispatched.clear();
        heap.step();
        ASSERT_TRUE( std::is_sorted( dispatched.rbegin(), dispatched.rend() ) ) << "step " << step;
        most = std::max( most, dispatched.size() );
    }
    EXPECT_GT( most, 100u );
}
