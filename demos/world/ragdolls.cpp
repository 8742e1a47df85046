// SPDX-License-Identifier: Zlib
/// \file ragdolls.cpp
/// Dolls with spread arms: capsules that are connected by cone-twist joints. Limbs of one doll overlap at the joints. A
/// filter callback rejects their pairs, as in many engines.
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btCapsuleShape.h"
#include "BulletDynamics/ConstraintSolver/btConeTwistConstraint.h"

#include <cmath>
#include <iterator>

namespace cullet::demo
{
namespace
{

constexpr std::uint64_t dollSeed = 11;
constexpr btScalar limbDensity = 1000; // kilograms per cubic metre

constexpr btScalar fallHeight = 2; // of the lowest dolls, in metres

/// A capsule along y, or along x for arms. In metres, relative to the middle of the doll.
struct Limb
{
    double x, y;   ///< of its middle
    double length; ///< between the centres of its two caps
    double radius;
    bool isArm;
    int parent;            ///< index of the limb that this limb is joined to; -1: none
    double jointX, jointY; ///< place of the joint
};

constexpr Limb limbs[] = {
    { 0, 0.05, 0.14, 0.13, false, -1, 0, 0 },             // pelvis
    { 0, 0.36, 0.22, 0.14, false, 0, 0, 0.18 },           // chest
    { 0, 0.76, 0.06, 0.10, false, 1, 0, 0.62 },           // head
    { -0.13, -0.26, 0.30, 0.08, false, 0, -0.13, -0.06 }, // thighs
    { 0.13, -0.26, 0.30, 0.08, false, 0, 0.13, -0.06 },   //
    { -0.13, -0.69, 0.30, 0.06, false, 3, -0.13, -0.48 }, // shins
    { 0.13, -0.69, 0.30, 0.06, false, 4, 0.13, -0.48 },   //
    { -0.36, 0.48, 0.20, 0.06, true, 1, -0.20, 0.48 },    // upper arms
    { 0.36, 0.48, 0.20, 0.06, true, 1, 0.20, 0.48 },      //
    { -0.68, 0.48, 0.22, 0.05, true, 7, -0.52, 0.48 },    // forearms
    { 0.68, 0.48, 0.22, 0.05, true, 8, 0.52, 0.48 },      //
};
constexpr int limbsPerDoll = int( std::size( limbs ) );

btVector3 middleOf( const Limb& limb )
{
    return btVector3{ btScalar( limb.x ), btScalar( limb.y ), 0 };
}

/// Rejects pairs within a doll. The user index of a body is the number of its doll.
struct DollFilter : btOverlapFilterCallback
{
    static int dollOf( const btBroadphaseProxy& proxy )
    {
        return static_cast<const btCollisionObject*>( proxy.m_clientObject )->getUserIndex();
    }

    bool needBroadphaseCollision( btBroadphaseProxy* a, btBroadphaseProxy* b ) const override
    {
        return dollOf( *a ) != dollOf( *b ) && ( a->m_collisionFilterGroup & b->m_collisionFilterMask ) != 0 &&
               ( b->m_collisionFilterGroup & a->m_collisionFilterMask ) != 0;
    }
};

/// The joint's frame, relative to the doll. Its x axis points along the limb, which may twist about it.
btTransform jointFrame( const Limb& limb )
{
    const btVector3 place( btScalar( limb.jointX ), btScalar( limb.jointY ), 0 );
    const btVector3 along = ( middleOf( limb ) - place ).normalized();
    const btVector3 forward( 0, 0, 1 );
    const btVector3 across = forward.cross( along );
    return btTransform( btMatrix3x3( along.x(), across.x(), 0, along.y(), across.y(), 0, 0, 0, 1 ), place );
}

void join( World& world, const Limb& limb, btRigidBody& body, btRigidBody& parent )
{
    constexpr btScalar swing = btScalar( 0.8 );
    constexpr btScalar twist = btScalar( 0.4 );
    const btTransform frame = jointFrame( limb );
    const auto seenFrom = [&frame]( const Limb& from )
    { return btTransform( frame.getBasis(), frame.getOrigin() - middleOf( from ) ); };
    auto& joint = world.make<btConeTwistConstraint>( parent, body, seenFrom( limbs[limb.parent] ), seenFrom( limb ) );
    joint.setLimit( swing, swing, twist );
    world.bullet().addConstraint( &joint, true );
}

btScalar massOf( const Limb& limb )
{
    const double area = double( SIMD_PI ) * limb.radius * limb.radius;
    return limbDensity * btScalar( area * ( limb.length + 4.0 / 3 * limb.radius ) );
}

/// The place of a doll in a cube of dolls, in a random attitude.
btTransform placeInCube( int doll, int perSide )
{
    Random random( dollSeed + std::uint64_t( doll ) );
    const Square layer( perSide * perSide, dollSpacing );
    const btVector3 height( 0, fallHeight + dollSpacing * btScalar( doll / ( perSide * perSide ) ), 0 );
    return btTransform( randomAttitude( random ), layer.place( doll % ( perSide * perSide ) ) + height );
}

} // namespace

int dollCount( int limbCount )
{
    return ( limbCount - 1 ) / limbsPerDoll + 1;
}

void addDolls( World& world, int limbCount, const std::function<btTransform( int doll )>& placeOf )
{
    std::vector<btCollisionShape*> shapes;
    for ( const Limb& limb : limbs )
    {
        const auto radius = btScalar( limb.radius ), length = btScalar( limb.length );
        shapes.push_back( limb.isArm ? &world.make<btCapsuleShapeX>( radius, length )
                                     : &world.make<btCapsuleShape>( radius, length ) );
    }
    world.bullet().getPairCache()->setOverlapFilterCallback( &world.make<DollFilter>() );
    for ( int index = 0; index < limbCount; ++index )
    {
        const int doll = index / limbsPerDoll;
        const Limb& limb = limbs[index % limbsPerDoll];
        btRigidBody& body = world.addBody( massOf( limb ), *shapes[std::size_t( index % limbsPerDoll )],
                                           placeOf( doll ) * upright( middleOf( limb ) ), doll );
        if ( limb.parent >= 0 )
        {
            join( world, limb, body, *world.bodies()[std::size_t( doll * limbsPerDoll + limb.parent )] );
        }
    }
}

void addRagdolls( World& world, int bodyCount )
{
    const auto perSide = int( std::ceil( std::cbrt( double( dollCount( bodyCount ) ) ) ) );
    addPlane( world );
    addDolls( world, bodyCount, [perSide]( int doll ) { return placeInCube( doll, perSide ); } );
}

} // namespace cullet::demo
