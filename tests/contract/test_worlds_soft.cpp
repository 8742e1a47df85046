// SPDX-License-Identifier: Zlib
// Soft and deformable bodies, whose boxes come from everywhere: from their construction before anybody added them, from
// the prediction before updateAabbs, from transforming them afterwards. CT-51, and SoftDemo of CT-49.
#include "contestants.h"

#include "BulletSoftBody/btDeformableBackwardEulerObjective.h"
#include "BulletSoftBody/btDeformableBodySolver.h"
#include "BulletSoftBody/btDeformableMultiBodyConstraintSolver.h"
#include "BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h"
#include "BulletSoftBody/btSoftBodyHelpers.h"
#include "BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h"
#include "BulletSoftBody/btSoftRigidDynamicsWorld.h"

using namespace test;

static const btScalar timeStep = btScalar( 1 ) / 60;

class SoftWorld
{
public:
    explicit SoftWorld( const RigKind& kind )
        : m_dispatcher( &m_configuration ), m_rig( makeRig( kind ) ),
          m_world( &m_dispatcher, m_rig.broadphase.get(), &m_solver, &m_configuration ),
          m_shape( btVector3( 1, 1, 1 ) / 2 )
    {
        m_world.getWorldInfo().m_gravity = m_world.getGravity();
    }

    ~SoftWorld()
    {
        for ( btRigidBody* body : m_rigid )
        {
            m_world.removeRigidBody( body );
            delete body;
        }
        for ( btSoftBody* body : m_soft )
        {
            m_world.removeSoftBody( body );
            delete body;
        }
    }

    btSoftRigidDynamicsWorld& world()
    {
        return m_world;
    }

    const Rig& rig() const
    {
        return m_rig;
    }

    btSoftBody& add( btSoftBody* body )
    {
        m_soft.push_back( body );
        m_world.addSoftBody( body );
        return *body;
    }

    /// Hangs by its four corners at height 0.
    btSoftBody* cloth()
    {
        btSoftBody* body =
            btSoftBodyHelpers::CreatePatch( m_world.getWorldInfo(), btVector3( -2, 0, -2 ), btVector3( 2, 0, -2 ),
                                            btVector3( -2, 0, 2 ), btVector3( 2, 0, 2 ), 13, 13, 15, true );
        body->setTotalMass( 1 );
        return body;
    }

    btRigidBody& addBox( btScalar mass, const btVector3& place )
    {
        btVector3 inertia;
        m_shape.calculateLocalInertia( mass, inertia );
        m_rigid.push_back( new btRigidBody( mass, nullptr, &m_shape, inertia ) );
        m_rigid.back()->setWorldTransform( btTransform( btQuaternion::getIdentity(), place ) );
        m_world.addRigidBody( m_rigid.back() );
        return *m_rigid.back();
    }

private:
    btSoftBodyRigidBodyCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    Rig m_rig;
    btSequentialImpulseConstraintSolver m_solver;
    btSoftRigidDynamicsWorld m_world;
    btBoxShape m_shape;
    std::vector<btRigidBody*> m_rigid;
    std::vector<btSoftBody*> m_soft;
};

/// Bullet hands the world's broadphase to soft bodies by this pointer, and they call setAabb on it themselves.
static void expectOwnBox( SoftWorld& soft, btSoftBody& body )
{
    btVector3 lower, upper;
    soft.rig().broadphase->getAabb( body.getBroadphaseHandle(), lower, upper );
    for ( int i = 0; i < body.m_nodes.size(); ++i )
    {
        const btVector3& node = body.m_nodes[i].m_x;
        for ( int axis = 0; axis < 3; ++axis )
        {
            ASSERT_LE( lower[axis], node[axis] ) << "node " << i;
            ASSERT_GE( upper[axis], node[axis] ) << "node " << i;
        }
    }
}

TEST_P( Contract, CT51_ClothCatchesABox )
{
    SoftWorld soft( GetParam() );
    ASSERT_EQ( soft.rig().broadphase.get(), soft.world().getWorldInfo().m_broadphase );
    soft.add( soft.cloth() );
    btRigidBody& box = soft.addBox( btScalar( 0.3 ), btVector3( 0, 3, 0 ) );
    bool met = false;
    for ( int step = 0; step < 600; ++step )
    {
        soft.world().stepSimulation( timeStep, 0 );
        met = met || soft.world().getPairCache()->getNumOverlappingPairs() > 0;
    }
    EXPECT_TRUE( met );
    EXPECT_GT( box.getWorldTransform().getOrigin().y(), -3 ) << "the cloth holds it; it would have fallen 490 units";
}

TEST_P( Contract, CT51_BoxesSetBeforeAddedAndAfterTransformed )
{
    SoftWorld soft( GetParam() );
    btSoftBody* cloth = soft.cloth(); // sets its bounds, but has no proxy yet
    cloth->transform( btTransform( btQuaternion::getIdentity(), btVector3( 10, 0, 0 ) ) );
    EXPECT_EQ( nullptr, cloth->getBroadphaseHandle() );
    soft.add( cloth );
    expectOwnBox( soft, *cloth );

    cloth->transform( btTransform( btQuaternion::getIdentity(), btVector3( 0, 7, 0 ) ) );
    expectOwnBox( soft, *cloth );
    cloth->scale( btVector3( 1, 1, 1 ) * btScalar( 0.5 ) );
    expectOwnBox( soft, *cloth );
    soft.world().computeOverlappingPairs();

    const btVector3 above( 5, 8, 0 ), below( 5, -8, 0 ); // where scaling about the origin has taken its middle
    btCollisionWorld::ClosestRayResultCallback hit( above, below );
    soft.world().rayTest( above, below, hit );
    EXPECT_EQ( cloth, hit.m_collisionObject ) << "without a step in between";
}

TEST_P( Contract, CT51_PredictionReachesTheBroadphaseBeforeThePairs )
{
    SoftWorld soft( GetParam() );
    btSoftBody& rope = soft.add( btSoftBodyHelpers::CreateRope( soft.world().getWorldInfo(), btVector3( 0, 0, 0 ),
                                                                btVector3( 3, 0, 0 ), 8, 1 ) );
    soft.world().setForceUpdateAllAabbs( false );
    for ( int step = 0; step < 120; ++step )
    {
        soft.world().stepSimulation( timeStep, 0 );
        expectOwnBox( soft, rope );
    }
    EXPECT_LT( rope.m_nodes[rope.m_nodes.size() - 1].m_x.y(), btScalar( -0.5 ) ) << "the rope hangs";
}

TEST_P( Contract, CT51_RaysAgainstSoftBodies )
{
    SoftWorld soft( GetParam() );
    btSoftBody& cloth = soft.add( soft.cloth() );
    for ( int step = 0; step < 60; ++step )
    {
        soft.world().stepSimulation( timeStep, 0 );
        for ( btScalar x = btScalar( -1.5 ); x < 2; x += btScalar( 0.5 ) )
        {
            const btVector3 from( x, 10, btScalar( 0.1 ) ), to( x, -10, btScalar( 0.1 ) );
            btCollisionWorld::ClosestRayResultCallback hit( from, to );
            soft.world().rayTest( from, to, hit );
            btSoftBody::sRayCast direct;
            ASSERT_TRUE( cloth.rayTest( from, to, direct ) );
            ASSERT_EQ( &cloth, hit.m_collisionObject ) << "step " << step;
        }
    }
}

/// A deformable block falls on the floor and rests there.
TEST_P( Contract, CT51_DeformableWorld )
{
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    const Rig rig = makeRig( GetParam() );
    btDeformableBodySolver deformable;
    btDeformableMultiBodyConstraintSolver solver;
    solver.setDeformableSolver( &deformable );
    btDeformableMultiBodyDynamicsWorld world( &dispatcher, rig.broadphase.get(), &solver, &configuration, &deformable );
    const btVector3 gravity( 0, -10, 0 );
    world.setGravity( gravity );
    world.getWorldInfo().m_gravity = gravity;
    world.getWorldInfo().m_sparsesdf.setDefaultVoxelsz( btScalar( 0.25 ) );
    world.getWorldInfo().m_sparsesdf.Reset();

    btBoxShape floorShape( btVector3( 20, 1, 20 ) );
    btRigidBody floor( 0, nullptr, &floorShape );
    floor.setWorldTransform( btTransform( btQuaternion::getIdentity(), btVector3( 0, -1, 0 ) ) );
    world.addRigidBody( &floor );

    btSoftBody* patch =
        btSoftBodyHelpers::CreatePatch( world.getWorldInfo(), btVector3( -2, 2, -2 ), btVector3( 2, 2, -2 ),
                                        btVector3( -2, 2, 2 ), btVector3( 2, 2, 2 ), 10, 10, 0, true );
    patch->setTotalMass( 1 );
    patch->m_cfg.collisions = btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDN;
    patch->m_cfg.kCHR = 1;
    patch->getCollisionShape()->setMargin( btScalar( 0.1 ) );
    world.addSoftBody( patch );
    btDeformableGravityForce gravityForce( gravity );
    world.addForce( patch, &gravityForce );
    btDeformableMassSpringForce springs( 30, 1, true );
    world.addForce( patch, &springs );
    for ( int step = 0; step < 150; ++step )
    {
        world.stepSimulation( timeStep, 1, timeStep );
    }
    btVector3 lower, upper;
    patch->getAabb( lower, upper );
    EXPECT_GT( lower.y(), btScalar( -0.5 ) ) << "fell through";
    EXPECT_LT( lower.y(), 1 ) << "has fallen";
    world.removeForce( patch, &gravityForce );
    world.removeForce( patch, &springs );
    world.removeSoftBody( patch );
    delete patch;
    world.removeRigidBody( &floor );
}
