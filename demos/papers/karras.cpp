// SPDX-License-Identifier: Zlib
/// \file karras.cpp
/// The tables of Karras, Thinking Parallel, 2012. Part II: from a recursive walk to a one-sided one, and two trees at a
/// time. Part III: the stages of an update, and three ways to build the tree.
#include "karras_walks.h"
#include "measurements.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace cullet::papers
{

using compare::grouped;

namespace
{

constexpr std::uint32_t bodiesOfThePost = 12486;
constexpr std::uint32_t timedOnce = 1000000;     ///< from this number of bodies on, work takes seconds, timed once
constexpr std::uint32_t mostWalkResult = 100000; ///< with more bodies, walking takes longer than all other work

/// Begins with the size of the posts' scene, because scene corridor has as many pairs at that size.
std::vector<std::uint32_t> postSizesFor( const Effort& effort )
{
    return effort.isQuick ? std::vector<std::uint32_t>{ bodiesOfThePost }
                          : std::vector<std::uint32_t>{ bodiesOfThePost, 100000, timedOnce };
}

Motion corridor( std::uint32_t bodies )
{
    return Motion( { clt_sceneCorridor, bodies, 100, 1, CLT_SCENE_SEED, 0 }, 0 );
}

template <typename Work>
std::optional<double> timeMs( const Effort& effort, std::uint32_t bodies, Work&& work )
{
    return bodies >= timedOnce ? onceMs( effort, work ) : medianMs( effort, work );
}

/// Whether a walk of the tree finds the pairs after the last step.
bool findsThePairs( KarrasTree tree, const Motion& motion )
{
    WalkResult walked;
    fitBoxes( tree, motion.lastBoxes() );
    walkSimultaneously( tree, 1, walked ); // the fastest walk
    return walked.sortedPairs() == motion.pairs();
}

/// Whether the levels have as many inner nodes as a tree of so many bodies.
bool areAllOf( const std::vector<std::uint32_t>& levelSizes, std::uint32_t bodyCount )
{
    return std::accumulate( levelSizes.begin(), levelSizes.end(), std::uint64_t( 1 ) ) == bodyCount;
}

// ------------------------------------------------------------------------------------------------------------- Part II

struct WalkVariant
{
    const char* name;
    std::optional<double> paper; ///< milliseconds for 12,486
    const PairSet& expected;     ///< sorted
    std::function<void( WalkResult& )> walk;
};

/// \return the counts, without the pairs
WalkResult addVariant( std::vector<Row>& rows, std::uint32_t bodies, const WalkVariant& rung, const Effort& effort )
{
    const std::string size = grouped( bodies ), name = rung.name;
    effort.progress->detail( fmt::format( "{}, {}", size, name ) );
    WalkResult walked;
    const auto ms = timeMs( effort, bodies, [&] { rung.walk( walked ); } );
    const bool isRight = walked.sortedPairs() == rung.expected;
    rows.push_back( cpuRow( size, name, "ms", rung.paper, ms, isRight ) );
    rows.push_back( cpuRow( size, name + ": steps", "million", {}, double( walked.steps ) / 1e6, isRight ) );
    rows.push_back( cpuRow( size, name + ": box tests", "million", {}, double( walked.tests ) / 1e6, isRight ) );
    walked.pairs = {};
    return walked;
}

/// How much less work the simultaneous walk does than the one-sided one: "60 % less".
void addSaving( std::vector<Row>& rows, const std::string& size, const WalkResult& oneSided,
                const WalkResult& simultaneous, bool isRight )
{
    const auto saved = []( std::uint64_t less, std::uint64_t more )
    { return 100 * ( 1 - double( less ) / double( more ) ); };
    const double stepsSaved = saved( simultaneous.steps, oneSided.steps );
    const double testsSaved = saved( simultaneous.tests, oneSided.tests );
    rows.push_back( cpuRow( size, "steps saved by walking simultaneously", "%", 60.0, stepsSaved, isRight ) );
    rows.push_back( cpuRow( size, "box tests saved by it", "%", {}, testsSaved, isRight ) );
}

} // namespace

std::vector<Row> measureWalks( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const std::uint32_t bodies : postSizesFor( effort ) )
    {
        const Motion motion = corridor( bodies );
        const std::vector<cltAabb>& boxes = motion.lastBoxes();
        std::vector<std::uint64_t> keys = codesOf( boxes, cltMorton );
        radixSort( keys );
        KarrasTree tree = buildByRanges( keys );
        fitBoxes( tree, boxes );
        OnePassTree onePass( keys );
        onePass.build( boxes );
        const bool isThePosts = bodies == bodiesOfThePost;
        const auto paper = [isThePosts]( double ms )
        { return isThePosts ? std::optional<double>( ms ) : std::nullopt; };
        const PairSet &once = motion.pairs(), twice = fromBothSides( once, bodies );
        const WalkVariant rungs[] = {
            { "recursive", paper( 3.8 ), twice, [&]( WalkResult& walked ) { walkRecursively( tree, boxes, walked ); } },
            { "stack, by bodies", paper( 0.91 ), twice,
              [&]( WalkResult& walked ) { walkWithStack( tree, boxes, Order::bodies, walked ); } },
            { "stack, by leaves", paper( 0.43 ), twice,
              [&]( WalkResult& walked ) { walkWithStack( tree, boxes, Order::leaves, walked ); } },
            { "one-sided, by fence", paper( 0.25 ), once, [&]( WalkResult& walked ) { walkOneSided( tree, walked ); } },
            { "one-sided, by rope", {}, once, [&]( WalkResult& walked ) { walkByRopes( onePass, walked ); } },
            { "simultaneous", {}, once, [&]( WalkResult& walked ) { walkSimultaneously( tree, 1, walked ); } },
            { "simultaneous, from 256 nodes", {}, once, [&]( WalkResult& walked ) {
                 walkSimultaneously( tree, 256, walked );
             } } };
        std::vector<WalkResult> counted;
        for ( const WalkVariant& rung : rungs )
        {
            counted.push_back( addVariant( rows, bodies, rung, effort ) );
        }
        addSaving( rows, grouped( bodies ), counted[3], counted[5], areRight( rows ) );
        const double pairs = double( once.size() );
        rows.push_back(
            cpuRow( grouped( bodies ), "pairs", "", paper( 73704 ), pairs, !isThePosts || pairs == 73704 ) );
    }
    return rows;
}

// ------------------------------------------------------------------------------------------------------------ Part III

namespace
{

constexpr double threadsOfTheCard = 16384;

/// The share of a card's threads that building a level keeps busy: the first, second, third, fourth and thirteenth.
void addOccupancy( std::vector<Row>& rows, const std::string& size, const std::vector<std::uint32_t>& levelSizes,
                   bool isRight )
{
    const std::pair<std::size_t, double> published[] = {
        { 1, 0.006 }, { 2, 0.013 }, { 3, 0.025 }, { 4, 0.05 }, { 13, 25 } };
    for ( const auto& [level, percent] : published )
    {
        if ( level <= levelSizes.size() )
        {
            const double here = 100 * levelSizes[level - 1] / threadsOfTheCard;
            rows.push_back(
                cpuRow( size, fmt::format( "threads busy at level {}", level ), "%", percent, here, isRight ) );
        }
    }
}

/// Each three leading bits that two codes share halve the part of the scene that contains both centers. Tests this for
/// all neighbors in the sorted codes.
bool fitTheCenters( const std::vector<std::uint64_t>& sortedCodes, const std::vector<cltAabb>& boxes )
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
            if ( std::fabs( apart ) > 1.001 * std::ldexp( extent, -halvings ) ) // codes come from floats
            {
                return false;
            }
        }
    }
    return true;
}

/// The stages of Part III, and the two builds that it compares.
void addStages( std::vector<Row>& rows, std::uint32_t bodies, CodeFcn* code, const char* curve, const Effort& effort )
{
    const bool isThePosts = bodies == bodiesOfThePost && code == cltMorton;
    const auto paper = [isThePosts]( double ms ) { return isThePosts ? std::optional<double>( ms ) : std::nullopt; };
    const std::string size = fmt::format( "{}, {}", grouped( bodies ), curve );
    effort.progress->detail( size );
    const Motion motion = corridor( bodies );
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
    WalkResult walked;
    const auto findMs = timeMs( effort, bodies, [&] { walkByRopes( onePass, walked ); } );
    const bool isRight = walked.sortedPairs() == motion.pairs();
    std::sort( unsorted.begin(), unsorted.end() );
    rows.push_back( cpuRow( size, "codes", "ms", paper( 0.02 ), codesMs, fitTheCenters( unsorted, boxes ) ) );
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

/// The library's lbvh, on all threads or a device. Its walk finds changes, from the current and the previous boxes.
void addLibrary( std::vector<Row>& rows, std::uint32_t bodies, const Effort& effort )
{
    const Motion motion( clt_sceneCorridor, bodies, effort );
    const CpuAndDevice measured = measureCpuAndDevice( defOf( clt_algorithmLbvh, effort ), motion, effort );
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

namespace
{

/// Compares the trees from the root down, as the two builds number inner nodes differently.
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
    const std::string size = grouped( bodies );
    effort.progress->detail( size );
    const Motion motion = corridor( bodies );
    std::vector<std::uint64_t> keys = codesOf( motion.lastBoxes(), cltMorton );
    radixSort( keys );
    std::vector<std::uint32_t> levelSizes;
    KarrasTree topDown, byRanges;
    const auto topDownMs = timeMs( effort, bodies, [&] { topDown = buildTopDown( keys, levelSizes ); } );
    const auto byRangesMs = timeMs( effort, bodies, [&] { byRanges = buildByRanges( keys ); } );
    const bool isRight = areSame( topDown, byRanges ) && areAllOf( levelSizes, bodies ) &&
                         ( bodies > mostWalkResult || findsThePairs( byRanges, motion ) );
    rows.push_back( cpuRow( size, "top-down by levels", "ms", {}, topDownMs, isRight ) );
    rows.push_back( cpuRow( size, "by three searches a node", "ms", {}, byRangesMs, isRight ) );
    setX( rows, bodies );
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
