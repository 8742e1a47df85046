// SPDX-License-Identifier: Zlib
// A Bullet program in which one line is changed to use cullet. Three boxes, stacked with gaps, fall onto a plane for
// three seconds. Prints the height at which each comes to rest, which should be about 0.5, 1.5 and 2.5.

#include "CulletBroadphase.h"

#include "btBulletDynamicsCommon.h"

#include <cstdio>
#include <memory>
#include <vector>

namespace
{

std::unique_ptr<btRigidBody> createBody( btCollisionShape& shape, btScalar mass, const btVector3& place )
{
    btVector3 inertia( 0, 0, 0 );
    if ( mass > 0 )
    {
        shape.calculateLocalInertia( mass, inertia );
    }
    btRigidBody::btRigidBodyConstructionInfo description( mass, nullptr, &shape, inertia );
    description.m_startWorldTransform.setOrigin( place );
    return std::make_unique<btRigidBody>( description );
}

} // namespace

int main()
{
    btStaticPlaneShape plane( btVector3( 0, 1, 0 ), 0 );
    btBoxShape cube( btVector3( btScalar( 0.5 ), btScalar( 0.5 ), btScalar( 0.5 ) ) );
    std::vector<std::unique_ptr<btRigidBody>> bodies; // outlive the world, which does not own them

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    btSequentialImpulseConstraintSolver solver;
    const std::unique_ptr<btBroadphaseInterface> broadphase( new CulletBroadphase() ); // was: new btDbvtBroadphase()
    btDiscreteDynamicsWorld world( &dispatcher, broadphase.get(), &solver, &configuration );

    bodies.push_back( createBody( plane, 0, btVector3( 0, 0, 0 ) ) );
    for ( int k = 0; k < 3; ++k )
    {
        bodies.push_back( createBody( cube, 1, btVector3( 0, btScalar( 1 + 1.5 * k ), 0 ) ) );
    }
    for ( const auto& body : bodies )
    {
        world.addRigidBody( body.get() );
    }
    for ( int step = 0; step < 180; ++step )
    {
        world.stepSimulation( btScalar( 1.0 / 60.0 ), 0 );
    }

    for ( std::size_t k = 1; k < bodies.size(); ++k )
    {
        std::printf( "box %zu rests at height %.2f\n", k, double( bodies[k]->getWorldTransform().getOrigin().y() ) );
    }
}
