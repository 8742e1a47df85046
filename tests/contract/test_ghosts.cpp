// SPDX-License-Identifier: Zlib
// What a ghost callback is told about the pair set, and what ghost objects know of it: CT-27.
#include "contestants.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"

#include <algorithm>
#include <iterator>

using namespace test;

/// Whoever counts along has the set at every moment, also between updates.
TEST_P( Contract, CT27_WhoCountsAlongHasTheSet )
{
    GhostWitness ghost;
    Arena arena( GetParam(), 27, spreadFor( 200 ) );
    arena.cache().setInternalGhostPairCallback( &ghost );
    arena.bodies.createRandom( 200 );
    for ( int step = 0; step < 40; ++step )
    {
        arena.bodies.update();
        ASSERT_TRUE( arena.holdsExpectedPairs() );
        for ( int i = 0; i < 30; ++i )
        {
            arena.bodies.randomOperation();
            const std::vector<IdPair> pairs = arena.pairs();
            ASSERT_EQ( std::set<IdPair>( pairs.begin(), pairs.end() ), ghost.pairs );
        }
    }
}

namespace
{
/// Notes the pairs that it is told of.
class TouchWitness : public GhostWitness
{
public:
    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        touched.push_back( test::idsOf( btBroadphasePair( *proxy0, *proxy1 ) ) );
        return GhostWitness::addOverlappingPair( proxy0, proxy1 );
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override
    {
        touched.push_back( test::idsOf( btBroadphasePair( *proxy0, *proxy1 ) ) );
        return GhostWitness::removeOverlappingPair( proxy0, proxy1, dispatcher );
    }

    std::vector<IdPair> touched;
};

std::vector<IdPair> difference( const std::vector<IdPair>& a, const std::vector<IdPair>& b )
{
    std::vector<IdPair> result;
    std::set_difference( a.begin(), a.end(), b.begin(), b.end(), std::back_inserter( result ) );
    return result;
}
} // namespace

/// The callback sees what began and what ended, each once, and nothing of what stays. What moves pairs only with what
/// stays where it is, so that nothing begins and ends again between two updates.
TEST_P( Contract, CT27_CallsAreTheDifferenceOfTheSets )
{
    TouchWitness ghost;
    Arena arena( GetParam(), 28, spreadFor( 300 ) );
    for ( int i = 0; i < 300; ++i )
    {
        const bool moves = i % 2 == 1;
        arena.bodies.create( arena.bodies.randomBox(), moves ? 2 : 1, moves ? ~2 : -1 );
    }
    arena.bodies.update();
    std::vector<IdPair> before = arena.bodies.expectedPairs();
    ghost.pairs.insert( before.begin(), before.end() );
    arena.cache().setInternalGhostPairCallback( &ghost );
    for ( int step = 0; step < 10; ++step )
    {
        ghost.touched.clear();
        const btVector3 drift( btScalar( 0.05 ), 0, 0 );
        for ( size_t i = 1; i < arena.bodies.size(); i += 2 )
        {
            Body& body = arena.bodies.at( i );
            arena.bodies.move( body, { body.box.lower + drift, body.box.upper + drift } );
        }
        arena.bodies.update();
        const std::vector<IdPair> after = arena.bodies.expectedPairs();
        std::vector<IdPair> changed = difference( before, after );
        const std::vector<IdPair> began = difference( after, before );
        changed.insert( changed.end(), began.begin(), began.end() );
        std::sort( changed.begin(), changed.end() );
        std::sort( ghost.touched.begin(), ghost.touched.end() );
        ASSERT_FALSE( changed.empty() );
        ASSERT_TRUE( samePairs( changed, ghost.touched ) ) << "step " << step;
        before = after;
    }
}

namespace
{
/// Spheres, every third a ghost, that fly about in a world.
class Flock
{
public:
    explicit Flock( const RigKind& kind ) : m_physics( kind ), m_shape( btScalar( 0.5 ) )
    {
        m_physics.world.getPairCache()->setInternalGhostPairCallback( &m_callback );
        for ( int i = 0; i < 60; ++i )
        {
            m_objects.emplace_back( i % 3 == 0 ? new btGhostObject : new btCollisionObject );
            m_objects.back()->setCollisionShape( &m_shape );
            place( *m_objects.back() );
            m_physics.world.addCollisionObject( m_objects.back().get(), 1, -1 );
        }
    }

    ~Flock()
    {
        for ( const std::unique_ptr<btCollisionObject>& object : m_objects )
        {
            m_physics.world.removeCollisionObject( object.get() );
        }
    }

    void moveAll()
    {
        for ( const std::unique_ptr<btCollisionObject>& object : m_objects )
        {
            place( *object );
        }
        m_physics.world.performDiscreteCollisionDetection();
    }

    /// What a ghost knows, in the order of the flock, and what it should know by the boxes.
    void expectNeighbours() const
    {
        for ( size_t i = 0; i < m_objects.size(); i += 3 )
        {
            const btAlignedObjectArray<btCollisionObject*>& list =
                static_cast<btGhostObject*>( m_objects[i].get() )->getOverlappingPairs();
            std::vector<size_t> expected, actual;
            for ( size_t k = 0; k < m_objects.size(); ++k )
            {
                if ( k != i && meet( *m_objects[i], *m_objects[k] ) )
                {
                    expected.push_back( k );
                }
                if ( list.findLinearSearch( m_objects[k].get() ) < list.size() )
                {
                    actual.push_back( k );
                }
            }
            ASSERT_EQ( expected, actual ) << "ghost " << i;
            ASSERT_EQ( expected.size(), size_t( list.size() ) );
        }
    }

private:
    void place( btCollisionObject& object )
    {
        const btVector3 origin( btScalar( m_random.between( -2, 2 ) ), btScalar( m_random.between( -2, 2 ) ),
                                btScalar( m_random.between( -2, 2 ) ) );
        object.setWorldTransform( btTransform( btQuaternion::getIdentity(), origin ) );
    }

    static bool meet( const btCollisionObject& a, const btCollisionObject& b )
    {
        const btBroadphaseProxy &p = *a.getBroadphaseHandle(), &q = *b.getBroadphaseHandle();
        return overlap( { p.m_aabbMin, p.m_aabbMax }, { q.m_aabbMin, q.m_aabbMax } );
    }

    Physics m_physics;
    btSphereShape m_shape;
    btGhostPairCallback m_callback;
    Random m_random{ 27 };
    std::vector<std::unique_ptr<btCollisionObject>> m_objects;
};
} // namespace

/// Ghost beside ghost included.
TEST_P( Contract, CT27_GhostsKnowWhomTheirBoxesMeet )
{
    Flock flock( GetParam() );
    for ( int step = 0; step < 50 && !HasFatalFailure(); ++step )
    {
        flock.moveAll();
        flock.expectNeighbours();
    }
}
