// SPDX-License-Identifier: Zlib
// The snippets of the manual's page on meshes that use Bullet.
#include "CulletBroadphase.h"
#include "CulletGImpactAlgorithm.h"
#include "CulletSoftBodySolver.h"
#include "check.h"

#include "BulletCollision/Gimpact/btGImpactShape.h"
#include "BulletSoftBody/btSoftBodyHelpers.h"
#include "BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h"
#include "BulletSoftBody/btSoftRigidDynamicsWorld.h"
#include "btBulletDynamicsCommon.h"

namespace
{

void testGImpact()
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    //! [gimpact]
    CulletGImpactAlgorithm::registerAlgorithm( &dispatcher );
    //! [gimpact]
    CulletBroadphase broadphase;
    btCollisionWorld world( &dispatcher, &broadphase, &configuration );
    btScalar corners[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    int faces[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
    btTriangleIndexVertexArray mesh( 4, faces[0], sizeof( faces[0] ), 4, corners[0], sizeof( corners[0] ) );
    btGImpactMeshShape shape( &mesh );
    shape.updateBound();
    btCollisionObject objects[2];
    for ( btCollisionObject& object : objects )
    {
        object.setCollisionShape( &shape );
        world.addCollisionObject( &object );
    }
    objects[1].getWorldTransform().setOrigin( btVector3( btScalar( 0.2 ), btScalar( 0.2 ), btScalar( 0.2 ) ) );
    world.performDiscreteCollisionDetection();
    CHECK( dispatcher.getNumManifolds() == 1 && dispatcher.getManifoldByIndexInternal( 0 )->getNumContacts() > 0 );
    for ( btCollisionObject& object : objects )
    {
        world.removeCollisionObject( &object );
    }
}

void testCloth()
{
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    btSequentialImpulseConstraintSolver constraintSolver;
    CulletBroadphase broadphase;
    //! [cloth]
    CulletSoftBodySolver solver;
    btSoftRigidDynamicsWorld world( &dispatcher, &broadphase, &constraintSolver, &configuration, &solver );
    btSoftBody* cloth =
        btSoftBodyHelpers::CreatePatch( world.getWorldInfo(), btVector3( 0, 0, 0 ), btVector3( 9, 0, 0 ),
                                        btVector3( 0, 0, 9 ), btVector3( 9, 0, 9 ), 9, 9, 0, true );
    cloth->getCollisionShape()->setMargin( btScalar( 0.3 ) );
    world.addSoftBody( cloth );
    solver.setVertexFaceSelfCollision( cloth, true ); // after its vertices and margin are set, before it moves
    //! [cloth]
    world.stepSimulation( btScalar( 1.0 / 60 ), 0 );
    CHECK( cloth->m_nodes[0].m_x.y() < 0 );
    solver.setVertexFaceSelfCollision( cloth, false );
    world.removeSoftBody( cloth );
    delete cloth;
}

} // namespace

int main()
{
    testGImpact();
    testCloth();
}
