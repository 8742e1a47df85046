// SPDX-License-Identifier: Zlib
/// \file CulletGImpactContacts.h
/// Contacts between the triangles of two mesh parts, computed by Bullet's own function and reported in the order of
/// Bullet's recursion. The walk finds contacts in another order. They are few, so sorting them is cheap.
#ifndef CULLET_GIMPACT_CONTACTS_H
#define CULLET_GIMPACT_CONTACTS_H

#include "CulletGImpactTriangles.h"

class CulletGImpactContacts
{
public:
    typedef btGImpactMeshShapePart::TrimeshPrimitiveManager Mesh;

    /// \param meshA, meshB  must be locked
    CulletGImpactContacts( const Mesh& meshA, const btGImpactQuantizedBvh& treeA, const btTransform& transformA,
                           const Mesh& meshB, const btGImpactQuantizedBvh& treeB, const btTransform& transformB )
        : m_treeA( treeA ), m_treeB( treeB ), m_marginA( meshA.m_margin ), m_marginB( meshB.m_margin ),
          m_trianglesA( meshA, treeA, transformA ), m_trianglesB( meshB, treeB, transformB )
    {
    }

    /// Computes the contacts of the block's triangles.
    void add( const CulletGImpactBlock& block )
    {
        m_trianglesA.take( block );
        m_trianglesB.take( block );
        const CulletLanes margins = culletBroadcast( m_marginA + m_marginB );
        for ( int k = 0; k < block.hitCount; ++k )
        {
            const CulletGImpactHit& hit = block.hits[k];
            const CulletGImpactFaces& a = m_trianglesA.facesOf( hit );
            const CulletGImpactFaces& b = m_trianglesB.facesOf( hit );
            unsigned lanes = hit.lanes & ~culletAreRejected( a, b, margins ).bits();
            for ( ; lanes != 0; lanes &= lanes - 1 )
            {
                const int lane = int( cltLowestBit( lanes ) );
                const int childA = 2 * hit.nodes[0] + CulletGImpactLanes<0>::childIn( lane );
                const int childB = 2 * hit.nodes[1] + CulletGImpactLanes<1>::childIn( lane );
                clip( a.inLane( lane, m_marginA ), b.inLane( lane, m_marginB ), block.children[0]->children[childA],
                      block.children[1]->children[childB] );
            }
        }
    }

    /// \param visit  ( int triangleA, int triangleB, const GIM_TRIANGLE_CONTACT& )
    template <typename Visit>
    void forEach( const Visit& visit )
    {
        if ( m_leaves.size() > 0 )
        {
            sort( &m_leaves[0], &m_leaves[0] + m_leaves.size(), 0, 0 );
        }
        for ( int k = 0; k < m_leaves.size(); ++k )
        {
            visit( m_treeA.getNodeData( m_leaves[k].nodeA ), m_treeB.getNodeData( m_leaves[k].nodeB ),
                   m_contacts[m_leaves[k].contact] );
        }
    }

private:
    struct Leaves
    {
        int nodeA;
        int nodeB;
        int contact; ///< its index in m_contacts
    };

    void clip( btPrimitiveTriangle a, btPrimitiveTriangle b, int nodeA, int nodeB )
    {
        GIM_TRIANGLE_CONTACT contact;
        if ( a.find_triangle_collision_clip_method( b, contact ) )
        {
            m_leaves.push_back( Leaves{ nodeA, nodeB, m_contacts.size() } );
            m_contacts.push_back( contact );
        }
    }

    /// Sorts pairs of leaves into the order of Bullet's recursion: by the children of the first node and, for each, by
    /// those of the second. Nodes are numbered in depth-first order, so all nodes beneath a right child come after
    /// those beneath the left one. No two pairs have the same leaves, so this function ends; it recurses at most as
    /// deep as both trees together.
    void sort( Leaves* first, Leaves* last, int nodeA, int nodeB ) const
    {
        if ( last - first < 2 )
        {
            return;
        }
        if ( m_treeA.isLeafNode( nodeA ) )
        {
            sortByB( first, last, nodeA, nodeB );
            return;
        }
        const int right = m_treeA.getRightNode( nodeA );
        Leaves* const middle = std::partition( first, last, [=]( const Leaves& pair ) { return pair.nodeA < right; } );
        sortByB( first, middle, m_treeA.getLeftNode( nodeA ), nodeB );
        sortByB( middle, last, right, nodeB );
    }

    /// Sorts the pairs of leaves beneath `nodeA` and `nodeB`, first by the children of `nodeB`.
    void sortByB( Leaves* first, Leaves* last, int nodeA, int nodeB ) const
    {
        if ( m_treeB.isLeafNode( nodeB ) )
        {
            sort( first, last, nodeA, nodeB );
            return;
        }
        const int right = m_treeB.getRightNode( nodeB );
        Leaves* const middle = std::partition( first, last, [=]( const Leaves& pair ) { return pair.nodeB < right; } );
        sort( first, middle, nodeA, m_treeB.getLeftNode( nodeB ) );
        sort( middle, last, nodeA, right );
    }

    const btGImpactQuantizedBvh& m_treeA;
    const btGImpactQuantizedBvh& m_treeB;
    btScalar m_marginA;
    btScalar m_marginB;
    CulletGImpactTriangles<0> m_trianglesA;
    CulletGImpactTriangles<1> m_trianglesB;
    btAlignedObjectArray<Leaves> m_leaves;
    btAlignedObjectArray<GIM_TRIANGLE_CONTACT> m_contacts;
};

#endif
