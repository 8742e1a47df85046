// SPDX-License-Identifier: Zlib
// Scenes that follow HelloWorld, Bullet's benchmarks and ForkLift.
#include "scenes.h"

#include "tests/support/random.h"

#include "BulletDynamics/Vehicle/btRaycastVehicle.h"

#include <cmath>

namespace test
{

void addFloor( BulletWorld& world )
{
    world.add( 0, world.shape<btBoxShape>( btVector3( 50, 5, 50 ) ), at( 0, -5, 0 ) );
}

void buildHelloWorld( BulletWorld& world )
{
    addFloor( world );
    world.add( 1, world.shape<btSphereShape>( btScalar( 1 ) ), at( 2, 10, 0 ) );
}

void buildBoxHeap( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& box = world.shape<btBoxShape>( btVector3( 1, 1, 1 ) );
    const int layers = 5, edge = 4;
    for ( int i = 0; i < layers * edge * edge; ++i )
    {
        const int layer = i / ( edge * edge );
        const btScalar lean = btScalar( layer % 3 ) * btScalar( 0.35 );
        world.add( 2, box,
                   at( btScalar( i % edge ) * btScalar( 2.2 ) + lean, btScalar( layer ) * btScalar( 2.5 ) + 3,
                       btScalar( i / edge % edge ) * btScalar( 2.2 ) - lean ) );
    }
}

/// Adds nine columns. The centres of the lowest bodies are at height `base`, those of the next level `height` higher.
static void addColumns( BulletWorld& world, btScalar mass, btCollisionShape& shape, int levels, btScalar base,
                        btScalar height )
{
    for ( int column = 0; column < 9; ++column )
    {
        for ( int level = 0; level < levels; ++level )
        {
            world.add(
                mass, shape,
                at( btScalar( column % 3 ) * 3, base + height * btScalar( level ), btScalar( column / 3 ) * 3 ) );
        }
    }
}

void buildStacks( BulletWorld& world )
{
    addFloor( world );
    addColumns( world, 2, world.shape<btBoxShape>( btVector3( 1, 1, 1 ) ), 6, 1, 2 );
}

void buildWall( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& brick = world.shape<btBoxShape>( btVector3( 1, btScalar( 0.5 ), btScalar( 0.5 ) ) );
    for ( int row = 0; row < 7; ++row )
    {
        for ( int i = 0; i < 8; ++i )
        {
            world.add(
                2, brick,
                at( btScalar( i ) * btScalar( 2.05 ) + btScalar( row % 2 ), btScalar( row ) + btScalar( 0.5 ), 0 ) );
        }
    }
    btRigidBody& ball = world.add( 10, world.shape<btSphereShape>( btScalar( 0.8 ) ), at( 8, 3, 12 ) );
    ball.setLinearVelocity( btVector3( 0, 2, -15 ) );
    ball.setDamping( btScalar( 0.1 ), btScalar( 0.5 ) ); // without it the ball would roll for ever
}

/// A hexagonal prism of height 1.6.
static btConvexHullShape& barrel( BulletWorld& world )
{
    btConvexHullShape& hull = world.shape<btConvexHullShape>();
    for ( int i = 0; i < 6; ++i )
    {
        const btScalar angle = btScalar( i ) * SIMD_2_PI / 6;
        const btScalar x = std::cos( angle ), z = std::sin( angle );
        hull.addPoint( btVector3( x, btScalar( -0.8 ), z ) );
        hull.addPoint( btVector3( x, btScalar( 0.8 ), z ) );
    }
    hull.setMargin( btScalar( 0.02 ) );
    return hull;
}

void buildHulls( BulletWorld& world )
{
    addFloor( world );
    addColumns( world, 1, barrel( world ), 4, btScalar( 0.85 ), btScalar( 1.68 ) );
}

void buildHullPack( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& side = world.shape<btBoxShape>( btVector3( btScalar( 0.5 ), 5, 6 ) );
    btBoxShape& end = world.shape<btBoxShape>( btVector3( 6, 5, btScalar( 0.5 ) ) );
    world.add( 0, side, at( -6, 5, 0 ) );
    world.add( 0, side, at( 6, 5, 0 ) );
    world.add( 0, end, at( 0, 5, -6 ) );
    world.add( 0, end, at( 0, 5, 6 ) );
    btConvexHullShape& hull = barrel( world );
    Random random( 8 );
    for ( int i = 0; i < 60; ++i )
    {
        const btQuaternion turn( btVector3( 1, 1, 0 ).normalized(), btScalar( random.between( 0, 3 ) ) );
        const btScalar x = btScalar( random.between( -4, 4 ) ), z = btScalar( random.between( -4, 4 ) );
        btRigidBody& body = world.add( 1, hull, btTransform( turn, btVector3( x, btScalar( 2 + i * 0.5 ), z ) ) );
        body.setDamping( 0, btScalar( 0.2 ) );
    }
}

/// A bumpy mesh of 20 x 20 squares of edge 3, two triangles each.
static void addMesh( BulletWorld& world )
{
    const auto corner = []( int i, int k )
    {
        const btScalar height = std::sin( btScalar( i ) ) * std::cos( btScalar( k ) ) * btScalar( 0.4 );
        return btVector3( btScalar( i - 10 ) * 3, height, btScalar( k - 10 ) * 3 );
    };
    btTriangleMesh& mesh = world.keep( new btTriangleMesh );
    for ( int i = 0; i < 20; ++i )
    {
        for ( int k = 0; k < 20; ++k )
        {
            mesh.addTriangle( corner( i, k ), corner( i, k + 1 ), corner( i + 1, k ) );
            mesh.addTriangle( corner( i + 1, k ), corner( i, k + 1 ), corner( i + 1, k + 1 ) );
        }
    }
    world.add( 0, world.shape<btBvhTriangleMeshShape>( &mesh, true ), at( 0, 0, 0 ) );
}

/// Adds 64 bodies above the mesh. They do not touch each other.
static void dropOnMesh( BulletWorld& world, btCollisionShape* const* shapes, int shapeCount )
{
    for ( int i = 0; i < 64; ++i )
    {
        const btScalar x = btScalar( i % 4 ) * 3 - 5, z = btScalar( i / 4 % 4 ) * 3 - 5;
        btRigidBody& body = world.add( 1, *shapes[i % shapeCount], at( x, btScalar( 3 + i / 16 * 3 ), z ) );
        body.setDamping( btScalar( 0.1 ), btScalar( 0.4 ) ); // or round bodies would roll off the mesh
    }
}

void buildPrimitivesOnMesh( BulletWorld& world )
{
    addMesh( world );
    btCollisionShape* const shapes[] = { &world.shape<btSphereShape>( btScalar( 1 ) ),
                                         &world.shape<btCapsuleShape>( btScalar( 0.7 ), btScalar( 1 ) ),
                                         &world.shape<btBoxShape>( btVector3( 1, btScalar( 0.7 ), 1 ) ),
                                         &world.shape<btCylinderShape>( btVector3( 1, btScalar( 0.7 ), 1 ) ),
                                         &world.shape<btConeShape>( btScalar( 1 ), btScalar( 1.5 ) ) };
    dropOnMesh( world, shapes, 5 );
}

void buildHullsOnMesh( BulletWorld& world )
{
    addMesh( world );
    btCollisionShape* const shapes[] = { &barrel( world ) };
    dropOnMesh( world, shapes, 1 );
}

void buildRaysOnMesh( BulletWorld& world )
{
    buildPrimitivesOnMesh( world );
    world.beforeStep = [&world]( int step )
    {
        for ( int i = 0; i < 100; ++i )
        {
            const btScalar angle = btScalar( i + step ) * SIMD_2_PI / 100;
            const btVector3 from( 0, 20, 0 ), to( std::cos( angle ) * 25, -5, std::sin( angle ) * 25 );
            btCollisionWorld::ClosestRayResultCallback hit( from, to );
            world.world().rayTest( from, to, hit );
            btAssert( hit.hasHit() );
        }
    };
}

/// The frame of a joint in a body. `offset` is from the centre of the body to the joint.
static btTransform jointAt( const btVector3& offset )
{
    return btTransform( btQuaternion( btVector3( 0, 1, 0 ), -SIMD_HALF_PI ), offset );
}

/// A limb of two capsules at `hip` of `torso`: a cone-twist joint at the hip, a hinge between the capsules.
static void addLimb( BulletWorld& world, btRigidBody& torso, const btVector3& hip, btCollisionShape& bone )
{
    const btVector3 half( 0, btScalar( 0.4 ), 0 ), place = torso.getWorldTransform().getOrigin() + hip;
    btRigidBody& upper = world.add( 1, bone, btTransform( btQuaternion::getIdentity(), place - half ) );
    btRigidBody& lower = world.add( 1, bone, btTransform( btQuaternion::getIdentity(), place - half * 3 ) );
    btConeTwistConstraint* cone = new btConeTwistConstraint( torso, upper, jointAt( hip ), jointAt( half ) );
    cone->setLimit( SIMD_PI / 4, SIMD_PI / 4, 0 );
    world.add( cone );
    btHingeConstraint* hinge = new btHingeConstraint( upper, lower, jointAt( -half ), jointAt( half ) );
    hinge->setLimit( 0, SIMD_HALF_PI );
    world.add( hinge );
}

void buildRagdolls( BulletWorld& world )
{
    addFloor( world );
    btCapsuleShape& trunk = world.shape<btCapsuleShape>( btScalar( 0.3 ), btScalar( 0.6 ) );
    btCapsuleShape& bone = world.shape<btCapsuleShape>( btScalar( 0.12 ), btScalar( 0.4 ) );
    for ( int i = 0; i < 12; ++i )
    {
        const btScalar x = btScalar( i % 4 ) * 2, z = btScalar( i / 4 ) * 2;
        btRigidBody& torso = world.add( 2, trunk, at( x, 3 + btScalar( i % 3 ), z ) );
        for ( btScalar side : { btScalar( -1 ), btScalar( 1 ) } )
        {
            addLimb( world, torso, btVector3( side * btScalar( 0.25 ), btScalar( -0.6 ), 0 ), bone ); // a leg
            addLimb( world, torso, btVector3( side * btScalar( 0.5 ), btScalar( 0.4 ), 0 ), bone );   // an arm
        }
    }
    for ( btRigidBody* body : world.dynamicBodies() )
    {
        body->setDamping( btScalar( 0.05 ), btScalar( 0.85 ) );
        body->setSleepingThresholds( btScalar( 1.6 ), btScalar( 2.5 ) ); // or trembling limbs would keep bodies awake
    }
}

void buildForkLift( BulletWorld& world )
{
    addFloor( world );
    btBoxShape& crate = world.shape<btBoxShape>( btVector3( btScalar( 0.5 ), btScalar( 0.5 ), btScalar( 0.5 ) ) );
    for ( int i = 0; i < 30; ++i ) // in front of the fork lift
    {
        world.add( 1, crate,
                   at( btScalar( i % 5 ) * btScalar( 1.2 ) - 2, btScalar( 0.5 ), btScalar( 12 + i / 5 * 2 ) ) );
    }
    btRigidBody& chassis =
        world.add( 80, world.shape<btBoxShape>( btVector3( 1, btScalar( 0.5 ), 2 ) ), at( 0, 2, 0 ) );
    chassis.setActivationState( DISABLE_DEACTIVATION );
    btRaycastVehicle::btVehicleTuning& tuning = world.keep( new btRaycastVehicle::btVehicleTuning );
    btDefaultVehicleRaycaster& raycaster = world.keep( new btDefaultVehicleRaycaster( &world.world() ) );
    btRaycastVehicle* vehicle = new btRaycastVehicle( tuning, &chassis, &raycaster );
    vehicle->setCoordinateSystem( 0, 1, 2 );
    for ( int i = 0; i < 4; ++i )
    {
        const btVector3 place( i % 2 ? btScalar( 0.9 ) : btScalar( -0.9 ), 0,
                               i < 2 ? btScalar( 1.6 ) : btScalar( -1.6 ) );
        vehicle->addWheel( place, btVector3( 0, -1, 0 ), btVector3( -1, 0, 0 ), btScalar( 0.6 ), btScalar( 0.5 ),
                           tuning, i < 2 );
        vehicle->applyEngineForce( i < 2 ? 0 : 150, i );
    }
    world.add( static_cast<btActionInterface*>( vehicle ) );
    world.beforeStep = [vehicle]( int step )
    {
        if ( step == 150 ) // stops before the end of the floor
        {
            for ( int i = 0; i < 4; ++i )
            {
                vehicle->applyEngineForce( 0, i );
                vehicle->setBrake( 20, i );
            }
        }
    };
}

} // namespace test
