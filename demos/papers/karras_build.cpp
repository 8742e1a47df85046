// SPDX-License-Identifier: Zlib
/// \file karras_build.cpp
/// Part III: the stages of an update, and three ways to build the tree.
#include "karras.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <cmath>

namespace cullet::papers
{

using compare::grouped;

namespace
{

constexpr double threadsOfTheCard = 16384;

/// Threads that the levels of a tree built from the top keep busy: the first, second, third, fourth and thirteenth.
void addOccupancy( std::vector<Row>& rows, const std::string& size, const std::vector<std::uint32_t>& levelSizes,
                   bool isRight )
{
    const std::pair<std::size_t, double> known[] = {
        { 1, 0.006 }, { 2, 0.013 }, { 3, 0.025 }, { 4, 0.05 }, { 13, 25 } };
    for ( const auto& [level, percent] : known )
    {
        if ( level <= levelSizes.size() )
        {
            const double here = 100 * levelSizes[level - 1] / threadsOfTheCard;
            rows.push_back(
                cpuRow( size, fmt::format( "threads busy at level {}", level ), "%", percent, here, isRight ) );
        }
    }
}

/// Each three bits that two codes have in common from the top halve the part of the scene that both bodies are in. Held
/// against where they are, for those that come after each other.
bool tellPlaces( const std::vector<std::uint64_t>& sortedCodes, const std::vector<cltAabb>& boxes )
{
    const cltAabb region =
        std::accumulate( boxes.begin(), boxes.end(), boxes[0],
                         []( const cltAabb& a, const cltAabb& b ) { return cltAabb_Union( &a, &b ); } );
    const auto centerOf = [&]( std::uint64_t code, int axis )
    {
        const cltAabb& box = boxes[std::uint32_t( code )];
        return ( double( box.lower[axis] ) + double( box.upper[axis] ) ) / 2;
    };
    for ( std::size_t k = 1; k < sortedCodes.size(); ++k )
    {
        const std::uint32_t differing = std::uint32_t( ( sortedCodes[k] ^ sortedCodes[k - 1] ) >> 32 );
        const int halvings = differing == 0 ? 10 : ( __builtin_clz( differing ) - 2 ) / 3;
        for ( int axis = 0; axis < 3; ++axis )
        {
            const double extent = double( region.upper[axis] ) - double( region.lower[axis] );
            const double apart = centerOf( sortedCodes[k], axis ) - centerOf( sortedCodes[k - 1], axis );
            if ( std::fabs( apart ) > 1.001 * std::ldexp( extent, -halvings ) ) // codes are made of floats
            {
                return false;
            }
        }
    }
    return true;
}

/// The stages of Part III, and those that it compares.
void addStages( std::vector<Row>& rows, std::uint32_t bodies, CodeFcn* code, const char* curve, const Effort& effort )
{
    const bool isThePosts = bodies == bodiesOfThePost && code == cltMorton;
    const auto paper = [isThePosts]( double ms ) { return isThePosts ? std::optional<double>( ms ) : std::nullopt; };
    const std::string size = fmt::format( "{}, {}", grouped( bodies ), curve );
    effort.progress->detail( size );
    const Motion motion( clt_sceneCorridor, bodies, 0 );
    const std::vector<cltAabb>& boxes = motion.lastBoxes();
    std::vector<std::uint64_t> unsorted, keys;
    std::vector<std::uint32_t> levelSizes;
    KarrasTree topDown, byRanges;
    const auto codesMs = medianMs( effort, [&] { unsorted = codesOf( boxes, code ); } );
    const auto sortMs = medianMs( effort, [&] { radixSort( keys = unsorted ); } );
    const auto topDownMs = medianMs( effort, [&] { topDown = buildTopDown( keys, levelSizes ); } );
    const auto byRangesMs = medianMs( effort, [&] { byRanges = buildByRanges( keys ); } );
    const auto fitMs = medianMs( effort, [&] { fitBoxes( byRanges, boxes ); } );
    OnePassTree onePass( keys );
    const auto onePassMs = medianMs( effort, [&] { onePass.build( boxes ); } );
    Walked walked;
    const auto findMs = timeMs( effort, bodies, [&] { walkByRopes( onePass, walked ); } );
    const bool isRight = sortedPairs( walked ) == motion.pairs();
    std::sort( unsorted.begin(), unsorted.end() );
    rows.push_back( cpuRow( size, "codes", "ms", paper( 0.02 ), codesMs, tellPlaces( unsorted, boxes ) ) );
    rows.push_back( cpuRow( size, "radix sort", "ms", paper( 0.18 ), sortMs, keys == unsorted ) );
    const bool isTopDownRight = findsThePairs( topDown, motion ) && areAllOf( levelSizes, bodies );
    const bool areRangesRight = findsThePairs( byRanges, motion );
    rows.push_back( cpuRow( size, "tree, top-down by levels", "ms", paper( 1.04 ), topDownMs, isTopDownRight ) );
    rows.push_back( cpuRow( size, "tree, by three searches a node", "ms", paper( 0.02 ), byRangesMs, areRangesRight ) );
    rows.push_back( cpuRow( size, "its boxes, bottom-up", "ms", paper( 0.06 ), fitMs, areRangesRight ) );
    rows.push_back( cpuRow( size, "ours: tree, boxes and ropes in one pass", "ms", {}, onePassMs, isRight ) );
    rows.push_back( cpuRow( size, "walk, one-sided", "ms", paper( 0.25 ), findMs, isRight ) );
    const auto total = codesMs ? std::optional<double>( *codesMs + *sortMs + *onePassMs + *findMs ) : std::nullopt;
    const auto share = total ? std::optional<double>( 100 * *findMs / *total ) : std::nullopt;
    rows.push_back( cpuRow( size, "total, with ours", "ms", paper( 0.53 ), total, isRight ) );
    rows.push_back( cpuRow( size, "of it the walk", "%", paper( 47 ), share, isRight ) );
    if ( isThePosts )
    {
        addOccupancy( rows, size, levelSizes, isTopDownRight );
    }
}

/// The library's own, on all threads or a device. Its walk finds what changed, from boxes now and before.
void addLibrary( std::vector<Row>& rows, std::uint32_t bodies, const Effort& effort )
{
    const Motion motion( clt_sceneCorridor, bodies, effort );
    const Everywhere measured = measureEverywhere( defOf( clt_algorithmLbvh, effort ), motion, effort );
    const std::string size = grouped( bodies ) + ", the library";
    rows.push_back( rowOf( size, "codes, sort and tree", {}, measured, &Updates::buildMs ) );
    rows.push_back( rowOf( size, "walk", {}, measured, &Updates::findMs ) );
    rows.push_back( rowOf( size, "total", {}, measured, &Updates::totalMs ) );
}

} // namespace

std::vector<Row> measureBuild( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const std::uint32_t bodies : postSizesFor( effort ) )
    {
        addStages( rows, bodies, cltMorton, "Morton", effort );
        addStages( rows, bodies, cltHilbert, "Hilbert", effort );
        if ( bodies != timedOnce )
        {
            addLibrary( rows, bodies, effort );
        }
    }
    return rows;
}

} // namespace cullet::papers
