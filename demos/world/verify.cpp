// SPDX-License-Identifier: Zlib
/// \file verify.cpp
/// Walks the bodies once.
#include "verify.h"

#include <algorithm>
#include <cmath>
#include <xxhash.h>

namespace cullet::demo
{
namespace
{

/// Transform and velocities, without the fourth components, which Bullet's vectors leave undefined.
void appendState( const btRigidBody& body, std::vector<btScalar>& state )
{
    const btTransform& transform = body.getWorldTransform();
    for ( const btVector3& part : { transform.getOrigin(), transform.getBasis()[0], transform.getBasis()[1],
                                    transform.getBasis()[2], body.getLinearVelocity(), body.getAngularVelocity() } )
    {
        state.insert( state.end(), { part.x(), part.y(), part.z() } );
    }
}

btScalar distanceFromAxis( const btRigidBody& body )
{
    const btVector3& centre = body.getWorldTransform().getOrigin();
    return std::max( std::abs( centre.x() ), std::abs( centre.z() ) );
}

} // namespace

bool isInside( const Column& column, const btRigidBody& body )
{
    std::vector<btScalar> state;
    appendState( body, state );
    const bool isFinite = std::all_of( state.begin(), state.end(), []( btScalar x ) { return std::isfinite( x ); } );
    return isFinite && distanceFromAxis( body ) <= column.bound() &&
           body.getWorldTransform().getOrigin().y() <= column.top;
}

Verdict verify( const World& world )
{
    Verdict verdict;
    verdict.lowestCentre = world.column().top;
    std::vector<btScalar> state;
    for ( const auto& body : world.bodies() )
    {
        const btScalar height = body->getWorldTransform().getOrigin().y();
        verdict.belowPlane += height < 0;
        verdict.outside += !isInside( world.column(), *body );
        verdict.lowestCentre = std::min( verdict.lowestCentre, height );
        verdict.farthestCentre = std::max( verdict.farthestCentre, distanceFromAxis( *body ) );
        appendState( *body, state );
    }
    verdict.hash = XXH64( state.data(), state.size() * sizeof( btScalar ), 0 );
    return verdict;
}

} // namespace cullet::demo
