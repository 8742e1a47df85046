// SPDX-License-Identifier: Zlib
/// \file avril_grid.cpp
/// Tables 6 and 7, the size of cells (section 4.1), and what the paper says of others (section 6).
#include "avril.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include "gpu/core/grid.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

namespace cullet::papers
{

using compare::grouped;

// -------------------------------------------------------------------------------------------------------- table 6

std::vector<Row> measureStages( const Effort& effort )
{
    struct Known
    {
        std::uint32_t size;
        double set, build, find, total;
    };
    const Known all[] = { { 1000, 0.03, 0.13, 0.09, 0.25 },
                          { 10000, 0.31, 1.45, 0.59, 2.35 },
                          { 100000, 3.38, 11.12, 13.41, 27.91 },
                          { 1000000, 14.26, 134.91, 142.72, 291.89 } };
    std::vector<Row> rows;
    for ( const Known& known : knownFor( effort, all ) )
    {
        const std::string size = grouped( known.size );
        effort.progress->detail( size );
        const Motion motion( clt_sceneColumn, known.size, effort );
        const Everywhere grid = measureEverywhere( defOf( clt_algorithmGrid, effort ), motion, effort );
        rows.push_back( rowOf( size, "boxes", known.set, grid, &Updates::setMs ) );
        rows.push_back( rowOf( size, "grid", known.build, grid, &Updates::buildMs ) );
        rows.push_back( rowOf( size, "pairs in cells", known.find, grid, &Updates::findMs ) );
        rows.push_back( rowOf( size, "total", known.total, grid, &Updates::totalMs ) );
        const Everywhere best = measureEverywhere( defOf( clt_algorithmAuto, effort ), motion, effort );
        rows.push_back( rowOf( size, "total, what auto takes", known.total, best, &Updates::totalMs ) );
    }
    return rows;
}

// -------------------------------------------------------------------------------------------------------- table 7

std::vector<Row> measureCrossing( const Effort& effort )
{
    struct Known
    {
        double brute, grid;
    };
    const std::map<std::uint32_t, Known> paper = {
        { 100, { 0.046, 1.020 } }, { 1000, { 0.872, 1.840 } }, { 10000, { 31.450, 3.257 } } };
    std::vector<Row> rows;
    std::optional<double> crossing;
    for ( const std::uint32_t size : sizesFor( effort, { 30, 100, 200, 300, 500, 1000, 2000, 10000 } ) )
    {
        effort.progress->detail( grouped( size ) );
        const auto known = paper.find( size );
        const auto figure = [&]( double Known::*of )
        { return known == paper.end() ? std::optional<double>() : known->second.*of; };
        const Motion motion( clt_sceneBrownian, size, effort );
        const Everywhere brute = measureEverywhere( defOf( clt_algorithmBruteForce, effort ), motion, effort );
        const Everywhere grid = measureEverywhere( defOf( clt_algorithmGrid, effort ), motion, effort );
        rows.push_back( rowOf( grouped( size ), "without grid", figure( &Known::brute ), brute, &Updates::totalMs ) );
        rows.back().tests = brute.cpu.candidates;
        rows.push_back( rowOf( grouped( size ), "with grid", figure( &Known::grid ), grid, &Updates::totalMs ) );
        placeAt( rows, size );
        if ( !crossing && grid.cpu.totalMs && *grid.cpu.totalMs < *brute.cpu.totalMs )
        {
            crossing = size;
        }
    }
    rows.push_back( cpuRow( "the grid wins", "from so many bodies on", "", 1000.0, crossing, true ) );
    return rows;
}

// --------------------------------------------------------------------------------------------------- section 4.1

namespace
{

/// The grid of the paper on one thread: cell entries, sorted, and the candidates of each cell.
class CellRun
{
public:
    CellRun( const std::vector<cltAabb>& boxes, double bodiesPerCell )
        : m_boxes( boxes ), m_grid( gridOver( boxes, bodiesPerCell ) )
    {
    }

    void fill()
    {
        m_entries.clear();
        for ( std::uint32_t body = 0; body < m_boxes.size(); ++body )
        {
            addEntries( body );
        }
        std::sort( m_entries.begin(), m_entries.end() );
    }

    void find()
    {
        m_found.clear();
        m_tests = 0;
        for ( std::size_t first = 0, last = 0; first < m_entries.size(); first = last )
        {
            const std::uint64_t cell = m_entries[first] >> 32;
            for ( last = first; last < m_entries.size() && m_entries[last] >> 32 == cell; ++last )
            {
            }
            testCell( std::uint32_t( cell ), m_entries.data() + first, std::uint32_t( last - first ) );
        }
    }

    PairSet pairs() const
    {
        PairSet sorted = m_found;
        std::sort( sorted.begin(), sorted.end() );
        return sorted;
    }

    double tests() const
    {
        return double( m_tests );
    }

private:
    static cltGrid gridOver( const std::vector<cltAabb>& boxes, double bodiesPerCell )
    {
        cltAabb region = boxes[0];
        double edges = 0;
        for ( const cltAabb& box : boxes )
        {
            region = cltAabb_Union( &region, &box );
            edges += double( cltAabb_LongestEdge( &box ) );
        }
        // The library's cells hold one body; a mean edge is its lower bound, which the paper does not have.
        const float edge = cltGrid_Edge( region.lower, region.upper, 0.0f, std::uint32_t( boxes.size() ) );
        return cltGrid_Make( region.lower, region.upper, edge * float( std::cbrt( bodiesPerCell ) ) );
    }

    void addEntries( std::uint32_t body )
    {
        cltCellRange range;
        if ( cltGrid_Span( &m_grid, &m_boxes[body], &range ) == 0 )
        {
            throw std::logic_error( "these scenes have no body that is too large for a cell" );
        }
        std::uint32_t cell[3];
        for ( cell[2] = range.first[2]; cell[2] <= range.last[2]; ++cell[2] )
        {
            for ( cell[1] = range.first[1]; cell[1] <= range.last[1]; ++cell[1] )
            {
                for ( cell[0] = range.first[0]; cell[0] <= range.last[0]; ++cell[0] )
                {
                    m_entries.push_back( std::uint64_t( cltGrid_Index( &m_grid, cell ) ) << 32 | body );
                }
            }
        }
    }

    void testCell( std::uint32_t cell, const std::uint64_t* entries, std::uint32_t count )
    {
        const std::uint64_t candidates = std::uint64_t( count ) * ( count - 1 ) / 2;
        m_tests += candidates;
        for ( std::uint64_t k = 0; k < candidates; ++k )
        {
            std::uint32_t i, j;
            cltPairMap_Pair( &m_map, count, k, &i, &j );
            const std::uint32_t a = std::uint32_t( entries[i] ), b = std::uint32_t( entries[j] );
            if ( cltAabb_Overlaps( &m_boxes[a], &m_boxes[b] ) &&
                 cltGrid_Owns( &m_grid, cell, &m_boxes[a], &m_boxes[b] ) )
            {
                m_found.push_back( pairKey( a, b ) );
            }
        }
    }

    const std::vector<cltAabb>& m_boxes;
    cltGrid m_grid;
    cltPairMap m_map = { clt_rootHardware, 2 };
    std::vector<std::uint64_t> m_entries; ///< cell in the upper half, body in the lower
    PairSet m_found;
    std::uint64_t m_tests = 0;
};

} // namespace

std::vector<Row> measureCellSize( const Effort& effort )
{
    const std::uint32_t bodies = effort.isQuick ? 2000 : 50000;
    std::vector<Row> rows;
    for ( const cltSceneKind kind : { clt_sceneBrownian, clt_sceneCorridor, clt_sceneClustered } )
    {
        const Motion motion( kind, bodies, effort );
        for ( const double bodiesPerCell : { 0.5, 1.0, 1.5, 2.5, 4.0, 6.0, 10.0, 20.0 } )
        {
            effort.progress->detail( fmt::format( "{}, {:g} bodies a cell", cltSceneName( kind ), bodiesPerCell ) );
            CellRun run( motion.lastBoxes(), bodiesPerCell );
            const auto fillMs = medianMs( effort, [&] { run.fill(); } );
            const auto findMs = medianMs( effort, [&] { run.find(); } );
            const auto total = fillMs ? std::optional<double>( *fillMs + *findMs ) : std::nullopt;
            rows.push_back( cpuRow( fmt::format( "{}, X = {:g}", grouped( bodies ), bodiesPerCell ),
                                    cltSceneName( kind ), "ms", {}, total, run.pairs() == motion.pairs() ) );
            rows.back().tests = run.tests();
            placeAt( rows, bodiesPerCell );
        }
    }
    return rows;
}

// ----------------------------------------------------------------------------------------------------- section 6

std::vector<Row> measureOthers( const Effort& effort )
{
    struct Known
    {
        std::uint32_t size;
        const char* who;
        double theirs, paper;
    };
    const Known all[] = { { 304, "Pabst 2010, a hundredth of all", 1.28, 0.41 },
                          { 3000, "Tracy 2009", 4, 0.46 },
                          { 64000, "Liu 2010", 13.71, 15.67 },
                          { 128000, "Liu 2010", 48.16, 30.68 },
                          { 256000, "Liu 2010", 241, 50.33 } };
    std::vector<Row> rows;
    for ( const Known& known : knownFor( effort, all ) )
    {
        effort.progress->detail( grouped( known.size ) );
        const Motion motion( clt_sceneBrownian, known.size, effort );
        const std::string size = grouped( known.size );
        const Everywhere grid = measureEverywhere( defOf( clt_algorithmGrid, effort ), motion, effort );
        const Everywhere best = measureEverywhere( defOf( clt_algorithmAuto, effort ), motion, effort );
        rows.push_back( cpuRow( size, known.who, "ms", known.theirs, {}, true ) );
        rows.push_back( rowOf( size, "the paper, and our grid", known.paper, grid, &Updates::totalMs ) );
        rows.push_back( rowOf( size, "the paper, and what auto takes", known.paper, best, &Updates::totalMs ) );
    }
    return rows;
}

} // namespace cullet::papers
