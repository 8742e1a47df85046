// SPDX-License-Identifier: Zlib
/// \file CulletGImpactWalk.h
/// Finds the pairs of triangles with overlapping boxes in the trees of two GImpact shapes: the pairs that
/// btGImpactQuantizedBvh::find_collision finds, by the same arithmetic, in another order.
///
/// Bullet's recursion tests one pair of boxes after the other, and the processor mispredicts half of its branches. Here
/// a block of pairs of nodes is tested before the nodes beneath it. The children of two nodes are tested at once, each
/// with each, and overlapping pairs are written without a branch.
#ifndef CULLET_GIMPACT_WALK_H
#define CULLET_GIMPACT_WALK_H

#include "CulletGImpactTree.h"

#include "LinearMath/btAlignedObjectArray.h"

#include <algorithm>

/// A node of each tree. At least one child of the first node and one of the second are leaves that overlap.
struct CulletGImpactHit
{
    int nodes[2];
    unsigned lanes; ///< mask of the lanes in which two leaves overlap
};

struct CulletGImpactBlock
{
    const CulletGImpactHit* hits;
    int hitCount;
    const CulletGImpactChildren* children[2]; ///< of the block's nodes, for each tree
};

class CulletGImpactWalk
{
public:
    CulletGImpactWalk( const btGImpactQuantizedBvh& treeA, const btTransform& transformA,
                       const btGImpactQuantizedBvh& treeB, const btTransform& transformB )
        : m_sideA( treeA ), m_sideB( treeB )
    {
        m_secondToFirst.calc_from_homogenic( transformA, transformB );
        for ( int i = 0; i < 3; ++i )
        {
            for ( int j = 0; j < 3; ++j )
            {
                m_turn[i][j] = culletBroadcast( m_secondToFirst.m_R1to0[i][j] );
                m_reach[i][j] = culletBroadcast( m_secondToFirst.m_AR[i][j] );
            }
        }
    }

    /// \param visit  ( const CulletGImpactBlock& ): called for each block
    template <typename Visit>
    void findPairs( const Visit& visit )
    {
        if ( m_sideA.tree().getNodeCount() > 0 && m_sideB.tree().getNodeCount() > 0 && doRootsOverlap() )
        {
            CulletGImpactChildren root;
            root.nodeCount = 1;
            root.children[0] = root.children[1] = 0;
            m_pairs.reserve( s_mostPairs * 4 );
            m_pairs.push_back( 0 );
            descend( 0, root, root, visit );
        }
    }

private:
    /// A pair of nodes to test: two indices into CulletGImpactChildren::children of the block one level up. The lower
    /// half of the bits is the index for the first tree, the upper half the index for the second.
    typedef uint64_t Pair;

    /// Tests all fifteen axes, as Bullet does for the roots. For all other nodes Bullet tests six of them.
    bool doRootsOverlap() const
    {
        btAABB boundA, boundB;
        m_sideA.tree().getNodeBound( 0, boundA );
        m_sideB.tree().getNodeBound( 0, boundB );
        return boundA.overlapping_trans_cache( boundB, m_secondToFirst, true );
    }

    static int childA( Pair pair )
    {
        return int( uint32_t( pair ) );
    }

    static int childB( Pair pair )
    {
        return int( pair >> 32 );
    }

    /// Tests m_pairs from index `first` on, in blocks. Each block is followed by all pairs beneath it.
    template <typename Visit>
    void descend( int first, const CulletGImpactChildren& aboveA, const CulletGImpactChildren& aboveB,
                  const Visit& visit )
    {
        const int last = m_pairs.size();
        for ( int next = first; next < last; )
        {
            const int begin = next;
            next = takeBlock( begin, last, aboveA, aboveB );
            CulletGImpactChildren childrenA, childrenB;
            m_sideA.unpack( aboveA, childrenA, [this]( CulletGImpactBoxes& boxes ) { placeA( boxes ); } );
            m_sideB.unpack( aboveB, childrenB, [this]( CulletGImpactBoxes& boxes ) { placeB( boxes ); } );
            const int hitCount = testChildren( begin, next );
            visit( CulletGImpactBlock{ m_hits, hitCount, { &childrenA, &childrenB } } );
            descend( last, childrenA, childrenB, visit );
        }
        m_pairs.resizeNoInitialize( first );
    }

    /// Adds to both sides the nodes of as many pairs as fit into a block, from `begin` on.
    /// \return the index after the last of these pairs
    int takeBlock( int begin, int last, const CulletGImpactChildren& aboveA, const CulletGImpactChildren& aboveB )
    {
        m_sideA.beginBlock( aboveA );
        m_sideB.beginBlock( aboveB );
        const Pair* const pairs = &m_pairs[0];
        const int end = std::min( last, begin + s_mostPairs );
        int leftA = culletGImpactNodes;
        int leftB = culletGImpactNodes;
        int next = begin;
        while ( next < end && leftA >= s_atOnce && leftB >= s_atOnce )
        {
            for ( const int stop = std::min( end, next + s_atOnce ); next < stop; ++next )
            {
                leftA -= m_sideA.need( childA( pairs[next] ) );
                leftB -= m_sideB.need( childB( pairs[next] ) );
            }
        }
        return next;
    }

    /// Tests the children of the block's pairs. Pairs of leaves that overlap are written to m_hits, other
    /// overlapping pairs to m_pairs. \return number of hits
    int testChildren( int begin, int end )
    {
        CulletGImpactHit* hits = m_hits;
        for ( int next = begin; next < end; next += s_atOnce )
        {
            hits = testChildren( next, std::min( end, next + s_atOnce ), hits );
        }
        return int( hits - m_hits );
    }

    CulletGImpactHit* testChildren( int begin, int end, CulletGImpactHit* hits )
    {
        Pair* const below = reserve( 4 * ( end - begin ) );
        Pair* belowEnd = below;
        const Pair* const pairs = &m_pairs[0];
        for ( int k = begin; k < end; ++k )
        {
            const int nodeA = m_sideA.node( childA( pairs[k] ) );
            const int nodeB = m_sideB.node( childB( pairs[k] ) );
            const CulletGImpactBoxes& a = m_sideA.childrenOf( nodeA );
            const CulletGImpactBoxes& b = m_sideB.childrenOf( nodeB );
            const unsigned lanes = a.there & b.there & ~areApart( a, b ).bits();
            const unsigned leaves = lanes & a.leaves & b.leaves;
            *hits = { { nodeA, nodeB }, leaves };
            hits += leaves != 0;
            belowEnd = keep( nodeA, nodeB, lanes & ~leaves, belowEnd );
        }
        m_pairs.resizeNoInitialize( m_pairs.size() + int( belowEnd - below ) );
        return hits;
    }

    Pair* reserve( int more )
    {
        if ( m_pairs.capacity() - m_pairs.size() < more )
        {
            m_pairs.reserve( 2 * m_pairs.size() + more );
        }
        return &m_pairs[0] + m_pairs.size();
    }

    /// Writes four pairs of children, and keeps those with a bit set in `lanes`.
    static Pair* keep( int nodeA, int nodeB, unsigned lanes, Pair* end )
    {
        const Pair secondOfB = Pair( 1 ) << 32;
        const Pair firsts = Pair( 2 * nodeA ) + secondOfB * Pair( 2 * nodeB );
        *end = firsts;
        end += lanes & 1;
        *end = firsts + secondOfB;
        end += lanes >> 1 & 1;
        *end = firsts + 1;
        end += lanes >> 2 & 1;
        *end = firsts + 1 + secondOfB;
        return end + ( lanes >> 3 );
    }

    void placeA( CulletGImpactBoxes& boxes ) const
    {
        CLT_UNROLL
        for ( int i = 0; i < 3; ++i )
        {
            boxes.across[i] =
                boxes.extent[0] * m_reach[0][i] + boxes.extent[1] * m_reach[1][i] + boxes.extent[2] * m_reach[2][i];
        }
    }

    void placeB( CulletGImpactBoxes& boxes ) const
    {
        const CulletLanes center[3] = { boxes.center[0], boxes.center[1], boxes.center[2] };
        CLT_UNROLL
        for ( int i = 0; i < 3; ++i )
        {
            boxes.center[i] = culletDot( m_turn[i], center ) + culletBroadcast( m_secondToFirst.m_T1to0[i] );
            boxes.across[i] = culletDot( m_reach[i], boxes.extent );
        }
    }

    /// \return the lanes in which btAABB::overlapping_trans_cache, without the cross products, finds no overlap. The
    ///         arithmetic is Bullet's. Boxes with a NaN count as overlapping
    CulletLaneMask areApart( const CulletGImpactBoxes& a, const CulletGImpactBoxes& b ) const
    {
        const CulletLanes x = b.center[0] - a.center[0];
        const CulletLanes y = b.center[1] - a.center[1];
        const CulletLanes z = b.center[2] - a.center[2];
        return ( culletAbs( x ) > b.across[0] + a.extent[0] ) | ( culletAbs( y ) > b.across[1] + a.extent[1] ) |
               ( culletAbs( z ) > b.across[2] + a.extent[2] ) |
               ( culletAbs( along( x, y, z, 0 ) ) > a.across[0] + b.extent[0] ) |
               ( culletAbs( along( x, y, z, 1 ) ) > a.across[1] + b.extent[1] ) |
               ( culletAbs( along( x, y, z, 2 ) ) > a.across[2] + b.extent[2] );
    }

    /// The projection of a vector on an axis of the second tree.
    CulletLanes along( const CulletLanes& x, const CulletLanes& y, const CulletLanes& z, int axis ) const
    {
        return x * m_turn[0][axis] + y * m_turn[1][axis] + z * m_turn[2][axis];
    }

    static constexpr int s_mostPairs = 1024; ///< largest number of pairs in a block
    static constexpr int s_atOnce = 64;      ///< pairs added between two checks of a block's limits

    BT_BOX_BOX_TRANSFORM_CACHE m_secondToFirst; ///< the transform from the second tree's space to the first's
    CulletLanes m_turn[3][3];                   ///< m_secondToFirst.m_R1to0
    CulletLanes m_reach[3][3];                  ///< m_secondToFirst.m_AR
    CulletGImpactSide<0> m_sideA;
    CulletGImpactSide<1> m_sideB;
    CulletGImpactHit m_hits[s_mostPairs + 1]; ///< of a block, and a spare one for writing without a branch
    btAlignedObjectArray<Pair> m_pairs; ///< of all levels: overlapping pairs with children that are still to be tested
};

#endif
