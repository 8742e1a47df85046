// SPDX-License-Identifier: Zlib
/// \file verify.cpp
/// Walks the bodies once for the verdict and once for the hash.
#include "verify.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cullet::demo
{
namespace
{

/// FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923): one exclusive or and one multiplication for each byte.
class Hash
{
public:
    void add( btScalar value )
    {
        unsigned char bytes[sizeof( value )];
        std::memcpy( bytes, &value, sizeof( value ) );
        for ( const unsigned char byte : bytes )
        {
            m_value = ( m_value ^ byte ) * 0x100000001b3u;
        }
    }

    /// Not the fourth component, which Bullet's vectors leave undefined.
    void add( const btVector3& vector )
    {
        add( vector.x() );
        add( vector.y() );
        add( vector.z() );
    }

    std::uint64_t value() const
    {
        return m_value;
    }

private:
    std::uint64_t m_value = 0xcbf29ce484222325u;
};

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
    Hash hash;
    for ( int index = 0; index < world.bodyCount(); ++index )
    {
        const btRigidBody& body = world.body( index );
        const btTransform& transform = body.getWorldTransform();
        hash.add( transform.getOrigin() );
        hash.add( transform.getBasis()[0] );
        hash.add( transform.getBasis()[1] );
        hash.add( transform.getBasis()[2] );
        hash.add( body.getLinearVelocity() );
        hash.add( body.getAngularVelocity() );
    }
    return hash.value();
}

} // namespace cullet::demo
