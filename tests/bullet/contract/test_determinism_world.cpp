// SPDX-License-Identifier: Zlib
// States of worlds are the same to the last bit: CT-47.
#include "contestants.h"
#include "scenes.h"

#include <map>
#include <string>

using namespace test;

static const Scene scenes[] = { { "stacks", buildStacks },   { "wall", buildWall },   { "tower", buildTower },
                                { "pyramid", buildPyramid }, { "hulls", buildHulls }, { "hull pack", buildHullPack } };

/// Appends the states of all dynamic bodies, in the order in which they were added.
static void appendStates( std::vector<btScalar>& states, const BulletWorld& world )
{
    for ( const btRigidBody* body : world.dynamicBodies() )
    {
        const btTransform& place = body->getWorldTransform();
        const btMatrix3x3& basis = place.getBasis();
        for ( const btVector3& part : { place.getOrigin(), basis[0], basis[1], basis[2], body->getLinearVelocity() } )
        {
            states.insert( states.end(), part.m_floats, part.m_floats + 3 );
        }
        states.push_back( btScalar( body->getActivationState() ) );
    }
}

/// The states after each of 300 steps.
static std::vector<btScalar> recordStates( const RigKind& kind, const Scene& scene, bool sortPairs )
{
    BulletWorld world( makeRig( kind ) );
    world.world().getDispatchInfo().m_deterministicOverlappingPairs = sortPairs;
    scene.build( world );
    std::vector<btScalar> states;
    for ( int step = 0; step < 300; ++step )
    {
        world.step();
        appendStates( states, world );
    }
    return states;
}

/// The length of the common prefix. The states are too long for a failure message.
static size_t countCommon( const std::vector<btScalar>& a, const std::vector<btScalar>& b )
{
    return size_t( std::mismatch( a.begin(), a.end(), b.begin(), b.end() ).first - a.begin() );
}

/// The reference is btSimpleBroadphase: it holds the exact pairs, and its uids are in creation order.
TEST_P( Contract, CT47_StatesEqualAnExactBroadphasesWhenPairsAreSorted )
{
    static std::map<std::string, std::vector<btScalar>> references; // recorded once for all contestants
    for ( const Scene& scene : scenes )
    {
        std::vector<btScalar>& reference = references[scene.name];
        if ( reference.empty() )
        {
            reference = recordStates( bulletSimple, scene, true );
        }
        const std::vector<btScalar> ours = recordStates( GetParam(), scene, true );
        ASSERT_EQ( reference.size(), countCommon( reference, ours ) ) << scene.name;
    }
}

TEST_P( Contract, CT47_StatesAreTheSameInTwoRuns )
{
    static std::map<std::pair<Engine, std::string>, std::vector<btScalar>> firstRuns;
    RigKind other = GetParam();
    other.algorithm = clt_algorithmAuto;
    other.threadCount = 3;
    for ( const Scene& scene : scenes )
    {
        std::vector<btScalar>& first = firstRuns[{ other.engine, scene.name }];
        if ( first.empty() )
        {
            first = recordStates( other, scene, false );
        }
        ASSERT_EQ( first.size(), countCommon( first, recordStates( GetParam(), scene, false ) ) ) << scene.name;
    }
}

// Global, because Bullet's near callback has no context argument.
static std::vector<std::pair<int, int>> dispatched;

static void recordAndCollide( btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info )
{
    dispatched.emplace_back( pair.m_pProxy0->m_uniqueId, pair.m_pProxy1->m_uniqueId );
    btCollisionDispatcher::defaultNearCallback( pair, dispatcher, info );
}

TEST_P( Contract, CT47_SortedPairsAreDispatchedInDescendingOrder )
{
    BulletWorld heap( makeRig( GetParam() ) );
    heap.world().getDispatchInfo().m_deterministicOverlappingPairs = true;
    heap.dispatcher().setNearCallback( recordAndCollide );
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
