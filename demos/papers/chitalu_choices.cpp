// SPDX-License-Identifier: Zlib
/// \file chitalu_choices.cpp
/// Figures 8 and 9: where to enter, how many levels at a time, and how long a queue.
#include "chitalu.h"
#include "motion.h"

#include <fmt/format.h>

namespace cullet::papers
{

namespace
{

/// How often groups of threads write their queue out, and the counter that all share goes on, in all passes.
double countFlushes( const std::vector<std::vector<std::uint32_t>>& passes, std::size_t queue, std::size_t group )
{
    double flushes = 0;
    for ( const std::vector<std::uint32_t>& counts : passes )
    {
        for ( std::size_t first = 0; first < counts.size(); first += group )
        {
            const std::size_t last = std::min( first + group, counts.size() );
            std::uint64_t written = 0;
            for ( std::size_t k = first; k < last; ++k )
            {
                written += counts[k];
            }
            flushes += double( ( written + queue - 1 ) / queue );
        }
    }
    return flushes;
}

/// 305 trees make pairs enough.
std::uint32_t deepestOf( const ForestScene& known )
{
    return known.kind == clt_meshSceneNBody ? 5 : 6;
}

void addEntry( std::vector<Row>& rows, const ForestScene& known, const Forest& forest, std::uint32_t entry,
               std::uint32_t step, const Effort& effort )
{
    effort.progress->detail( fmt::format( "{}, {}, {}", known.name, entry, step ) );
    ForestWalked walked;
    const auto walk = [&] { walkInPasses( forest.trees(), known.between, entry, step, walked ); };
    const bool takesSeconds = known.kind == clt_meshSceneNBody && entry == deepestOf( known );
    const auto ms = takesSeconds ? onceMs( effort, walk ) : medianMs( effort, walk );
    const bool isOk = forest.isRight( walked );
    const auto add = [&]( const char* unit, std::optional<double> figure )
    {
        rows.push_back( cellRow( known.name, fmt::format( "entry {}", entry ), fmt::format( "{} at a time", step ),
                                 unit, figure, isOk ) );
    };
    add( "ms", ms );
    add( "thousand tests", double( walked.tests ) / 1e3 );
    add( "passes", double( walked.passes ) );
}

} // namespace

std::vector<Row> measureEntry( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const ForestScene& known : forestScenes( effort ) )
    {
        const Forest forest( known, known.between, effort );
        for ( std::uint32_t entry = 0; entry <= deepestOf( known ); ++entry )
        {
            for ( std::uint32_t step = 1; step <= 4; ++step )
            {
                addEntry( rows, known, forest, entry, step, effort );
            }
        }
    }
    return rows;
}

std::vector<Row> measureQueues( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const ForestScene& known : forestScenes( effort ) )
    {
        const Forest forest( known, known.between, effort );
        std::vector<std::vector<std::uint32_t>> counts;
        ForestWalked walked;
        walkInPasses( forest.trees(), known.between, 0, 2, walked, &counts );
        const bool isOk = forest.isRight( walked );
        for ( const std::size_t group : { 2u, 8u, 32u, 256u } )
        {
            for ( const std::size_t queue : { 2u, 8u, 64u, 512u } )
            {
                rows.push_back( cellRow( known.name, fmt::format( "queue of {}", queue ),
                                         fmt::format( "groups of {}", group ), "thousand writes",
                                         countFlushes( counts, queue, group ) / 1e3, isOk ) );
            }
        }
    }
    return rows;
}

} // namespace cullet::papers
