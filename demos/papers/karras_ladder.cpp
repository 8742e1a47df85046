// SPDX-License-Identifier: Zlib
/// \file karras_ladder.cpp
/// Part II: from a recursive walk to a one-sided one, and two trees at a time.
#include "karras.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <functional>

namespace cullet::papers
{

using compare::grouped;

namespace
{

struct Rung
{
    const char* name;
    std::optional<double> paper; ///< milliseconds for 12,486
    const PairSet& expected;     ///< as it should be reported
    std::function<void( Walked& )> walk;
};

/// \return what was counted, without the pairs
Walked addRung( std::vector<Row>& rows, std::uint32_t bodies, const Rung& rung, const Effort& effort )
{
    const std::string size = grouped( bodies ), name = rung.name;
    effort.progress->detail( fmt::format( "{}, {}", size, name ) );
    Walked walked;
    const auto ms = timeMs( effort, bodies, [&] { rung.walk( walked ); } );
    const bool isRight = sortedPairs( walked ) == rung.expected;
    rows.push_back( cpuRow( size, name, "ms", rung.paper, ms, isRight ) );
    rows.push_back( cpuRow( size, name + ": steps", "million", {}, double( walked.steps ) / 1e6, isRight ) );
    rows.push_back( cpuRow( size, name + ": box tests", "million", {}, double( walked.tests ) / 1e6, isRight ) );
    return { {}, walked.steps, walked.tests };
}

/// What the simultaneous walk saves of the one-sided one's work: "60 % less".
void addSaving( std::vector<Row>& rows, const std::string& size, const Walked& oneSided, const Walked& simultaneous,
                bool isRight )
{
    const auto saved = []( std::uint64_t less, std::uint64_t more )
    { return 100 * ( 1 - double( less ) / double( more ) ); };
    const double stepsSaved = saved( simultaneous.steps, oneSided.steps );
    const double testsSaved = saved( simultaneous.tests, oneSided.tests );
    rows.push_back( cpuRow( size, "steps saved by walking simultaneously", "%", 60.0, stepsSaved, isRight ) );
    rows.push_back( cpuRow( size, "box tests saved by it", "%", {}, testsSaved, isRight ) );
}

} // namespace

std::vector<Row> measureLadder( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const std::uint32_t bodies : postSizesFor( effort ) )
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
        const PairSet &once = motion.pairs(), twice = fromBothSides( once, bodies );
        const Rung rungs[] = {
            { "recursive", paper( 3.8 ), twice, [&]( Walked& walked ) { walkRecursively( tree, boxes, walked ); } },
            { "stack, by bodies", paper( 0.91 ), twice,
              [&]( Walked& walked ) { walkWithStack( tree, boxes, Order::bodies, walked ); } },
            { "stack, by leaves", paper( 0.43 ), twice,
              [&]( Walked& walked ) { walkWithStack( tree, boxes, Order::leaves, walked ); } },
            { "one-sided, by fence", paper( 0.25 ), once, [&]( Walked& walked ) { walkOneSided( tree, walked ); } },
            { "one-sided, by rope", {}, once, [&]( Walked& walked ) { walkByRopes( onePass, walked ); } },
            { "simultaneous", {}, once, [&]( Walked& walked ) { walkSimultaneously( tree, 1, walked ); } },
            { "simultaneous, from 256 nodes", {}, once, [&]( Walked& walked ) {
                 walkSimultaneously( tree, 256, walked );
             } } };
        std::vector<Walked> counted;
        for ( const Rung& rung : rungs )
        {
            counted.push_back( addRung( rows, bodies, rung, effort ) );
        }
        addSaving( rows, grouped( bodies ), counted[3], counted[5], areRight( rows ) );
        const double pairs = double( once.size() );
        rows.push_back(
            cpuRow( grouped( bodies ), "pairs", "", paper( 73704 ), pairs, !isThePosts || pairs == 73704 ) );
    }
    return rows;
}

} // namespace cullet::papers
