// SPDX-License-Identifier: Zlib
// The same calls give the same pair array, with any algorithm and number of threads: CT-46. The order of the array
// determines the order of the solver, and so the positions of bodies: states of worlds are the same to the last bit,
// CT-47.
#include "contestants.h"
#include "scenes.h"

#include <map>
#include <string>

using namespace test;

using Read = std::vector<IdPair> ( * )( const btOverlappingPairCache& );

/// The pair arrays of twelve updates with random operations in between.
static std::vector<IdPair> recordPairs( Arena& arena, Read read )
{
    std::vector<IdPair> record;
    arena.bodies.createRandom( 600 );
    for ( int step = 0; step < 12; ++step )
    {
        arena.bodies.update();
        const std::vector<IdPair> array = read( arena.cache );
        record.insert( record.end(), array.begin(), array.end() );
        arena.bodies.runRandomOperations( 100 );
    }
    arena.bodies.destroyAll();
    return record;
}

static std::vector<IdPair> recordPairs( const RigKind& kind, Read read )
{
    Arena arena( kind, 46, 6 );
    return recordPairs( arena, read );
}

/// Arrays are compared between runs with the same kind of cache. With a given cache the order may differ from that of
/// cullet's own cache, in which pairs that begin take the places of pairs that ended.
TEST_P( Contract, CT46_PairArrayIsTheSameForEachThreadCountAndAlgorithm )
{
    RigKind kind = GetParam();
    kind.algorithm = clt_algorithmLbvh;
    kind.threadCount = 1;
    const std::vector<IdPair> reference = recordPairs( kind, arrayOf );
    ASSERT_GT( reference.size(), 1000u );
    for ( int threadCount : { 1, 2, 3, 8 } )
    {
        kind = GetParam();
        kind.threadCount = threadCount;
        ASSERT_EQ( reference, recordPairs( kind, arrayOf ) ) << threadCount << " threads";
    }
    if ( kind.engine == Engine::cullet )
    {
        const std::vector<IdPair> own = recordPairs( kind, pairsOf );
        kind.engine = Engine::culletHashed;
        ASSERT_EQ( own, recordPairs( kind, pairsOf ) );
    }
}

TEST_P( Contract, CT46_PairArrayIsTheSameAfterResetPool )
{
    Arena arena( GetParam(), 47, 6 );
    const std::vector<IdPair> first = recordPairs( arena, arrayOf );
    arena.broadphase.resetPool( nullptr );
    arena.bodies = Bodies( arena.broadphase, 47, 6 );
    EXPECT_EQ( first, recordPairs( arena, arrayOf ) );
}

/// The states of all dynamic bodies after each of 300 steps, with sorted pairs.
static std::vector<btScalar> recordStates( const RigKind& kind, const Scene& scene )
{
    BulletWorld world( makeRig( kind ) );
    world.world().getDispatchInfo().m_deterministicOverlappingPairs = true;
    scene.build( world );
    std::vector<btScalar> states;
    for ( int step = 0; step < 300; ++step )
    {
        world.step();
        for ( const btRigidBody* body : world.dynamicBodies() )
        {
            const btMatrix3x3& basis = body->getWorldTransform().getBasis();
            for ( const btVector3& part :
                  { body->getWorldTransform().getOrigin(), basis[0], basis[1], basis[2], body->getLinearVelocity() } )
            {
                states.insert( states.end(), part.m_floats, part.m_floats + 3 );
            }
            states.push_back( btScalar( body->getActivationState() ) );
        }
    }
    return states;
}

/// The reference is btSimpleBroadphase: it holds the exact pairs, and its uids are in creation order.
TEST_P( Contract, CT47_StatesEqualAnExactBroadphaseIfPairsAreSorted )
{
    static std::map<std::string, std::vector<btScalar>> references; // recorded once for all contestants
    for ( const Scene& scene :
          { Scene{ "stacks", buildStacks }, Scene{ "wall", buildWall }, Scene{ "hull pack", buildHullPack } } )
    {
        std::vector<btScalar>& reference = references[scene.name];
        if ( reference.empty() )
        {
            reference = recordStates( bulletSimple, scene );
        }
        ASSERT_TRUE( reference == recordStates( GetParam(), scene ) ) << scene.name;
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
