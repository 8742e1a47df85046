// SPDX-License-Identifier: Zlib
// Applications create and destroy bodies in every callback during a step: CT-22, and Bullet's FractureDemo of CT-49.
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

/// A floor, and an action in one of the callbacks of every step.
struct HookedScene : public BulletWorld
{
    HookedScene( const RigKind& kind, Moment moment )
        : BulletWorld( makeRig( kind ), [moment]( auto... parts ) { return new HookedWorld( moment, parts... ); } )
    {
        addFloor( *this );
    }

    void actBy( const std::function<void()>& act )
    {
        static_cast<HookedWorld&>( world() ).act = act;
    }
};
} // namespace

/// In each step the oldest body is deleted, and a new one is created in its place.
TEST_P( Contract, CT22_BodiesMayBeReplacedDuringAStep )
{
    for ( int moment = 0; moment < momentCount; ++moment )
    {
        SCOPED_TRACE( testing::Message() << "moment " << moment );
        HookedScene scene( GetParam(), Moment( moment ) );
        btBoxShape& box = scene.shape<btBoxShape>( btVector3( 1, 1, 1 ) / 2 );
        for ( int i = 0; i < 20; ++i )
        {
            scene.add( 1, box, at( btScalar( i ) * btScalar( 0.8 ), btScalar( 0.6 ), 0 ) );
        }
        int replacedCount = 0;
        const auto replaceOldest = [&]
        {
            btRigidBody& oldest = *scene.dynamicBodies().front();
            const btScalar x = oldest.getWorldTransform().getOrigin().x();
            scene.remove( oldest );
            scene.add( 1, box, at( x, btScalar( 0.6 ), 0 ) );
            ++replacedCount;
        };
        scene.actBy( replaceOldest );
        for ( int step = 0; step < 120; ++step )
        {
            scene.step();
            ASSERT_GT( scene.lowestHeight(), 0 ) << "step " << step << ": a body without pairs falls through the floor";
        }
        EXPECT_EQ( 120, replacedCount );
        EXPECT_GE( scene.dispatcher().getNumManifolds(), 19 ) << "all but the newest body lie on the floor";
        while ( !scene.objects().empty() )
        {
            scene.remove( *scene.objects().front() );
        }
        EXPECT_EQ( 0, scene.cache().getNumOverlappingPairs() );
        EXPECT_EQ( 0, scene.dispatcher().getNumManifolds() );
    }
}

/// Replaces the first whole body that has stopped falling with eight smaller ones. Returns whether there was one.
static bool breakOne( BulletWorld& world, const btCollisionShape& whole, btCollisionShape& piece )
{
    for ( btRigidBody* body : world.dynamicBodies() )
    {
        if ( body->getCollisionShape() == &whole && body->getLinearVelocity().y() > btScalar( -0.1 ) )
        {
            const btTransform place = body->getWorldTransform();
            world.remove( *body );
            for ( int i = 0; i < 8; ++i )
            {
                const btVector3 corner = btVector3( i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1 ) / 2;
                world.add( 1, piece, btTransform( place.getBasis(), place( corner ) ) );
            }
            return true;
        }
    }
    return false;
}

TEST_P( Contract, CT49_FracturedBodiesComeToRest )
{
    HookedScene scene( GetParam(), solver );
    btBoxShape& whole = scene.shape<btBoxShape>( btVector3( 1, 1, 1 ) );
    btBoxShape& piece = scene.shape<btBoxShape>( btVector3( 1, 1, 1 ) * btScalar( 0.45 ) );
    for ( int i = 0; i < 12; ++i )
    {
        scene.add( 8, whole, at( btScalar( i % 4 ) * 3, btScalar( 2 + i / 4 * 3 ), 0 ) );
    }
    int brokenCount = 0;
    scene.actBy( [&] { brokenCount += breakOne( scene, whole, piece ); } );
    for ( int step = 0; step < 600; ++step )
    {
        scene.step();
        ASSERT_GT( scene.lowestHeight(), 0 ) << "step " << step;
    }
    EXPECT_EQ( 12, brokenCount );
    EXPECT_EQ( 1u + 12 * 8, scene.objects().size() );
    EXPECT_GT( scene.contactCount(), 12 * 4 * 3 ) << "at least four pieces of each body lie on the floor";
    EXPECT_LT( scene.highestSpeed(), btScalar( 0.5 ) );
}
