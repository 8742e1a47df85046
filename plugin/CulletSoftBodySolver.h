// SPDX-License-Identifier: Zlib
/// \file CulletSoftBodySolver.h
/// Cloth that does not pass through itself: contacts between a soft body's vertices and its own faces, which Bullet
/// leaves out ("only self-collision for Cluster, not Vertex-Face yet", btSoftBody::defaultCollisionHandler). One
/// argument changes, and each body is asked for:
///
///     CulletSoftBodySolver solver;
///     btSoftRigidDynamicsWorld world( &dispatcher, &broadphase, &constraintSolver, &configuration, &solver );
///     solver.setVertexFaceSelfCollision( cloth, true );
///
/// Soft bodies with each other and with rigid ones, and bodies that are not asked for, are Bullet's own to the bit.
///
/// Needs BulletSoftBody; none of the plugin's sources includes this header, so that other programs do not.
#ifndef CULLET_SOFT_BODY_SOLVER_H
#define CULLET_SOFT_BODY_SOLVER_H

#include "BulletSoftBody/btDefaultSoftBodySolver.h"

#include "soft_bodies/CulletSelfContacts.h"

#include <unordered_map>
#include <vector>

class CulletSoftBodySolver : public btDefaultSoftBodySolver
{
public:
    /// On: the body is at rest as it is now, and gets VF_SS, without which it has no tree of faces; so it also meets
    /// other bodies with VF_SS. Off: it loses VF_SS again if it got it here. A vertex is kept back if it passes less
    /// than the two margins in a step, and has twice the margin to itself: choose it at about a third of an edge. After
    /// vertices came or went (refine, cut), switch on again; until then there are no contacts. Before the body is
    /// deleted, switch off.
    /// \return false for a body that meets others in another way, by clusters (CL_SS) for example: it is left as it is,
    ///         because Bullet lets one with two ways pass through all others
    bool setVertexFaceSelfCollision( btSoftBody* body, bool isOn )
    {
        const auto entry = m_rest.find( body );
        if ( entry != m_rest.end() )
        {
            body->m_cfg.collisions &= ~entry->second.addedBit;
            m_rest.erase( entry );
        }
        using Collision = btSoftBody::fCollision;
        int& collisions = body->m_cfg.collisions;
        if ( !isOn || ( collisions & Collision::SVSmask & ~Collision::VF_SS ) != 0 )
        {
            return !isOn;
        }
        Rest& rest = m_rest[body];
        for ( int k = 0; k < body->m_nodes.size(); ++k )
        {
            rest.vertices.push_back( body->m_nodes[k].m_x );
        }
        rest.addedBit = Collision::VF_SS & ~collisions;
        collisions |= Collision::VF_SS;
        body->m_bUpdateRtCst |= rest.addedBit != 0; // predictMotion then makes the tree
        return true;
    }

    /// Contacts are cleared when motion is predicted, and those with others are there by now.
    void solveConstraints( btScalar seconds ) override
    {
        for ( int k = 0; k < m_softBodySet.size(); ++k )
        {
            btSoftBody& body = *m_softBodySet[k];
            const auto entry = m_rest.find( &body );
            if ( entry != m_rest.end() && body.isActive() &&
                 int( entry->second.vertices.size() ) == body.m_nodes.size() )
            {
                CulletSelfContacts contacts( body, entry->second.vertices );
                body.m_ndbvt.collideTT( body.m_ndbvt.m_root, body.m_fdbvt.m_root, contacts );
            }
        }
        btDefaultSoftBodySolver::solveConstraints( seconds );
    }

private:
    struct Rest
    {
        std::vector<btVector3> vertices; ///< where they were
        int addedBit;                    ///< VF_SS if the body did not have it
    };

    std::unordered_map<const btSoftBody*, Rest> m_rest;
};

#endif
