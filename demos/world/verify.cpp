// SPDX-License-Identifier: Zlib
/// \file verify.cpp
/// Walks the bodies once for the verdict and once for the hash.
#include "verify.h"

#include <algorithm>
#include <cmath>
#include <vector>
#include <xxhash.h>

namespace cullet::demo
{
namespace
{

bool isFinite( const btVector3& vector )
{
    return std::isfinite( vector.x() ) && std::isfinite( vector.y() ) && std::isfinite( vector.z() );
}

bool isFinite( const btRigidBody& body )
{
    const btTransform& transform = body.getWorldTransform();
    return isFinite( transform.getOrigin() ) && isFinite( transform.getBasis()[0] ) &&
           isFinite( transform.getBasis()[1] ) && isFinite( transform.getBasis()[2] ) &&
           isFinite( body.getLinearVelocity() ) && isFinite( body.getAngularVelocity() );
}

btScalar distanceFromAxis( const btRigidBody& body )
{
    const btVector3& centre = body.getWorldTransform().getOrigin();
    return std::max( std::abs( centre.x() ), std::abs( centre.z() ) );
}

} // namespace

bool isInside( const World& world, int index )
{
    const btRigidBody& body = world.body( index );
    return isFinite( body ) && distanceFromAxis( body ) <= world.column().bound() &&
           body.getWorldTransform().getOrigin().y() <= world.column().top;
}

Verdict verify( const World& world )
{
    Verdict verdict;
    verdict.lowestCentre = world.column().top;
    for ( int index = 0; index < world.bodyCount(); ++index )
    {
        const btScalar height = world.body( index ).getWorldTransform().getOrigin().y();
        verdict.belowPlane += height < 0;
        verdict.outside += !isInside( world, index );
        verdict.lowestCentre = std::min( verdict.lowestCentre, height );
        verdict.farthestCentre = std::max( verdict.farthestCentre, distanceFromAxis( world.body( index ) ) );
    }
    return verdict;
}

std::uint64_t hashOf( const World& world )
{
    std::vector<btScalar> state;
    for ( int index = 0; index < world.bodyCount(); ++index )
    {
        const btRigidBody& body = world.body( index );
        const btTransform& transform = body.getWorldTransform();
        for ( const btVector3& part : { transform.getOrigin(), transform.getBasis()[0], transform.getBasis()[1],
                                        transform.getBasis()[2], body.getLinearVelocity(), body.getAngularVelocity() } )
        {
            // Not the fourth component, which Bullet's vectors leave undefined.
            state.insert( state.end(), { part.x(), part.y(), part.z() } );
        }
    }
    return XXH64( state.data(), state.size() * sizeof( btScalar ), 0 );
}

} // namespace cullet::demo
