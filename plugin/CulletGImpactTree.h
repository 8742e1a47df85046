// SPDX-License-Identifier: Zlib
/// \file CulletGImpactTree.h
/// Pairs of triangles whose boxes meet, from the trees that two GImpact shapes have: those that
/// btGImpactQuantizedBvh::find_collision tells, in its order, decided by the same arithmetic.
///
/// Bullet's boxes are sixteen bits a side. It unpacks both, with twelve divisions, for each test of two, and a box near
/// the other mesh is tested some ten times. Here what depends on one box alone is computed once and kept, and the
/// children of two nodes are tested at once, each with each.
#ifndef CULLET_GIMPACT_TREE_H
#define CULLET_GIMPACT_TREE_H

#include "CulletLanes.h"

#include "BulletCollision/Gimpact/btGImpactQuantizedBvh.h"

/// A box, and what each test of it needs.
struct CulletGImpactBox
{
    btVector3 center; ///< in the space of the first tree
    btVector3 extent; ///< in that of its own
    btVector3 across; ///< the extent in the other's
};

/// The boxes of a node's two children, or of a leaf that stands for both; which child is in which lane, its side says.
struct CulletGImpactBoxes
{
    void set( int lane, const CulletGImpactBox& box )
    {
        for ( int i = 0; i < 3; ++i )
        {
            center[i].set( lane, box.center[i] );
            extent[i].set( lane, box.extent[i] );
            across[i].set( lane, box.across[i] );
        }
    }

    CulletLanes center[3];
    CulletLanes extent[3];
    CulletLanes across[3];
    int children[2]; ///< the second is -1 where a leaf stands
};

/// The boxes of one tree, unpacked when they are first needed. A node's place is its number's last bits, so nodes that
/// are near each other in the tree do not take each other's.
class CulletGImpactSide
{
public:
    explicit CulletGImpactSide( const btGImpactQuantizedBvh& tree ) : m_tree( tree )
    {
        for ( int& node : m_nodes )
        {
            node = -1;
        }
    }

    const btGImpactQuantizedBvh& tree() const
    {
        return m_tree;
    }

    /// \param lanes  where the two children go, two lanes each
    /// \param place  ( CulletGImpactBox& ): computes `across`, and brings the center into the first tree's space
    /// \return lives until another node is asked for
    template <typename Place>
    const CulletGImpactBoxes& childrenOf( int node, const int ( &lanes )[2][2], const Place& place )
    {
        CulletGImpactBoxes& boxes = m_boxes[node & ( s_count - 1 )];
        int& kept = m_nodes[node & ( s_count - 1 )];
        if ( kept == node )
        {
            return boxes;
        }
        kept = node;
        const bool isLeaf = m_tree.isLeafNode( node );
        boxes.children[0] = isLeaf ? node : m_tree.getLeftNode( node );
        boxes.children[1] = isLeaf ? -1 : m_tree.getRightNode( node );
        for ( int child = 0; child < 2; ++child )
        {
            btAABB bound;
            m_tree.getNodeBound( boxes.children[isLeaf ? 0 : child], bound );
            CulletGImpactBox box;
            bound.get_center_extend( box.center, box.extent );
            place( box );
            boxes.set( lanes[child][0], box );
            boxes.set( lanes[child][1], box );
        }
        return boxes;
    }

private:
    static constexpr int s_count = 256;
    const btGImpactQuantizedBvh& m_tree;
    int m_nodes[s_count];
    CulletGImpactBoxes m_boxes[s_count];
};

/// Walks two trees at once.
class CulletGImpactWalk
{
public:
    CulletGImpactWalk( const btGImpactQuantizedBvh& treeA, const btTransform& transformA,
                       const btGImpactQuantizedBvh& treeB, const btTransform& transformB )
        : m_sideA( treeA ), m_sideB( treeB )
    {
        m_place.calc_from_homogenic( transformA, transformB );
        for ( int i = 0; i < 3; ++i )
        {
            for ( int j = 0; j < 3; ++j )
            {
                m_turn[i][j] = culletAll( m_place.m_R1to0[i][j] );
            }
        }
    }

    /// \param meet  ( int triangleA, int triangleB ): called for each pair
    template <typename Meet>
    void findPairs( const Meet& meet )
    {
        if ( m_sideA.tree().getNodeCount() > 0 && m_sideB.tree().getNodeCount() > 0 && doRootsMeet() )
        {
            descend( 0, 0, meet );
        }
    }

private:
    /// Bullet tests all fifteen axes at the roots and six of them below.
    bool doRootsMeet() const
    {
        btAABB boundA, boundB;
        m_sideA.tree().getNodeBound( 0, boundA );
        m_sideB.tree().getNodeBound( 0, boundB );
        return boundA.overlapping_trans_cache( boundB, m_place, true );
    }

    const CulletGImpactBoxes& childrenOfA( int node )
    {
        static const int lanes[2][2] = { { 0, 1 }, { 2, 3 } };
        return m_sideA.childrenOf( node, lanes,
                                   [this]( CulletGImpactBox& box )
                                   {
                                       for ( int i = 0; i < 3; ++i )
                                       {
                                           box.across[i] = bt_mat3_dot_col( m_place.m_AR, box.extent, i );
                                       }
                                   } );
    }

    const CulletGImpactBoxes& childrenOfB( int node )
    {
        static const int lanes[2][2] = { { 0, 2 }, { 1, 3 } };
        return m_sideB.childrenOf( node, lanes,
                                   [this]( CulletGImpactBox& box )
                                   {
                                       const btVector3 center = box.center;
                                       for ( int i = 0; i < 3; ++i )
                                       {
                                           box.center[i] = m_place.m_R1to0[i].dot( center ) + m_place.m_T1to0[i];
                                           box.across[i] = m_place.m_AR[i].dot( box.extent );
                                       }
                                   } );
    }

    /// btAABB::overlapping_trans_cache without the cross products: the same operations on the same numbers. A NaN parts
    /// nothing.
    CulletLaneMask areApart( const CulletGImpactBoxes& a, const CulletGImpactBoxes& b ) const
    {
        const CulletLanes x = b.center[0] - a.center[0];
        const CulletLanes y = b.center[1] - a.center[1];
        const CulletLanes z = b.center[2] - a.center[2];
        return culletIsBeyond( x, b.across[0] + a.extent[0] ) | culletIsBeyond( y, b.across[1] + a.extent[1] ) |
               culletIsBeyond( z, b.across[2] + a.extent[2] ) |
               culletIsBeyond( along( x, y, z, 0 ), a.across[0] + b.extent[0] ) |
               culletIsBeyond( along( x, y, z, 1 ), a.across[1] + b.extent[1] ) |
               culletIsBeyond( along( x, y, z, 2 ), a.across[2] + b.extent[2] );
    }

    /// On an axis of the second tree.
    CulletLanes along( const CulletLanes& x, const CulletLanes& y, const CulletLanes& z, int axis ) const
    {
        return x * m_turn[0][axis] + y * m_turn[1][axis] + z * m_turn[2][axis];
    }

    /// What Bullet's recursion does after two nodes met: the children of the first with those of the second.
    template <typename Meet>
    void descend( int nodeA, int nodeB, const Meet& meet )
    {
        const btGImpactQuantizedBvh& treeA = m_sideA.tree();
        const btGImpactQuantizedBvh& treeB = m_sideB.tree();
        if ( treeA.isLeafNode( nodeA ) && treeB.isLeafNode( nodeB ) )
        {
            meet( treeA.getNodeData( nodeA ), treeB.getNodeData( nodeB ) );
            return;
        }
        const CulletGImpactBoxes& a = childrenOfA( nodeA );
        const CulletGImpactBoxes& b = childrenOfB( nodeB );
        const int childrenA[2] = { a.children[0], a.children[1] };
        const int childrenB[2] = { b.children[0], b.children[1] };
        const unsigned there = ( childrenA[1] < 0 ? 0x3 : 0xf ) & ( childrenB[1] < 0 ? 0x5 : 0xf );
        for ( unsigned lanes = there & ~areApart( a, b ).bits(); lanes != 0; lanes &= lanes - 1 )
        {
            const int lane = __builtin_ctz( lanes );
            descend( childrenA[lane >> 1], childrenB[lane & 1], meet );
        }
    }

    BT_BOX_BOX_TRANSFORM_CACHE m_place; ///< of the second tree in the space of the first
    CulletLanes m_turn[3][3];
    CulletGImpactSide m_sideA;
    CulletGImpactSide m_sideB;
};

#endif
