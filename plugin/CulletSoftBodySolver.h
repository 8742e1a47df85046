// SPDX-License-Identifier: Zlib
/// \file CulletSoftBodySolver.h
/// Cloth that does not pass through itself: contacts between a soft body's vertices and its own faces, which Bullet
/// leaves out ("only self-collision for Cluster, not Vertex-Face yet", btSoftBody::defaultCollisionHandler). One
/// argument changes, and self-collision is switched on for each body:
///
///     CulletSoftBodySolver solver;
///     btSoftRigidDynamicsWorld world( &dispatcher, &broadphase, &constraintSolver, &configuration, &solver );
///     solver.setVertexFaceSelfCollision( cloth, true );
///
/// Everything else is computed by Bullet, to the bit: soft bodies with each other and with rigid ones, and bodies
/// without this.
///
/// Needs BulletSoftBody. None of the plugin's sources includes this header, so other programs do not need it.
#ifndef CULLET_SOFT_BODY_SOLVER_H
#define CULLET_SOFT_BODY_SOLVER_H

#include "BulletSoftBody/btDefaultSoftBodySolver.h"

#include "soft_bodies/CulletSelfContacts.h"

#include <unordered_map>
#include <vector>

class CulletSoftBodySolver : public btDefaultSoftBodySolver
{
public:
    /// On: the present shape becomes the body's shape at rest, and the body gets VF_SS, without which Bullet builds no
    /// tree of faces; so it also collides with other bodies that have VF_SS. Off: it loses VF_SS again if it got it
    /// here. A vertex is kept back if it moves less than the two margins in a step. It keeps a distance of twice the
    /// margin: choose a margin of about a third of an edge. After vertices were added or removed (refine, cut), switch
    /// on again; until then there are no contacts. Before the body is deleted, switch off.
    /// \return false for a body that collides with others in another way, for example by clusters (CL_SS). It is not
    ///         changed, because Bullet lets a body with two ways pass through all others
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
        body->m_bUpdateRtCst |= rest.addedBit != 0; // predictMotion then builds the tree
        return true;
    }

    /// Bullet clears contacts when it predicts motion, and has added those with other bodies by now.
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
        std::vector<btVector3> vertices; ///< positions at rest
        int addedBit;                    ///< VF_SS if it was added here, else 0
    };

    std::unordered_map<const btSoftBody*, Rest> m_rest;
};

#endif
