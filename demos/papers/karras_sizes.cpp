// SPDX-License-Identifier: Zlib
/// \file karras_sizes.cpp
/// "Consistently performs better on all problem sizes", Part III: which of two builds is the quicker.
#include "karras.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <utility>

namespace cullet::papers
{

bool findsThePairs( KarrasTree tree, const Motion& motion )
{
    Walked walked;
    fitBoxes( tree, motion.lastBoxes() );
    walkSimultaneously( tree, 1, walked ); // the quickest
    return sortedPairs( walked ) == motion.pairs();
}

namespace
{

/// Of more, walking takes longer than all else here.
constexpr std::uint32_t mostWalked = 100000;

/// Whatever numbers their inner nodes have.
bool areSame( const KarrasTree& a, const KarrasTree& b )
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack = { { 0, 0 } };
    bool same = a.leafCount == b.leafCount && a.bodies == b.bodies;
    while ( same && !stack.empty() )
    {
        const auto [nodeA, nodeB] = stack.back();
        stack.pop_back();
        same = a.isLeaf( nodeA ) == b.isLeaf( nodeB ) && a.nodes[nodeA].fence == b.nodes[nodeB].fence;
        if ( same && !a.isLeaf( nodeA ) )
        {
            stack.push_back( { a.nodes[nodeA].left, b.nodes[nodeB].left } );
            stack.push_back( { a.nodes[nodeA].right, b.nodes[nodeB].right } );
        }
    }
    return same;
}

void addBuilds( std::vector<Row>& rows, std::uint32_t bodies, const Effort& effort )
{
    const std::string size = compare::grouped( bodies );
    effort.progress->detail( size );
    const Motion motion( clt_sceneCorridor, bodies, 0 );
    std::vector<std::uint64_t> keys = codesOf( motion.lastBoxes(), cltMorton );
    radixSort( keys );
    std::vector<std::uint32_t> levelSizes;
    KarrasTree topDown, byRanges;
    const auto topDownMs = timeMs( effort, bodies, [&] { topDown = buildTopDown( keys, levelSizes ); } );
    const auto byRangesMs = timeMs( effort, bodies, [&] { byRanges = buildByRanges( keys ); } );
    const bool isRight = areSame( topDown, byRanges ) && areAllOf( levelSizes, bodies ) &&
                         ( bodies > mostWalked || findsThePairs( byRanges, motion ) );
    rows.push_back( cpuRow( size, "top-down by levels", "ms", {}, topDownMs, isRight ) );
    rows.push_back( cpuRow( size, "by three searches a node", "ms", {}, byRangesMs, isRight ) );
    placeAt( rows, bodies );
    rows.push_back( cpuRow( size, "levels that wait for each other", "", {}, double( levelSizes.size() ), isRight ) );
}

} // namespace

std::vector<Row> measureBuildsBySize( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const std::uint32_t bodies : sizesFor( effort, { 1000, 10000, 100000, 1000000, 4000000 } ) )
    {
        addBuilds( rows, bodies, effort );
    }
    return rows;
}

} // namespace cullet::papers
