// SPDX-License-Identifier: Zlib
/// \file CulletSelfContacts.h
/// Contacts between the vertices and the faces of one soft body.
#ifndef CULLET_SELF_CONTACTS_H
#define CULLET_SELF_CONTACTS_H

#include "BulletSoftBody/btSoftBody.h"
#include "BulletSoftBody/btSoftBodyInternals.h"

#include <vector>

/// Makes contacts for the overlaps of a body's vertex tree with its face tree, as Bullet's CollideVF_SS does, with
/// three differences because both belong to one body:
/// - near means within the margins of vertex and face together. Bullet adds twice the vertex's motion in this step,
///   which would make a falling cloth push its own parts apart;
/// - a vertex that passed through a face in this step is put back to the side it came from;
/// - vertices that were near a face when the body was at rest are its neighbours and get no contact, nor do its
///   corners.
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
        // A face without area, or with a NaN, has no contacts. At distance zero the direction is undefined, in Bullet
        // too.
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
        // As Bullet has it: a face with a corner that does not move does not move.
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
    btScalar m_margin; ///< of vertex and face together
};

#endif
