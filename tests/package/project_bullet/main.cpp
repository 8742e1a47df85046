// SPDX-License-Identifier: Zlib
// A program that knows cullet's plugin only as an installed package: four objects of a Bullet world in a row, of which
// neighbours overlap. Prints how many pairs there are.
#include <CulletBroadphase.h>

#include <btBulletDynamicsCommon.h>
#include <cstdio>

int main()
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    CulletBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world( &dispatcher, &broadphase, &solver, &configuration );

    btBoxShape shape( btVector3( 1, 1, 1 ) );
    btCollisionObject objects[4];
    const btScalar places[4] = { 0, btScalar( 1.5 ), 3, 10 };
    for ( int i = 0; i < 4; ++i )
    {
        objects[i].setCollisionShape( &shape );
        objects[i].getWorldTransform().setOrigin( btVector3( places[i], 0, 0 ) );
        world.addCollisionObject( &objects[i], btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter );
    }
    world.performDiscreteCollisionDetection();
    std::printf( "%d\n", broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
    for ( btCollisionObject& object : objects )
    {
        world.removeCollisionObject( &object );
    }
    return 0;
}
