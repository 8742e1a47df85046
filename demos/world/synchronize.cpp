// SPDX-License-Identifier: Zlib
#include "synchronize.h"

namespace cullet::demo
{
namespace
{

/// Copies transform, velocities and activation state.
void copyMotion( const btCollisionObject& from, btCollisionObject& to )
{
    to.setWorldTransform( from.getWorldTransform() );
    to.setInterpolationWorldTransform( from.getInterpolationWorldTransform() );
    to.setInterpolationLinearVelocity( from.getInterpolationLinearVelocity() );
    to.setInterpolationAngularVelocity( from.getInterpolationAngularVelocity() );
    to.forceActivationState( from.getActivationState() );
    to.setDeactivationTime( from.getDeactivationTime() );
    if ( btRigidBody* body = btRigidBody::upcast( &to ) )
    {
        body->setLinearVelocity( btRigidBody::upcast( &from )->getLinearVelocity() );
        body->setAngularVelocity( btRigidBody::upcast( &from )->getAngularVelocity() );
        body->updateInertiaTensor();
    }
}

} // namespace

void copyMotion( World& from, World& to )
{
    const btCollisionObjectArray& objects = from.bullet().getCollisionObjectArray();
    for ( int k = 0; k < objects.size(); ++k )
    {
        if ( !objects[k]->isStaticObject() )
        {
            copyMotion( *objects[k], *to.bullet().getCollisionObjectArray()[k] );
        }
    }
}

} // namespace cullet::demo
