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

/// The boxes of a node's two children, or of a leaf that stands for both; which child is in which lane, its side says.
struct CulletGImpactBoxes
{
    CulletLanes center[3]; ///< in the space of the first tree
    CulletLanes extent[3]; ///< in that of its own
    CulletLanes across[3]; ///< the extent in the other's
    int children[2];       ///< the second is -1 where a leaf stands
};

/// What the boxes of a tree were packed with. Bullet keeps it to itself and to classes derived from its own.
class CulletGImpactPacking
{
public:
    explicit CulletGImpactPacking( const btGImpactQuantizedBvh& tree )
    {
        const btQuantizedBvhTree& boxes = tree.*Tree::boxes();
        for ( int i = 0; i < 3; ++i )
        {
            m_scale[i] = culletAll( ( boxes.*Boxes::scale() )[i] );
            m_offset[i] = culletAll( ( boxes.*Boxes::bound() ).m_min[i] );
        }
    }

    /// bt_unquantize of a coordinate of four boxes.
    CulletLanes unpack( const CulletLanes& packed, int axis ) const
    {
        return packed / m_scale[axis] + m_offset[axis];
    }

private:
    struct Tree : btGImpactQuantizedBvh
    {
        static btQuantizedBvhTree btGImpactQuantizedBvh::*boxes()
        {
            return &Tree::m_box_tree;
        }
    };

    struct Boxes : btQuantizedBvhTree
    {
        static btVector3 btQuantizedBvhTree::*scale()
        {
            return &Boxes::m_bvhQuantization;
        }

        static btAABB btQuantizedBvhTree::*bound()
        {
            return &Boxes::m_global_bound;
        }
    };

    CulletLanes m_scale[3];
    CulletLanes m_offset[3];
};

/// The boxes of one tree, unpacked when they are first needed. A node's place is its number's last bits, so nodes that
/// are near each other in the tree do not take each other's.
class CulletGImpactSide
{
public:
    /// \param isFirst  of the two trees: its first child goes to the lanes 0 and 1, that of the other one to 0 and 2
    CulletGImpactSide( const btGImpactQuantizedBvh& tree, bool isFirst )
        : m_tree( tree ), m_packing( tree ), m_isFirst( isFirst )
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

    /// \param place  ( CulletGImpactBoxes& ): computes `across`, and brings centers into the first tree's space
    /// \return lives until another node is asked for
    template <typename Place>
    const CulletGImpactBoxes& childrenOf( int node, const Place& place )
    {
        CulletGImpactBoxes& boxes = m_boxes[node & ( s_count - 1 )];
        int& kept = m_nodes[node & ( s_count - 1 )];
        if ( kept != node )
        {
            kept = node;
            fill( node, boxes );
            place( boxes );
        }
        return boxes;
    }

private:
    /// btAABB::get_center_extend for two boxes.
    void fill( int node, CulletGImpactBoxes& boxes ) const
    {
        const bool isLeaf = m_tree.isLeafNode( node );
        boxes.children[0] = isLeaf ? node : m_tree.getLeftNode( node );
        boxes.children[1] = isLeaf ? -1 : m_tree.getRightNode( node );
        const BT_QUANTIZED_BVH_NODE& left = *m_tree.get_node_pointer( boxes.children[0] );
        const BT_QUANTIZED_BVH_NODE& right = *m_tree.get_node_pointer( boxes.children[isLeaf ? 0 : 1] );
        for ( int i = 0; i < 3; ++i )
        {
            const CulletLanes lower =
                m_packing.unpack( spread( left.m_quantizedAabbMin[i], right.m_quantizedAabbMin[i] ), i );
            const CulletLanes upper =
                m_packing.unpack( spread( left.m_quantizedAabbMax[i], right.m_quantizedAabbMax[i] ), i );
            boxes.center[i] = ( upper + lower ) * culletAll( btScalar( 0.5 ) );
            boxes.extent[i] = upper - boxes.center[i];
        }
    }

    CulletLanes spread( btScalar left, btScalar right ) const
    {
        return m_isFirst ? culletFour( left, left, right, right ) : culletFour( left, right, left, right );
    }

    static constexpr int s_count = 256;
    const btGImpactQuantizedBvh& m_tree;
    CulletGImpactPacking m_packing;
    bool m_isFirst;
    int m_nodes[s_count];
    CulletGImpactBoxes m_boxes[s_count];
};

/// Walks two trees at once.
class CulletGImpactWalk
{
public:
    CulletGImpactWalk( const btGImpactQuantizedBvh& treeA, const btTransform& transformA,
                       const btGImpactQuantizedBvh& treeB, const btTransform& transformB )
        : m_sideA( treeA, true ), m_sideB( treeB, false )
    {
        m_place.calc_from_homogenic( transformA, transformB );
        for ( int i = 0; i < 3; ++i )
        {
            for ( int j = 0; j < 3; ++j )
            {
                m_turn[i][j] = culletAll( m_place.m_R1to0[i][j] );
                m_reach[i][j] = culletAll( m_place.m_AR[i][j] );
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
        return m_sideA.childrenOf( node,
                                   [this]( CulletGImpactBoxes& boxes )
                                   {
                                       for ( int i = 0; i < 3; ++i )
                                       {
                                           boxes.across[i] = boxes.extent[0] * m_reach[0][i] +
                                                             boxes.extent[1] * m_reach[1][i] +
                                                             boxes.extent[2] * m_reach[2][i];
                                       }
                                   } );
    }

    const CulletGImpactBoxes& childrenOfB( int node )
    {
        return m_sideB.childrenOf(
            node,
            [this]( CulletGImpactBoxes& boxes )
            {
                const CulletLanes center[3] = { boxes.center[0], boxes.center[1], boxes.center[2] };
                for ( int i = 0; i < 3; ++i )
                {
                    boxes.center[i] = m_turn[i][0] * center[0] + m_turn[i][1] * center[1] + m_turn[i][2] * center[2] +
                                      culletAll( m_place.m_T1to0[i] );
                    boxes.across[i] = m_reach[i][0] * boxes.extent[0] + m_reach[i][1] * boxes.extent[1] +
                                      m_reach[i][2] * boxes.extent[2];
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
    CulletLanes m_turn[3][3];           ///< its m_R1to0
    CulletLanes m_reach[3][3];          ///< its m_AR
    CulletGImpactSide m_sideA;
    CulletGImpactSide m_sideB;
};

#endif
