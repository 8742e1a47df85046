// SPDX-License-Identifier: Zlib
// Bullet's multithreaded world: threads dispatch pairs, solve islands and cast the rays of fast bodies in parallel.
#include "contestants.h"
#include "scenes.h"

#include "BulletCollision/CollisionDispatch/btCollisionDispatcherMt.h"
#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolverMt.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h"
#include "LinearMath/btThreads.h"

using namespace test;

/// Bullet expects one scheduler per process, set before the first multithreaded world.
static void useThreads()
{
    static const std::unique_ptr<btITaskScheduler> scheduler( btCreateDefaultTaskScheduler() );
    ASSERT_TRUE( scheduler ) << "Bullet is not built with BT_THREADSAFE";
    scheduler->setNumThreads( 4 );
    btSetTaskScheduler( scheduler.get() );
}

/// The dispatcher and the solvers of a multithreaded world.
struct MtParts
{
    explicit MtParts( btCollisionConfiguration* configuration ) : dispatcher( configuration, 10 )
    {
    }

    btCollisionDispatcherMt dispatcher;
    btConstraintSolverPoolMt solvers{ 4 };
    btSequentialImpulseConstraintSolverMt solver;
};

static BulletWorld::Maker mtMaker()
{
    return [parts = std::shared_ptr<MtParts>()]( btDispatcher*, btBroadphaseInterface* broadphase, btConstraintSolver*,
                                                 btCollisionConfiguration* configuration ) mutable
    {
        parts.reset( new MtParts( configuration ) );
        return new btDiscreteDynamicsWorldMt( &parts->dispatcher, broadphase, &parts->solvers, &parts->solver,
                                              configuration );
    };
}

/// Adds small fast spheres. Bullet casts their rays on several threads, once before the solver runs and once after it.
static void addBullets( BulletWorld& world )
{
    world.add( 0, world.shape<btBoxShape>( btVector3( 50, 20, 1 ) ), at( 0, 20, -20 ) ); // stops spheres that miss
    btSphereShape& shape = world.shape<btSphereShape>( btScalar( 0.2 ) );
    for ( int i = 0; i < 40; ++i )
    {
        btRigidBody& bullet = world.add( btScalar( 0.5 ), shape, at( btScalar( i % 8 ), btScalar( 1 + i / 8 ), 25 ) );
        bullet.setLinearVelocity( btVector3( 0, 0, -60 ) );
        bullet.setCcdMotionThreshold( btScalar( 0.2 ) );
        bullet.setCcdSweptSphereRadius( btScalar( 0.1 ) );
        bullet.setDamping( btScalar( 0.1 ), btScalar( 0.5 ) );
    }
}

static int contactsAfter( const RigKind& kind, int stepCount )
{
    BulletWorld world( makeRig( kind ), mtMaker() );
    buildBoxHeap( world );
    addBullets( world );
    for ( int step = 0; step < stepCount; ++step )
    {
        world.step();
        // The heap may push a sphere slightly into the floor, on btDbvtBroadphase as well.
        EXPECT_GT( world.lowestHeight(), -1 ) << "step " << step << ": fell through";
    }
    return world.contactCount();
}

TEST_P( Contract, CT50_WorldOfManyThreadsFindsItsContacts )
{
    useThreads();
    const int stepCount = 120;
    const int ours = contactsAfter( GetParam(), stepCount );
    static const int dbvts = contactsAfter( bulletDbvt, stepCount );
    EXPECT_GT( ours, 100 );
    EXPECT_NEAR( ours, dbvts, 8 + dbvts / 4 ) << "threads find contacts in any order, so the heaps differ";
}
