// SPDX-License-Identifier: Zlib
/// \file verdict.cpp
/// Walks the bodies once.
#include "verdict.h"

#include <fmt/format.h>

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

bool printVerdict( const World& world, const Column& column )
{
    int below = 0;
    int outside = 0;
    btScalar lowest = column.top;
    btScalar farthest = 0;
    std::vector<btScalar> state;
    for ( const btRigidBody* body : world.bodies() )
    {
        const btScalar height = body->getWorldTransform().getOrigin().y();
        below += height < 0;
        outside += !isInside( column, *body );
        lowest = std::min( lowest, height );
        farthest = std::max( farthest, distanceFromAxis( *body ) );
        appendState( *body, state );
    }
    const bool isGood = below == 0 && outside == 0;
    fmt::print( "lowest      {:.3f} m above the plane, below it {} bodies\n", lowest, below );
    fmt::print( "farthest    {:.1f} m of {:.1f} m, outside {} bodies\n", farthest, column.bound(), outside );
    fmt::print( "world hash  {:016x}\n", XXH64( state.data(), state.size() * sizeof( btScalar ), 0 ) );
    fmt::print( "check       {}\n", isGood ? "good" : "FAILED" );
    return isGood;
}

} // namespace cullet::demo
