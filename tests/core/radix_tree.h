// SPDX-License-Identifier: Zlib
/// \file radix_tree.h
/// A tree over given keys, built by calling the climbing step once a leaf, for tests to look into.
#ifndef CLT_TESTS_RADIX_TREE_H
#define CLT_TESTS_RADIX_TREE_H

#include "gpu/core/lbvh.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace test
{

/// Leaf i is the box [i, i] on every axis unless boxes are given, so that a node's box shows which leaves it covers.
class RadixTree
{
public:
    /// `codes` ascend.
    explicit RadixTree( const std::vector<uint32_t>& codes ) : RadixTree( codes, numberedBoxes( codes.size() ) )
    {
    }

    RadixTree( const std::vector<uint32_t>& codes, std::vector<cltAabb> boxes ) : m_boxes( std::move( boxes ) )
    {
        uint32_t count = static_cast<uint32_t>( codes.size() );
        for ( uint32_t i = 0; i < count; ++i )
        {
            // What stands below the code must not matter to the shape: let it descend.
            m_keys.push_back( ( static_cast<uint64_t>( codes[i] ) << 32 ) | ( count - i ) );
        }
        m_nodes.resize( 2 * count - 1 );
        m_meetings.assign( count - 1, CLT_ROPE_END );
        m_tree.nodes = m_nodes.data();
        m_tree.keys = m_keys.data();
        m_tree.meetings = m_meetings.data();
        m_tree.leafCount = count;
        m_tree.filters = nullptr;
    }

    /// Has the tree keep filters, and gives its leaves theirs.
    void setFilters( const std::vector<cltFilter>& leafFilters )
    {
        m_filters.resize( m_nodes.size() );
        std::copy( leafFilters.begin(), leafFilters.end(), m_filters.end() - m_tree.leafCount );
        m_tree.filters = m_filters.data();
    }

    void climb( uint32_t leaf )
    {
        cltTree_ClimbStep( &m_tree, leaf, &m_boxes[leaf] );
    }

    /// As often as you like.
    void climbAll()
    {
        std::fill( m_meetings.begin(), m_meetings.end(), CLT_ROPE_END );
        for ( uint32_t leaf = 0; leaf < m_tree.leafCount; ++leaf )
        {
            climb( leaf );
        }
    }

    const cltTree* view() const
    {
        return &m_tree;
    }

    const cltNode& node( uint32_t index ) const
    {
        return m_nodes.at( index );
    }

    const std::vector<cltNode>& nodes() const
    {
        return m_nodes;
    }

private:
    static std::vector<cltAabb> numberedBoxes( size_t count )
    {
        std::vector<cltAabb> boxes( count );
        for ( size_t i = 0; i < count; ++i )
        {
            float at = static_cast<float>( i );
            boxes[i] = { { at, at, at }, { at, at, at } };
        }
        return boxes;
    }

    std::vector<cltAabb> m_boxes;
    std::vector<uint64_t> m_keys;
    std::vector<cltNode> m_nodes;
    std::vector<uint32_t> m_meetings;
    std::vector<cltFilter> m_filters;
    cltTree m_tree;
};

} // namespace test

#endif
