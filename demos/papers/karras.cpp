// SPDX-License-Identifier: Zlib
/// \file karras.cpp
/// The tables of Karras, Thinking Parallel, 2012. Part II: recursive, iterative, one-sided and
/// simultaneous walks of the tree. Part III: the stages of an update, and three ways to build the tree.
#include "karras_tree.h"
#include "motion.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace cullet::papers
{

namespace
{

constexpr std::uint32_t bodiesOfThePost = 12486;
constexpr std::uint32_t timedOnce = 1000000; ///< work on as many bodies takes seconds, so it is timed once

/// The numbers of bodies to measure. With the first, scene `corridor` has as many bodies and pairs as the posts' scene.
std::vector<std::uint32_t> postSizesFor( const TableBuilder& table )
{
    return table.isQuick() ? std::vector<std::uint32_t>{ bodiesOfThePost }
                           : std::vector<std::uint32_t>{ bodiesOfThePost, 100000, timedOnce };
}

Motion corridor( std::uint32_t bodies )
{
    return Motion( { clt_sceneCorridor, bodies, 100, 1, CLT_SCENE_SEED, 0 }, 0 );
}

template <typename Work>
Figure timeMs( const TableBuilder& table, std::uint32_t bodies, Work&& work )
{
    return bodies >= timedOnce ? table.onceMs( work ) : table.medianMs( work );
}

/// Whether a walk of the tree finds the pairs after the last step.
bool findsThePairs( KarrasTree tree, const Motion& motion )
{
    WalkResult walked;
    fitBoxes( tree, motion.lastBoxes() );
    walkSimultaneously( tree, 1, walked ); // the fastest walk
    return walked.sortedPairs() == motion.pairs();
}

/// Whether the levels have as many inner nodes as a tree of `bodyCount` bodies.
bool haveAllInnerNodes( const std::vector<std::uint32_t>& levelSizes, std::uint32_t bodyCount )
{
    return std::accumulate( levelSizes.begin(), levelSizes.end(), std::uint64_t( 1 ) ) == bodyCount;
}

// ------------------------------------------------------------------------------------------------------------- Part II

/// The expected result of walks that find each pair twice, and each body with itself.
PairSet withReversedAndSelfPairs( const PairSet& once, std::uint32_t bodyCount )
{
    PairSet pairs = once;
    pairs.insert( pairs.end(), once.begin(), once.end() );
    for ( std::uint32_t body = 0; body < bodyCount; ++body )
    {
        pairs.push_back( pairKey( body, body ) );
    }
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

void addWalks( TableBuilder& table, std::uint32_t bodies )
{
    const Motion motion = corridor( bodies );
    const std::vector<cltAabb>& boxes = motion.lastBoxes();
    const Keys keys = sortedCodesOf( boxes, cltMorton );
    KarrasTree tree = buildByRanges( keys );
    fitBoxes( tree, boxes );
    OnePassTree onePass( keys );
    onePass.build( boxes );
    const bool isThePosts = bodies == bodiesOfThePost;
    const std::string size = grouped( bodies );
    const PairSet &once = motion.pairs(), twice = withReversedAndSelfPairs( once, bodies );
    struct
    {
        const char* name;
        Figure paper; ///< milliseconds for 12,486 bodies
        const PairSet& expected;
        std::function<void( WalkResult& walked )> walk;
    } const variants[] = {
        { "recursive", 3.8, twice, [&]( WalkResult& walked ) { walkRecursively( tree, boxes, walked ); } },
        { "stack, by bodies", 0.91, twice,
          [&]( WalkResult& walked ) { walkWithStack( tree, boxes, Order::bodies, walked ); } },
        { "stack, by leaves", 0.43, twice,
          [&]( WalkResult& walked ) { walkWithStack( tree, boxes, Order::leaves, walked ); } },
        { "one-sided, by fence", 0.25, once, [&]( WalkResult& walked ) { walkOneSided( tree, walked ); } },
        { "one-sided, by rope", {}, once, [&]( WalkResult& walked ) { walkByRopes( onePass, walked ); } },
        { "simultaneous", {}, once, [&]( WalkResult& walked ) { walkSimultaneously( tree, 1, walked ); } },
        { "simultaneous, from 256 nodes", {}, once, [&]( WalkResult& walked ) {
             walkSimultaneously( tree, 256, walked );
         } } };
    std::vector<double> steps, tests;
    for ( const auto& [name, paper, expected, walk] : variants )
    {
        table.detail( fmt::format( "{}, {}", size, name ) );
        WalkResult walked;
        const Figure ms = timeMs( table, bodies, [&, &work = walk] { work( walked ); } );
        const bool isRight = walked.sortedPairs() == expected;
        steps.push_back( double( walked.steps ) );
        tests.push_back( double( walked.tests ) );
        table.add( size, name, "ms", isThePosts ? paper : Figure(), ms, isRight );
        table.add( size, std::string( name ) + ": steps", "million", {}, steps.back() / 1e6, isRight );
        table.add( size, std::string( name ) + ": box tests", "million", {}, tests.back() / 1e6, isRight );
    }
    // How much less work the simultaneous walk does than the one-sided one: "60 % less".
    const bool isRight = table.areRight();
    table.add( size, "steps saved by walking simultaneously", "%", 60.0, 100 * ( 1 - steps[5] / steps[3] ), isRight );
    table.add( size, "box tests saved by it", "%", {}, 100 * ( 1 - tests[5] / tests[3] ), isRight );
    table.add( size, "pairs", "", isThePosts ? Figure( 73704 ) : Figure(), double( once.size() ),
               !isThePosts || once.size() == 73704 );
}

} // namespace

void measureWalks( TableBuilder& table )
{
    for ( const std::uint32_t bodies : postSizesFor( table ) )
    {
        addWalks( table, bodies );
    }
}

// ------------------------------------------------------------------------------------------------------------ Part III

namespace
{

/// Adds rows of the share of a card's threads that are busy while certain levels of the tree are built.
void addOccupancy( TableBuilder& table, const std::string& size, const std::vector<std::uint32_t>& levelSizes,
                   bool isRight )
{
    constexpr double threadsOfTheCard = 16384;
    const std::pair<std::size_t, double> published[] = {
        { 1, 0.006 }, { 2, 0.013 }, { 3, 0.025 }, { 4, 0.05 }, { 13, 25 } };
    for ( const auto& [level, percent] : published )
    {
        if ( level <= levelSizes.size() )
        {
            table.add( size, fmt::format( "threads busy at level {}", level ), "%", percent,
                       100 * levelSizes[level - 1] / threadsOfTheCard, isRight );
        }
    }
}

/// If two codes share 3 n leading bits, their centers lie in a part of the curve's region that was halved n times along
/// each axis. Tests this for all neighbours in the sorted codes.
bool codesFitCenters( const Keys& sortedCodes, const std::vector<cltAabb>& boxes )
{
    const cltAabb bounds = boundsOf( boxes );
    const cltCurve curve = cltCurve_Make( bounds.lower, bounds.upper );
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
            const double extent = ( 1 << CLT_CURVE_AXIS_BITS ) / double( curve.cellsPerUnit[axis] );
            const double apart = centerOf( sortedCodes[k], axis ) - centerOf( sortedCodes[k - 1], axis );
            if ( std::fabs( apart ) > 1.001 * std::ldexp( extent, -halvings ) ) // codes come from floats
            {
                return false;
            }
        }
    }
    return true;
}

/// Adds rows of the stages of Part III, and of the two builds that it compares.
void addStages( TableBuilder& table, std::uint32_t bodies, CodeFcn* code, const char* curve )
{
    const bool isThePosts = bodies == bodiesOfThePost && code == cltMorton;
    const std::string size = fmt::format( "{}, {}", grouped( bodies ), curve );
    table.detail( size );
    const Motion motion = corridor( bodies );
    const std::vector<cltAabb>& boxes = motion.lastBoxes();
    Keys unsorted, keys;
    std::vector<std::uint32_t> levelSizes;
    KarrasTree topDown, byRanges;
    const Figure codesMs = table.medianMs( [&] { unsorted = codesOf( boxes, code ); } );
    const Figure sortMs = table.medianMs( [&] { radixSort( keys = unsorted ); } );
    const Figure topDownMs = table.medianMs( [&] { topDown = buildTopDown( keys, levelSizes ); } );
    const Figure byRangesMs = table.medianMs( [&] { byRanges = buildByRanges( keys ); } );
    const Figure fitMs = table.medianMs( [&] { fitBoxes( byRanges, boxes ); } );
    OnePassTree onePass( keys );
    const Figure onePassMs = table.medianMs( [&] { onePass.build( boxes ); } );
    WalkResult walked;
    const Figure findMs = timeMs( table, bodies, [&] { walkByRopes( onePass, walked ); } );
    const Figure total = codesMs ? Figure( *codesMs + *sortMs + *onePassMs + *findMs ) : Figure();
    const Figure share = total ? Figure( 100 * *findMs / *total ) : Figure();
    const bool isRight = walked.sortedPairs() == motion.pairs();
    const bool isTopDownRight = findsThePairs( topDown, motion ) && haveAllInnerNodes( levelSizes, bodies );
    const bool areRangesRight = findsThePairs( byRanges, motion );
    std::sort( unsorted.begin(), unsorted.end() );
    const auto add = [&]( const char* what, const char* unit, Figure paper, Figure figure, bool isFigureRight )
    { table.add( size, what, unit, isThePosts ? paper : Figure(), figure, isFigureRight ); };
    add( "codes", "ms", 0.02, codesMs, codesFitCenters( unsorted, boxes ) );
    add( "radix sort", "ms", 0.18, sortMs, keys == unsorted );
    add( "tree, top-down by levels", "ms", 1.04, topDownMs, isTopDownRight );
    add( "tree, by three searches a node", "ms", 0.02, byRangesMs, areRangesRight );
    add( "its boxes, bottom-up", "ms", 0.06, fitMs, areRangesRight );
    add( "ours: tree, boxes and ropes in one pass", "ms", {}, onePassMs, isRight );
    add( "walk, one-sided", "ms", 0.25, findMs, isRight );
    add( "total, with ours", "ms", 0.53, total, isRight );
    add( "of it the walk", "%", 47, share, isRight );
    if ( isThePosts )
    {
        addOccupancy( table, size, levelSizes, isTopDownRight );
    }
}

/// Adds rows of the library's lbvh, on all threads or a device. Its walk finds changes from current and previous boxes.
void addLibrary( TableBuilder& table, std::uint32_t bodies )
{
    const CpuAndDevice measured =
        measureLibrary( table, clt_algorithmLbvh, Motion( clt_sceneCorridor, bodies, table ) );
    const std::string size = grouped( bodies ) + ", the library";
    addTime( table, size, "codes, sort and tree", {}, measured, buildPart );
    addTime( table, size, "walk", {}, measured, findPart );
    addTime( table, size, "total", {}, measured, totalPart );
}

} // namespace

void measureBuild( TableBuilder& table )
{
    for ( const std::uint32_t bodies : postSizesFor( table ) )
    {
        addStages( table, bodies, cltMorton, "Morton" );
        addStages( table, bodies, cltHilbert, "Hilbert" );
        if ( bodies != timedOnce )
        {
            addLibrary( table, bodies );
        }
    }
}

/// Whether two trees are equal. Compares from the root down, because the two builds number inner nodes differently.
static bool areSame( const KarrasTree& a, const KarrasTree& b )
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

void measureBuildsBySize( TableBuilder& table )
{
    constexpr std::uint32_t mostWalked = 100000; // with more bodies, walking takes longer than all other work
    for ( const std::uint32_t bodies : table.sizes( { 1000, 10000, 100000, 1000000, 4000000 } ) )
    {
        const std::string size = grouped( bodies );
        table.detail( size );
        const Motion motion = corridor( bodies );
        const Keys keys = sortedCodesOf( motion.lastBoxes(), cltMorton );
        std::vector<std::uint32_t> levelSizes;
        KarrasTree topDown, byRanges;
        const Figure topDownMs = timeMs( table, bodies, [&] { topDown = buildTopDown( keys, levelSizes ); } );
        const Figure byRangesMs = timeMs( table, bodies, [&] { byRanges = buildByRanges( keys ); } );
        const bool isRight = areSame( topDown, byRanges ) && haveAllInnerNodes( levelSizes, bodies ) &&
                             ( bodies > mostWalked || findsThePairs( byRanges, motion ) );
        table.add( size, "top-down by levels", "ms", {}, topDownMs, isRight );
        table.add( size, "by three searches a node", "ms", {}, byRangesMs, isRight );
        table.add( size, "levels that wait for each other", "", {}, double( levelSizes.size() ), isRight );
        table.setX( bodies );
    }
}

} // namespace cullet::papers
