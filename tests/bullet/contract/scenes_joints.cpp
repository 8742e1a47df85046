// SPDX-License-Identifier: Zlib
// Scenes of connected bodies that follow Bullet's third benchmark, ForkLift and Hinge2Vehicle.
#include "scenes.h"

#include "BulletDynamics/Vehicle/btRaycastVehicle.h"

namespace test
{

/// `offset` is from the centre of the body to the joint.
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

/// Boxes in front of a car that drives along z.
static void addObstacles( BulletWorld& world )
{
    btBoxShape& crate = world.shape<btBoxShape>( btVector3( btScalar( 0.5 ), btScalar( 0.5 ), btScalar( 0.5 ) ) );
    for ( int i = 0; i < 30; ++i )
    {
        world.add( 1, crate,
                   at( btScalar( i % 5 ) * btScalar( 1.2 ) - 2, btScalar( 0.5 ), btScalar( 12 + i / 5 * 2 ) ) );
    }
}

void buildForkLift( BulletWorld& world )
{
    addFloor( world );
    addObstacles( world );
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
    int& steps = world.keep( new int( 0 ) );
    world.beforeStep = [vehicle, &steps]
    {
        if ( ++steps == 150 ) // stops before the end of the floor
        {
            for ( int i = 0; i < 4; ++i )
            {
                vehicle->applyEngineForce( 0, i );
                vehicle->setBrake( 20, i );
            }
        }
    };
}

void buildHinge2Car( BulletWorld& world )
{
    addFloor( world );
    addObstacles( world );
    btRigidBody& chassis =
        world.add( 20, world.shape<btBoxShape>( btVector3( 1, btScalar( 0.4 ), 2 ) ), at( 0, 2, 0 ) );
    btCylinderShapeX& shape =
        world.shape<btCylinderShapeX>( btVector3( btScalar( 0.3 ), btScalar( 0.6 ), btScalar( 0.6 ) ) );
    std::vector<btHinge2Constraint*> axles;
    for ( int i = 0; i < 4; ++i )
    {
        const btVector3 place( i % 2 ? btScalar( 1.4 ) : btScalar( -1.4 ), btScalar( 1.4 ),
                               i < 2 ? btScalar( 1.6 ) : btScalar( -1.6 ) );
        btRigidBody& wheel = world.add( 2, shape, btTransform( btQuaternion::getIdentity(), place ) );
        wheel.setFriction( btScalar( 1.1 ) );
        btVector3 anchor = place, steering( 0, 1, 0 ), rolling( 1, 0, 0 );
        axles.push_back( new btHinge2Constraint( chassis, wheel, anchor, steering, rolling ) );
        axles.back()->setLowerLimit( 0 );
        axles.back()->setUpperLimit( 0 );
        axles.back()->enableMotor( 3, true );
        axles.back()->setMaxMotorForce( 3, 20 );
        axles.back()->setTargetVelocity( 3, 5 );
        world.add( axles.back() );
    }
    int& steps = world.keep( new int( 0 ) );
    world.beforeStep = [axles, &steps]
    {
        if ( ++steps == 300 )
        {
            for ( btHinge2Constraint* axle : axles )
            {
                axle->setTargetVelocity( 3, 0 );
            }
        }
    };
}

} // namespace test
