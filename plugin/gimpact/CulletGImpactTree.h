// SPDX-License-Identifier: Zlib
/// \file CulletGImpactTree.h
/// The boxes of a GImpact shape's tree, unpacked for a walk of two trees at once.
///
/// Bullet's boxes are quantized to sixteen bits per coordinate. For each test of two boxes, Bullet unpacks both, with
/// twelve divisions. A box near the other mesh is tested about ten times. Here all values that depend on one box alone
/// are computed once for a whole block of pairs, by the same arithmetic.
#ifndef CULLET_GIMPACT_TREE_H
#define CULLET_GIMPACT_TREE_H

#include "CulletLanes.h"

#include "BulletCollision/Gimpact/btGImpactQuantizedBvh.h"

#include <string.h>

/// Largest number of nodes of either tree in a block of pairs. Their data fits the first cache levels and the stack.
constexpr int culletGImpactNodes = 192;

/// Assigns consecutive numbers to ids that are requested, so that their data can be stored in a dense array. Has no
/// branches, because the processor could not predict whether an id was requested before.
/// \tparam mostIds  all ids are smaller
template <int mostIds>
class CulletNumbering
{
public:
    /// Clears all requests. Valid ids are then 0 … idCount - 1.
    void begin( int idCount )
    {
        m_idCount = idCount;
        memset( m_isRequested, 0, size_t( idCount ) );
    }

    /// \return number of ids added: 0 if the id was requested before, else 1
    int request( int id )
    {
        const int isNew = 1 - m_isRequested[id];
        m_isRequested[id] = 1;
        return isNew;
    }

    /// Numbers the requested ids in ascending order. Call it once, after all requests. \return number of requested ids
    int number()
    {
        int count = 0;
        for ( int id = 0; id < m_idCount; ++id )
        {
            m_numbers[id] = count;
            m_ids[count] = id;
            count += m_isRequested[id];
        }
        return count;
    }

    /// \return the number of a requested id; an arbitrary value for any other
    int numberOf( int id ) const
    {
        return m_numbers[id];
    }

    int idOf( int number ) const
    {
        return m_ids[number];
    }

private:
    int m_idCount;
    int m_numbers[mostIds];
    int m_ids[mostIds];
    unsigned char m_isRequested[mostIds]; ///< 0 or 1
};

/// The tree indices of the children of a block's nodes, two for each node.
struct CulletGImpactChildren
{
    int nodeCount;
    int children[2 * culletGImpactNodes];
};

/// Assigns children to lanes. Two children of one tree and two of the other form four pairs, one in each lane.
/// \tparam side  0: the first tree, with its first child in lanes 0 and 1; 1: the second, with its first child in lanes
///               0 and 2
template <int side>
struct CulletGImpactLanes
{
    static constexpr unsigned s_first = side == 0 ? 0x3 : 0x5;
    static constexpr unsigned s_second = 0xf - s_first;

    static int childIn( int lane )
    {
        return side == 0 ? lane >> 1 : lane & 1;
    }

    static CulletLanes spread( btScalar first, btScalar second )
    {
        return side == 0 ? culletLanesOf( first, first, second, second )
                         : culletLanesOf( first, second, first, second );
    }

    /// Converts the quantized coordinates of a node's two children to btScalar, and spreads them over the lanes.
    static void spread( const BT_QUANTIZED_BVH_NODE& first, const BT_QUANTIZED_BVH_NODE& second,
                        CulletLanes ( &lower )[3], CulletLanes ( &upper )[3] )
    {
#if defined( CULLET_SSE2 ) && !defined( BT_USE_DOUBLE_PRECISION )
        static_assert( sizeof( BT_QUANTIZED_BVH_NODE ) == sizeof( __m128i ),
                       "six values of sixteen bits, and one of 32" );
        const __m128i a = *reinterpret_cast<const __m128i*>( &first );
        const __m128i d = *reinterpret_cast<const __m128i*>( &second );
        const __m128i b = side == 0 ? a : d;
        const __m128i c = side == 0 ? d : a;
        const __m128i ab = _mm_unpacklo_epi16( a, b );
        const __m128i cd = _mm_unpacklo_epi16( c, d );
        const __m128i low = _mm_unpacklo_epi32( ab, cd );
        const __m128i middle = _mm_unpackhi_epi32( ab, cd );
        const __m128i high = _mm_unpacklo_epi32( _mm_unpackhi_epi16( a, b ), _mm_unpackhi_epi16( c, d ) );
        const __m128i zero = _mm_setzero_si128();
        lower[0].part[0] = _mm_cvtepi32_ps( _mm_unpacklo_epi16( low, zero ) );
        lower[1].part[0] = _mm_cvtepi32_ps( _mm_unpackhi_epi16( low, zero ) );
        lower[2].part[0] = _mm_cvtepi32_ps( _mm_unpacklo_epi16( middle, zero ) );
        upper[0].part[0] = _mm_cvtepi32_ps( _mm_unpackhi_epi16( middle, zero ) );
        upper[1].part[0] = _mm_cvtepi32_ps( _mm_unpacklo_epi16( high, zero ) );
        upper[2].part[0] = _mm_cvtepi32_ps( _mm_unpackhi_epi16( high, zero ) );
#else
        CLT_UNROLL
        for ( int i = 0; i < 3; ++i )
        {
            lower[i] = spread( first.m_quantizedAabbMin[i], second.m_quantizedAabbMin[i] );
            upper[i] = spread( first.m_quantizedAabbMax[i], second.m_quantizedAabbMax[i] );
        }
#endif
    }
};

/// The boxes of a node's two children, or of a leaf in place of its children.
struct CulletGImpactBoxes
{
    CulletLanes center[3]; ///< in the space of the first tree
    CulletLanes extent[3]; ///< in the space of the node's own tree
    CulletLanes across[3]; ///< the extent in the other tree's space
    unsigned there;        ///< mask of lanes with a child
    unsigned leaves;       ///< mask of lanes with a child that is a leaf
};

/// The quantization of a tree's boxes. In Bullet only derived classes can read it.
class CulletGImpactPacking
{
public:
    explicit CulletGImpactPacking( const btGImpactQuantizedBvh& tree )
    {
        const btQuantizedBvhTree& boxes = tree.*Tree::boxes();
        for ( int i = 0; i < 3; ++i )
        {
            m_scale[i] = culletBroadcast( ( boxes.*Boxes::scale() )[i] );
            m_offset[i] = culletBroadcast( ( boxes.*Boxes::bound() ).m_min[i] );
        }
    }

    /// bt_unquantize for one coordinate of four boxes.
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

/// The nodes of one tree that a block of pairs needs. They are children of nodes of the block one level up. A leaf
/// counts as its own only child, because the node that it is paired with may have children.
template <int side>
class CulletGImpactSide
{
public:
    explicit CulletGImpactSide( const btGImpactQuantizedBvh& tree ) : m_tree( tree ), m_packing( tree )
    {
    }

    const btGImpactQuantizedBvh& tree() const
    {
        return m_tree;
    }

    void beginBlock( const CulletGImpactChildren& above )
    {
        m_nodes.begin( 2 * above.nodeCount );
    }

    /// Requests a node by its index in the children of the block one level up. \return number of nodes added, 0 or 1
    int need( int childAbove )
    {
        return m_nodes.request( childAbove );
    }

    /// \param place  ( CulletGImpactBoxes& ): computes `across`, and transforms centers into the first tree's space
    template <typename Place>
    void unpack( const CulletGImpactChildren& above, CulletGImpactChildren& below, const Place& place )
    {
        below.nodeCount = m_nodes.number();
        for ( int k = 0; k < below.nodeCount; ++k )
        {
            fill( above.children[m_nodes.idOf( k )], below.children + 2 * k, m_boxes[k] );
            place( m_boxes[k] );
        }
    }

    int node( int childAbove ) const
    {
        return m_nodes.numberOf( childAbove );
    }

    const CulletGImpactBoxes& childrenOf( int node ) const
    {
        return m_boxes[node];
    }

private:
    typedef CulletGImpactLanes<side> Lanes;

    void fill( int node, int* children, CulletGImpactBoxes& boxes ) const
    {
        const bool isLeaf = m_tree.isLeafNode( node );
        const int first = isLeaf ? node : m_tree.getLeftNode( node );
        const int second = isLeaf ? node : m_tree.getRightNode( node );
        children[0] = first;
        children[1] = second;
        boxes.there = isLeaf ? Lanes::s_first : 0xf;
        boxes.leaves =
            ( m_tree.isLeafNode( first ) ? Lanes::s_first : 0 ) | ( m_tree.isLeafNode( second ) ? Lanes::s_second : 0 );
        CulletLanes lower[3], upper[3];
        Lanes::spread( *m_tree.get_node_pointer( first ), *m_tree.get_node_pointer( second ), lower, upper );
        CLT_UNROLL
        for ( int i = 0; i < 3; ++i ) // btAABB::get_center_extend
        {
            lower[i] = m_packing.unpack( lower[i], i );
            upper[i] = m_packing.unpack( upper[i], i );
            boxes.center[i] = ( upper[i] + lower[i] ) * culletBroadcast( btScalar( 0.5 ) );
            boxes.extent[i] = upper[i] - boxes.center[i];
        }
    }

    const btGImpactQuantizedBvh& m_tree;
    CulletGImpactPacking m_packing;
    CulletNumbering<2 * culletGImpactNodes> m_nodes; ///< numbers the requested nodes
    CulletGImpactBoxes m_boxes[culletGImpactNodes];
};

#endif
