// SPDX-License-Identifier: Zlib
// Applications create and destroy bodies in every callback during a step, as Bullet's FractureDemo does: CT-22.
#include "contestants.h"
#include "scenes.h"

using namespace test;

namespace
{
/// The callbacks during a step.
enum Moment
{
    preTick,
    postTick,
    action,
    solver, ///< after solving, while pairs and manifolds of the step are still in use
    momentCount
};

/// Calls `act` in one of the callbacks of every step.
class HookedWorld : public btDiscreteDynamicsWorld, public btActionInterface
{
public:
    HookedWorld( Moment moment, btDispatcher* dispatcher, btBroadphaseInterface* broadphase, btConstraintSolver* solver,
                 btCollisionConfiguration* configuration )
        : btDiscreteDynamicsWorld( dispatcher, broadphase, solver, configuration ), m_moment( moment )
    {
        setInternalTickCallback( onTick<preTick>, this, true );
        setInternalTickCallback( onTick<postTick>, this, false );
        addAction( this );
    }

    void updateAction( btCollisionWorld*, btScalar ) override
    {
        actAt( action );
    }

    void debugDraw( btIDebugDraw* ) override
    {
    }

    std::function<void()> act;

protected:
    void solveConstraints( btContactSolverInfo& info ) override
    {
        btDiscreteDynamicsWorld::solveConstraints( info );
        actAt( solver );
    }

private:
    template <Moment moment>
    static void onTick( btDynamicsWorld* world, btScalar )
    {
        static_cast<HookedWorld*>( world )->actAt( moment );
    }

    void actAt( Moment moment )
    {
        if ( moment == m_moment )
        {
            act();
        }
    }

    const Moment m_moment;
};

} // namespace

/// In each step the oldest body is deleted, and a new one is created in its place.
TEST_P( Contract, CT22_BodiesMayBeReplacedDuringAStep )
{
    for ( int moment = 0; moment < momentCount; ++moment )
    {
        SCOPED_TRACE( testing::Message() << "moment " << moment );
        BulletWorld scene( makeRig( GetParam() ),
                           [moment]( auto... parts ) { return new HookedWorld( Moment( moment ), parts... ); } );
        addFloor( scene );
        btBoxShape& box = scene.shape<btBoxShape>( btVector3( 1, 1, 1 ) / 2 );
        for ( int i = 0; i < 20; ++i )
        {
            scene.add( 1, box, at( btScalar( i ) * btScalar( 0.8 ), btScalar( 0.6 ), 0 ) );
        }
        int replacedCount = 0;
        static_cast<HookedWorld&>( scene.world() ).act = [&]
        {
            btRigidBody& oldest = *scene.dynamicBodies().front();
            const btScalar x = oldest.getWorldTransform().getOrigin().x();
            scene.remove( oldest );
            scene.add( 1, box, at( x, btScalar( 0.6 ), 0 ) );
            ++replacedCount;
        };
        for ( int step = 0; step < 120; ++step )
        {
            scene.step();
            ASSERT_GT( scene.lowestHeight(), 0 ) << "step " << step << ": a body without pairs falls through the floor";
        }
        EXPECT_EQ( 120, replacedCount );
        EXPECT_GE( scene.dispatcher().getNumManifolds(), 19 ) << "all but the newest body lie on the floor";
        scene.removeAll();
        EXPECT_EQ( 0, scene.cache().getNumOverlappingPairs() );
        EXPECT_EQ( 0, scene.dispatcher().getNumManifolds() );
    }
}
