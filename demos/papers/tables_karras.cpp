// SPDX-License-Identifier: Zlib
/// \file tables_karras.cpp
/// What there is of Karras, Thinking Parallel, Parts II and III, 2012. On a processor all of it runs on one thread: the
/// posts count what threads of a device do, and here the steps and tests are counted.
#include "karras_walks.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <functional>

namespace cullet::papers
{

using compare::grouped;

namespace
{

constexpr Paper karras = { "Karras 2012", "Thinking Parallel, Parts II and III", "GTX 690, one of its two chips" };

constexpr std::uint32_t bodiesOfThePost = 12486;
constexpr double threadsOfTheCard = 16384;

/// Of so many a walk takes seconds.
constexpr std::uint32_t walkedOnce = 1000000;

/// Corridor is made to have as many pairs as the scene of the posts at its size.
std::vector<std::uint32_t> sizesOf( const Effort& effort )
{
    return effort.isQuick ? std::vector<std::uint32_t>{ bodiesOfThePost }
                          : std::vector<std::uint32_t>{ bodiesOfThePost, 100000, walkedOnce };
}

template <typename Work>
std::optional<double> walkMs( const Effort& effort, std::uint32_t bodies, Work&& work )
{
    return bodies == walkedOnce ? onceMs( effort, work ) : medianMs( effort, work );
}

// -------------------------------------------------------------------------------------------------------------- ladder

struct Rung
{
    const char* name;
    std::optional<double> paper; ///< milliseconds for 12,486
    std::function<void( Walked& )> walk;
};

/// \return what was counted, without the pairs
Walked addRung( std::vector<Row>& rows, std::uint32_t bodies, const Rung& rung, const Motion& motion,
                const Effort& effort )
{
    const std::string size = grouped( bodies ), name = rung.name;
    effort.progress->detail( fmt::format( "{}, {}", size, name ) );
    Walked walked;
    const auto ms = walkMs( effort, bodies, [&] { rung.walk( walked ); } );
    const bool isRight = distinctPairs( walked ) == motion.pairs();
    rows.push_back( cpuRow( size, name, "ms", rung.paper, ms, isRight ) );
    rows.push_back( cpuRow( size, name + ": steps", "million", {}, double( walked.steps ) / 1e6, isRight ) );
    rows.push_back( cpuRow( size, name + ": box tests", "million", {}, double( walked.tests ) / 1e6, isRight ) );
    return { {}, walked.steps, walked.tests };
}

/// What the simultaneous walk saves of the one-sided one's work: "60 % less".
void addSaving( std::vector<Row>& rows, const std::string& size, const Walked& oneSided, const Walked& simultaneous )
{
    const auto saved = []( std::uint64_t less, std::uint64_t more )
    { return 100 * ( 1 - double( less ) / double( more ) ); };
    const bool areRight = rows.back().isRight;
    const double stepsSaved = saved( simultaneous.steps, oneSided.steps );
    const double testsSaved = saved( simultaneous.tests, oneSided.tests );
    rows.push_back( cpuRow( size, "steps saved by walking simultaneously", "%", 60.0, stepsSaved, areRight ) );
    rows.push_back( cpuRow( size, "box tests saved by it", "%", {}, testsSaved, areRight ) );
}

std::vector<Row> measureLadder( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const std::uint32_t bodies : sizesOf( effort ) )
    {
        const Motion motion( clt_sceneCorridor, bodies, 0 );
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
        const Rung rungs[] = {
            { "recursive", paper( 3.8 ), [&]( Walked& walked ) { walkRecursively( tree, boxes, walked ); } },
            { "stack, by bodies", paper( 0.91 ),
              [&]( Walked& walked ) { walkWithStack( tree, boxes, Order::bodies, walked ); } },
            { "stack, by leaves", paper( 0.43 ),
              [&]( Walked& walked ) { walkWithStack( tree, boxes, Order::leaves, walked ); } },
            { "one-sided, by fence", paper( 0.25 ), [&]( Walked& walked ) { walkOneSided( tree, walked ); } },
            { "one-sided, by rope", {}, [&]( Walked& walked ) { walkByRopes( onePass, walked ); } },
            { "simultaneous", {}, [&]( Walked& walked ) { walkSimultaneously( tree, 1, walked ); } },
            { "simultaneous, from 256 nodes", {}, [&]( Walked& walked ) {
                 walkSimultaneously( tree, 256, walked );
             } } };
        std::vector<Walked> counted;
        for ( const Rung& rung : rungs )
        {
            counted.push_back( addRung( rows, bodies, rung, motion, effort ) );
        }
        addSaving( rows, grouped( bodies ), counted[3], counted[5] );
        const double pairs = double( motion.pairs().size() );
        rows.push_back(
            cpuRow( grouped( bodies ), "pairs", "", paper( 73704 ), pairs, !isThePosts || pairs == 73704 ) );
    }
    return rows;
}

// --------------------------------------------------------------------------------------------------------------- build

bool findsThePairs( KarrasTree tree, const Motion& motion )
{
    Walked walked;
    fitBoxes( tree, motion.lastBoxes() );
    walkSimultaneously( tree, 1, walked ); // the quickest
    return distinctPairs( walked ) == motion.pairs();
}

/// Threads that the levels of a tree built from the top keep busy: the first, second, third, fourth and thirteenth.
void addOccupancy( std::vector<Row>& rows, const std::string& size, const std::vector<std::uint32_t>& levelSizes )
{
    const std::pair<std::size_t, double> known[] = {
        { 1, 0.006 }, { 2, 0.013 }, { 3, 0.025 }, { 4, 0.05 }, { 13, 25 } };
    for ( const auto& [level, percent] : known )
    {
        if ( level <= levelSizes.size() )
        {
            const double here = 100 * levelSizes[level - 1] / threadsOfTheCard;
            rows.push_back(
                cpuRow( size, fmt::format( "threads busy at level {}", level ), "%", percent, here, true ) );
        }
    }
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
    const auto findMs = walkMs( effort, bodies, [&] { walkByRopes( onePass, walked ); } );
    const bool isRight = distinctPairs( walked ) == motion.pairs();
    rows.push_back( cpuRow( size, "codes", "ms", paper( 0.02 ), codesMs, isRight ) );
    rows.push_back( cpuRow( size, "radix sort", "ms", paper( 0.18 ), sortMs, isRight ) );
    const bool isTopDownRight = findsThePairs( topDown, motion );
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
        addOccupancy( rows, size, levelSizes );
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

std::vector<Row> measureBuild( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const std::uint32_t bodies : sizesOf( effort ) )
    {
        addStages( rows, bodies, cltMorton, "Morton", effort );
        addStages( rows, bodies, cltHilbert, "Hilbert", effort );
        if ( bodies != walkedOnce )
        {
            addLibrary( rows, bodies, effort );
        }
    }
    return rows;
}

} // namespace

std::vector<Table> karrasTables()
{
    return {
        { "karras-ladder", &karras, "Part II", "From a recursive walk to a one-sided one, and two trees at a time",
          "Scene corridor has the bodies and pairs of the post's scene, which was not published. The first three "
          "rungs report each body with itself and each pair twice, as there. \"Most of our optimizations were only "
          "aimed at minimizing divergence\": from 0.43 to 0.25 ms it is work that falls away, as the counts show. A "
          "million is walked once by each.",
          measureLadder },
        { "karras-build", &karras, "Part III", "The stages of an update, and three ways to build the tree",
          "Splitting equal codes in the middle, as the post does, fits the top-down build alone; here places are "
          "part of the codes. On one thread the searches are what makes the parallel build slower than the one that "
          "was \"50x\" slower there, as Part III says itself.",
          measureBuild },
    };
}

} // namespace cullet::papers
