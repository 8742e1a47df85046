// SPDX-License-Identifier: Zlib
// Soft and deformable bodies set their boxes in many places: in the constructor, before they are added; in the
// prediction, before updateAabbs; when they are transformed. CT-51, and SoftDemo of CT-49.
#include "contestants.h"
#include "tests/bullet/support/soft_world.h"

#include "BulletSoftBody/btDeformableBackwardEulerObjective.h"
#include "BulletSoftBody/btDeformableBodySolver.h"
#include "BulletSoftBody/btDeformableMultiBodyConstraintSolver.h"
#include "BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h"

using namespace test;

/// A cloth of edge 4 at height 0, fixed at its four corners.
static btSoftBody* makeCloth( const SoftWorld& world )
{
    return makePatch( world.info(), 2, 0, 13, 15 );
}

/// Expects the body's box in the broadphase to contain all its nodes. Soft bodies call setAabb themselves.
static void expectOwnBox( const SoftWorld& world, btSoftBody& body )
{
    btVector3 lower, upper;
    world.rig().broadphase->getAabb( body.getBroadphaseHandle(), lower, upper );
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

/// The cloth sets its box while it predicts its motion, before pairs are computed. Rays hit the cloth.
TEST_P( Contract, CT51_ClothCatchesABox )
{
    SoftWorld world( GetParam() );
    ASSERT_EQ( world.rig().broadphase.get(), world.info().m_broadphase );
    btSoftBody& cloth = world.addSoft( makeCloth( world ) );
    world.world().setForceUpdateAllAabbs( false );
    const btRigidBody& box =
        world.add( btScalar( 0.3 ), world.shape<btBoxShape>( btVector3( 1, 1, 1 ) / 2 ), at( 0, 3, 0 ) );
    bool met = false;
    for ( int step = 0; step < 600; ++step )
    {
        world.step();
        expectOwnBox( world, cloth );
        met = met || world.cache().getNumOverlappingPairs() > 0;
        const btVector3 from( btScalar( 1.5 ), 10, btScalar( 0.1 ) ), to( btScalar( 1.5 ), -10, btScalar( 0.1 ) );
        btCollisionWorld::ClosestRayResultCallback hit( from, to );
        world.world().rayTest( from, to, hit );
        btSoftBody::sRayCast direct;
        ASSERT_EQ( cloth.rayTest( from, to, direct ), &cloth == hit.m_collisionObject ) << "step " << step;
    }
    EXPECT_TRUE( met );
    EXPECT_GT( box.getWorldTransform().getOrigin().y(), -3 ) << "without the cloth it would fall 490 units";
}

TEST_P( Contract, CT51_BoxesSetBeforeAddedOrByTransformAreUsed )
{
    SoftWorld world( GetParam() );
    btSoftBody* cloth = makeCloth( world ); // computes its bounds, but has no proxy yet
    cloth->transform( btTransform( btQuaternion::getIdentity(), btVector3( 10, 0, 0 ) ) );
    EXPECT_EQ( nullptr, cloth->getBroadphaseHandle() );
    world.addSoft( cloth );
    expectOwnBox( world, *cloth );

    cloth->transform( btTransform( btQuaternion::getIdentity(), btVector3( 0, 7, 0 ) ) );
    expectOwnBox( world, *cloth );
    cloth->scale( btVector3( 1, 1, 1 ) * btScalar( 0.5 ) );
    expectOwnBox( world, *cloth );
    world.world().computeOverlappingPairs();

    const btVector3 above( 5, 8, 0 ), below( 5, -8, 0 ); // scaling about the origin moves its centre here
    btCollisionWorld::ClosestRayResultCallback hit( above, below );
    world.world().rayTest( above, below, hit );
    EXPECT_EQ( cloth, hit.m_collisionObject ) << "without a step in between";
}

/// A deformable block falls on the floor and rests there.
TEST_P( Contract, CT51_DeformableBlockRestsOnTheFloor )
{
    SoftParts parts;
    const Rig rig = makeRig( GetParam() );
    btDeformableBodySolver deformable;
    btDeformableMultiBodyConstraintSolver solver;
    solver.setDeformableSolver( &deformable );
    btDeformableMultiBodyDynamicsWorld world( &parts.dispatcher, rig.broadphase.get(), &solver, &parts.configuration,
                                              &deformable );
    const btVector3 gravity( 0, -10, 0 );
    world.setGravity( gravity );
    world.getWorldInfo().m_gravity = gravity;
    world.getWorldInfo().m_sparsesdf.setDefaultVoxelsz( btScalar( 0.25 ) );
    world.getWorldInfo().m_sparsesdf.Reset();

    btBoxShape floorShape( btVector3( 20, 1, 20 ) );
    btRigidBody floor( 0, nullptr, &floorShape );
    floor.setWorldTransform( at( 0, -1, 0 ) );
    world.addRigidBody( &floor );

    const std::unique_ptr<btSoftBody> patch( makePatch( world.getWorldInfo(), 2, 2, 10, 0 ) );
    patch->m_cfg.collisions = btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDN;
    patch->m_cfg.kCHR = 1;
    patch->getCollisionShape()->setMargin( btScalar( 0.1 ) );
    world.addSoftBody( patch.get() );
    btDeformableGravityForce gravityForce( gravity );
    world.addForce( patch.get(), &gravityForce );
    btDeformableMassSpringForce springs( 30, 1, true );
    world.addForce( patch.get(), &springs );
    for ( int step = 0; step < 150; ++step )
    {
        world.stepSimulation( btScalar( 1 ) / 60, 1, btScalar( 1 ) / 60 );
    }
    btVector3 lower, upper;
    patch->getAabb( lower, upper );
    EXPECT_GT( lower.y(), btScalar( -0.5 ) ) << "fell through";
    EXPECT_LT( lower.y(), 1 ) << "has fallen";
    world.removeForce( patch.get(), &gravityForce );
    world.removeForce( patch.get(), &springs );
    world.removeSoftBody( patch.get() );
    world.removeRigidBody( &floor );
}
