// SPDX-License-Identifier: Zlib
/// \file radix_tree.h
/// A radix tree over given keys, built by one call of the climbing step per leaf. Tests examine its nodes.
#ifndef CLT_TESTS_RADIX_TREE_H
#define CLT_TESTS_RADIX_TREE_H

#include "gpu/core/lbvh.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace test
{

struct RadixTree
{
    /// `codes` ascend. Leaf i is the box [i, i] on every axis unless boxes are given, so that a node's box shows which
    /// leaves it covers.
    explicit RadixTree( const std::vector<uint32_t>& codes, std::vector<cltAabb> leafBoxes = {} )
        : boxes( std::move( leafBoxes ) ), nodes( 2 * codes.size() - 1 ), meetings( codes.size() - 1, CLT_NO_PARTNER )
    {
        const uint32_t count = static_cast<uint32_t>( codes.size() );
        for ( uint32_t i = 0; i < count; ++i )
        {
            // Bits below the code must not influence the shape, so they descend.
            keys.push_back( ( static_cast<uint64_t>( codes[i] ) << 32 ) | ( count - i ) );
        }
        for ( float at = 0; boxes.size() < count; ++at )
        {
            boxes.push_back( { { at, at, at }, { at, at, at } } );
        }
        view = { nodes.data(), keys.data(), meetings.data(), count, nullptr };
    }

    RadixTree( const RadixTree& ) = delete; // the view points into it

    /// Adds filters to the tree and sets those of the leaves.
    void setFilters( const std::vector<cltFilter>& leafFilters )
    {
        filters.resize( nodes.size() );
        std::copy( leafFilters.begin(), leafFilters.end(), filters.end() - view.leafCount );
        view.filters = filters.data();
    }

    void climb( uint32_t leaf )
    {
        cltTree_ClimbStep( &view, leaf, &boxes[leaf] );
    }

    /// Climbs from all leaves. May be called repeatedly.
    void climbAll()
    {
        std::fill( meetings.begin(), meetings.end(), CLT_NO_PARTNER );
        for ( uint32_t leaf = 0; leaf < view.leafCount; ++leaf )
        {
            climb( leaf );
        }
    }

    /// Climbs block by block, the last block first: a block reaches shared nodes after some blocks and before others.
    void climbBlocks( uint32_t blockSize )
    {
        std::vector<uint32_t> places( blockSize + 1, CLT_NO_PARTNER );
        for ( uint32_t block = ( view.leafCount - 1 ) / blockSize + 1; block-- > 0; )
        {
            const uint32_t begin = block * blockSize;
            const cltMeetings ofBlock = { places.data(), begin - 1, true };
            for ( uint32_t leaf = begin; leaf < std::min( begin + blockSize, view.leafCount ); ++leaf )
            {
                cltTree_PlaceLeaf( &view, leaf, &boxes[leaf] );
                cltTree_Climb( &view, &ofBlock, leaf, leaf );
            }
            for ( uint32_t place = 0; place <= blockSize; ++place )
            {
                cltTree_ClimbOn( &view, &ofBlock, place );
                places[place] = CLT_NO_PARTNER;
            }
        }
    }

    std::vector<cltAabb> boxes;
    std::vector<uint64_t> keys;
    std::vector<cltNode> nodes;
    std::vector<uint32_t> meetings;
    std::vector<cltFilter> filters;
    cltTree view;
};

} // namespace test

#endif
