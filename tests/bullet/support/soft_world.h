// SPDX-License-Identifier: Zlib
/// \file soft_world.h
/// A BulletWorld with soft bodies.
#ifndef CULLET_TESTS_SOFT_WORLD_H
#define CULLET_TESTS_SOFT_WORLD_H

#include "tests/bullet/support/bullet_world.h"

#include "BulletSoftBody/btSoftBodyHelpers.h"
#include "BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h"
#include "BulletSoftBody/btSoftRigidDynamicsWorld.h"

namespace test
{

struct SoftParts
{
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
};

class SoftWorld : public BulletWorld
{
public:
    /// \param softSolver  NULL: Bullet's own
    explicit SoftWorld( const RigKind& kind, btSoftBodySolver* softSolver = nullptr )
        : BulletWorld( makeRig( kind ),
                       [softSolver, parts = std::make_shared<SoftParts>()](
                           btDispatcher*, btBroadphaseInterface* broadphase, btConstraintSolver* solver,
                           btCollisionConfiguration* ) {
                           return new btSoftRigidDynamicsWorld( &parts->dispatcher, broadphase, solver,
                                                                &parts->configuration, softSolver );
                       } )
    {
        info().m_gravity = world().getGravity();
    }

    ~SoftWorld()
    {
        for ( const std::unique_ptr<btSoftBody>& body : m_soft )
        {
            soft().removeSoftBody( body.get() );
        }
    }

    btSoftRigidDynamicsWorld& soft() const
    {
        return static_cast<btSoftRigidDynamicsWorld&>( world() );
    }

    btSoftBodyWorldInfo& info() const
    {
        return soft().getWorldInfo();
    }

    btSoftBody& addSoft( btSoftBody* body )
    {
        m_soft.emplace_back( body );
        soft().addSoftBody( body );
        return *body;
    }

protected:
    std::vector<std::unique_ptr<btSoftBody>> m_soft;
};

/// A square cloth of mass 1.
inline btSoftBody* makePatch( btSoftBodyWorldInfo& info, btScalar halfEdge, btScalar height, int resolution,
                              int fixedCorners )
{
    const btScalar a = -halfEdge, b = halfEdge;
    btSoftBody* body = btSoftBodyHelpers::CreatePatch( info, btVector3( a, height, a ), btVector3( b, height, a ),
                                                       btVector3( a, height, b ), btVector3( b, height, b ), resolution,
                                                       resolution, fixedCorners, true );
    body->setTotalMass( 1 );
    return body;
}

} // namespace test

#endif
