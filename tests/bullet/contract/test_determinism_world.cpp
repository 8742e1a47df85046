// SPDX-License-Identifier: Zlib
// Worlds that end up in the same place to the last bit: CT-47.
#include "contestants.h"
#include "scenes.h"

#include <map>
#include <string>

using namespace test;

static const Scene scenes[] = { { "stacks", buildStacks },   { "wall", buildWall },   { "tower", buildTower },
                                { "pyramid", buildPyramid }, { "hulls", buildHulls }, { "hull pack", buildHullPack } };

/// Where everything that moves is. Bodies were added in the same order everywhere.
static void append( std::vector<btScalar>& states, const BulletWorld& world )
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

/// The states of 300 steps, one after the other.
static std::vector<btScalar> live( const RigKind& kind, const Scene& scene, bool sortPairs )
{
    BulletWorld world( makeRig( kind ) );
    world.world().getDispatchInfo().m_deterministicOverlappingPairs = sortPairs;
    scene.build( world );
    std::vector<btScalar> states;
    for ( int step = 0; step < 300; ++step )
    {
        world.step();
        append( states, world );
    }
    return states;
}

/// How many of the first numbers agree. The states themselves would be no message.
static size_t agreeing( const std::vector<btScalar>& a, const std::vector<btScalar>& b )
{
    return size_t( std::mismatch( a.begin(), a.end(), b.begin(), b.end() ).first - a.begin() );
}

/// btSimpleBroadphase holds the exact pairs, and its uids are in creation order too.
TEST_P( Contract, CT47_StatesEqualAnExactBroadphasesWhenPairsAreSorted )
{
    static std::map<std::string, std::vector<btScalar>> references; // lived once for all contestants
    for ( const Scene& scene : scenes )
    {
        std::vector<btScalar>& reference = references[scene.name];
        if ( reference.empty() )
        {
            reference = live( bulletSimple, scene, true );
        }
        const std::vector<btScalar> ours = live( GetParam(), scene, true );
        ASSERT_EQ( reference.size(), agreeing( reference, ours ) ) << scene.name;
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
            first = live( other, scene, false );
        }
        ASSERT_EQ( first.size(), agreeing( first, live( GetParam(), scene, false ) ) ) << scene.name;
    }
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
    BulletWorld heap( makeRig( GetParam() ) );
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
