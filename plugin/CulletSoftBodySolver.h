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
/// without self-collision.
///
/// Needs BulletSoftBody. None of the plugin's sources includes this header, so other programs do not need it.
#ifndef CULLET_SOFT_BODY_SOLVER_H
#define CULLET_SOFT_BODY_SOLVER_H

#include "BulletSoftBody/btDefaultSoftBodySolver.h"
#include "BulletSoftBody/btSoftBody.h"
#include "BulletSoftBody/btSoftBodyInternals.h"

#include <unordered_map>
#include <vector>

/// Makes contacts for the overlaps of a body's vertex tree with its face tree, as Bullet's CollideVF_SS does, with
/// three differences because both belong to one body:
/// - a vertex is near a face within the sum of both margins. Bullet adds twice the vertex's motion in this step to the
///   sum, which would make a falling cloth push its own parts apart;
/// - a vertex that passed through a face in this step is put back to the side it came from;
/// - a face gets no contact with its own corners, nor with its neighbours: vertices that were near it when the body was
///   at rest.
struct CulletSelfContacts : btDbvt::ICollide
{
    CulletSelfContacts( btSoftBody& body, const std::vector<btVector3>& rest )
        : m_body( body ), m_rest( rest ), m_margin( 2 * body.getCollisionShape()->getMargin() )
    {
    }

    using btDbvt::ICollide::Process;
    void Process( const btDbvtNode* nodeLeaf, const btDbvtNode* faceLeaf ) override
    {
        auto& node = *static_cast<btSoftBody::Node*>( nodeLeaf->data );
        auto& face = *static_cast<btSoftBody::Face*>( faceLeaf->data );
        btSoftBody::Node* const* corners = face.m_n;
        if ( corners[0] == &node || corners[1] == &node || corners[2] == &node )
        {
            return;
        }
        btVector3 offset( 0, 0, 0 ); // from the vertex to the face's nearest point
        const btScalar squared = toFace( node.m_x, corners[0]->m_x, corners[1]->m_x, corners[2]->m_x, offset );
        // No contact with a face without area or with a NaN, nor at distance zero: its direction would be undefined.
        if ( squared > 0 && squared < SIMD_INFINITY )
        {
            addContact( node, face, offset, squared );
        }
    }

private:
    /// \return the squared distance, SIMD_INFINITY from a face without area
    static btScalar toFace( const btVector3& from, const btVector3& a, const btVector3& b, const btVector3& c,
                            btVector3& offset )
    {
        btScalar squared = SIMD_INFINITY;
        ProjectOrigin( a - from, b - from, c - from, offset, squared );
        return squared;
    }

    bool areNeighbours( const btSoftBody::Node& node, const btSoftBody::Face& face ) const
    {
        btVector3 offset( 0, 0, 0 );
        return toFace( rest( node ), rest( *face.m_n[0] ), rest( *face.m_n[1] ), rest( *face.m_n[2] ), offset ) <
               m_margin * m_margin;
    }

    const btVector3& rest( const btSoftBody::Node& node ) const
    {
        return m_rest[std::size_t( &node - &m_body.m_nodes[0] )];
    }

    void addContact( btSoftBody::Node& node, btSoftBody::Face& face, const btVector3& offset, btScalar squared )
    {
        btSoftBody::Node* const* corners = face.m_n;
        btSoftBody::SContact contact;
        contact.m_weights = BaryCoord( corners[0]->m_x, corners[1]->m_x, corners[2]->m_x, offset + node.m_x );
        const btVector3 before =
            BaryEval( corners[0]->m_q, corners[1]->m_q, corners[2]->m_q, contact.m_weights ) - node.m_q;
        // Negative: the vertex passed through.
        const btScalar distance = btDot( before, offset ) < 0 ? -btSqrt( squared ) : btSqrt( squared );
        contact.m_normal = offset / -distance;
        contact.m_margin = m_margin;
        if ( distance >= m_margin ||
             areNeighbours( node, face ) ) // beyond the margin, a contact would pull them together
        {
            return;
        }
        contact.m_node = &node;
        contact.m_face = &face;
        contact.m_friction = m_body.m_cfg.kDF;
        // As in Bullet, a face with a fixed corner counts as fixed.
        const bool isFixed = corners[0]->m_im <= 0 || corners[1]->m_im <= 0 || corners[2]->m_im <= 0;
        const btScalar faceMass =
            isFixed ? 0 : BaryEval( corners[0]->m_im, corners[1]->m_im, corners[2]->m_im, contact.m_weights );
        const btScalar sum = node.m_im + faceMass;
        if ( sum > 0 )
        {
            contact.m_cfm[0] = node.m_im / sum * m_body.m_cfg.kSHR;
            contact.m_cfm[1] = faceMass / sum * m_body.m_cfg.kSHR;
            m_body.m_scontacts.push_back( contact );
        }
    }

    btSoftBody& m_body;
    const std::vector<btVector3>& m_rest;
    btScalar m_margin; ///< sum of the margins of vertex and face
};

/// Bullet's solver of soft bodies, with contacts between a body and itself.
class CulletSoftBodySolver : public btDefaultSoftBodySolver
{
public:
    /// If `isOn`, the current shape becomes the shape at rest, and the body gets the flag VF_SS, because Bullet builds
    /// a tree of faces only with it. So the body also collides with other bodies that have VF_SS. If `isOn` is false,
    /// VF_SS is removed if this function added it. A vertex keeps a distance of twice the margin from a face, and
    /// cannot pass it if it moves by less than that in a step: choose a margin of about a third of an edge. After
    /// vertices were added or removed (refine, cut), switch on again; until then the body has no contacts with itself.
    /// Before deleting the body, switch off. If a cut left several pieces, switch off and remove VF_SS: Bullet's
    /// function that builds the tree of faces (seen in 3.24) never returns for a mesh in several pieces.
    /// \return false for a body with another flag for collisions of soft bodies, such as CL_SS (clusters). It is not
    ///         changed, because Bullet lets a body with two of these flags pass through all others
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

    /// Adds self-contacts first: by now Bullet has cleared the contacts and added those with other bodies.
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
