// SPDX-License-Identifier: Zlib
// Bodies that come and go in the middle of a step, from everywhere where Bullet lets users in: CT-22.
#include "contestants.h"

#include <algorithm>

using namespace test;

namespace
{
/// When the world of this test replaces a body.
enum class Moment
{
    preTick,
    postTick,
    action,
    solver ///< after the constraints were solved, as Bullet's fracture demo does
};

/// Boxes on a floor. At a given moment of every step the oldest is deleted and a new one dropped in its place.
class ReplacingWorld : public btDiscreteDynamicsWorld, public btActionInterface
{
public:
    ReplacingWorld( Moment moment, btDispatcher& dispatcher, btBroadphaseInterface& broadphase,
                    btConstraintSolver& solver, btCollisionConfiguration& configuration )
        : btDiscreteDynamicsWorld( &dispatcher, &broadphase, &solver, &configuration ), m_moment( moment ),
          m_floorShape( btVector3( 20, 1, 20 ) ),
          m_boxShape( btVector3( btScalar( 0.5 ), btScalar( 0.5 ), btScalar( 0.5 ) ) ),
          m_floor( 0, nullptr, &m_floorShape )
    {
        m_floor.setWorldTransform( btTransform( btQuaternion::getIdentity(), btVector3( 0, -1, 0 ) ) );
        addRigidBody( &m_floor );
        for ( int i = 0; i < bodyCount; ++i )
        {
            drop( btScalar( i ) * btScalar( 0.8 ) );
        }
        setInternalTickCallback( onPreTick, this, true );
        setInternalTickCallback( onPostTick, this, false );
        addAction( this );
    }

    ~ReplacingWorld() override
    {
        removeAction( this );
        while ( !m_bodies.empty() )
        {
            removeOldest();
        }
        removeRigidBody( &m_floor );
    }

    void updateAction( btCollisionWorld*, btScalar ) override
    {
        replaceAt( Moment::action );
    }

    void debugDraw( btIDebugDraw* ) override
    {
    }

    /// A body that met nothing would have fallen for a second by now.
    bool allAboveTheFloor() const
    {
        return std::all_of( m_bodies.begin(), m_bodies.end(),
                            []( const std::unique_ptr<btRigidBody>& body )
                            { return body->getWorldTransform().getOrigin().y() > 0; } );
    }

    static constexpr int bodyCount = 20;
    int replacedCount = 0;

protected:
    void solveConstraints( btContactSolverInfo& info ) override
    {
        btDiscreteDynamicsWorld::solveConstraints( info );
        replaceAt( Moment::solver );
    }

private:
    static void onPreTick( btDynamicsWorld* world, btScalar )
    {
        static_cast<ReplacingWorld*>( world )->replaceAt( Moment::preTick );
    }

    static void onPostTick( btDynamicsWorld* world, btScalar )
    {
        static_cast<ReplacingWorld*>( world )->replaceAt( Moment::postTick );
    }

    void replaceAt( Moment moment )
    {
        if ( moment == m_moment )
        {
            const btScalar x = m_bodies.front()->getWorldTransform().getOrigin().x();
            removeOldest();
            drop( x );
            ++replacedCount;
        }
    }

    void removeOldest()
    {
        removeRigidBody( m_bodies.front().get() );
        m_bodies.erase( m_bodies.begin() ); // deleted at once
    }

    void drop( btScalar x )
    {
        m_bodies.emplace_back( new btRigidBody( 1, nullptr, &m_boxShape, btVector3( 1, 1, 1 ) ) );
        m_bodies.back()->setWorldTransform(
            btTransform( btQuaternion::getIdentity(), btVector3( x, btScalar( 0.6 ), 0 ) ) );
        addRigidBody( m_bodies.back().get() );
    }

    const Moment m_moment;
    btBoxShape m_floorShape, m_boxShape;
    btRigidBody m_floor;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
};
} // namespace

static void replaceAtEachStep( const RigKind& kind, Moment moment )
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    const Rig rig = makeRig( kind );
    btSequentialImpulseConstraintSolver solver;
    {
        ReplacingWorld world( moment, dispatcher, *rig.broadphase, solver, configuration );
        for ( int step = 0; step < 120; ++step )
        {
            world.stepSimulation( btScalar( 1 ) / 60, 0 );
            ASSERT_TRUE( world.allAboveTheFloor() ) << "step " << step;
        }
        EXPECT_EQ( 120, world.replacedCount );
        EXPECT_GE( dispatcher.getNumManifolds(), ReplacingWorld::bodyCount - 1 )
            << "all but the newest lie on the floor";
    }
    EXPECT_EQ( 0, rig.cache().getNumOverlappingPairs() );
    EXPECT_EQ( 0, dispatcher.getNumManifolds() );
}

TEST_P( Contract, CT22_ReplacedBeforeTheStep )
{
    replaceAtEachStep( GetParam(), Moment::preTick );
}

TEST_P( Contract, CT22_ReplacedAfterTheStep )
{
    replaceAtEachStep( GetParam(), Moment::postTick );
}

TEST_P( Contract, CT22_ReplacedInAnAction )
{
    replaceAtEachStep( GetParam(), Moment::action );
}

TEST_P( Contract, CT22_ReplacedInTheSolver )
{
    replaceAtEachStep( GetParam(), Moment::solver );
}
