// SPDX-License-Identifier: Zlib
/// \file avril_cells.cpp
/// Section 4.1: how large the grid's cells should be.
#include "avril.h"
#include "motion.h"
#include "shared_cells.h"

#include "demos/report/numbers.h"

#include "gpu/core/pair_map.h"

#include <fmt/format.h>

namespace cullet::papers
{

using compare::grouped;

namespace
{

/// The grid of the paper on one thread: cell entries, sorted, and the candidates of each cell.
class CellRun
{
public:
    CellRun( const std::vector<cltAabb>& boxes, double bodiesPerCell )
        : m_boxes( boxes ), m_cells( boxes, bodiesPerCell )
    {
    }

    void fill()
    {
        m_entries.clear();
        for ( std::uint32_t body = 0; body < m_boxes.size(); ++body )
        {
            m_cells.forEachCell( m_boxes[body], [&]( std::uint32_t cell )
                                 { m_entries.push_back( std::uint64_t( cell ) << 32 | body ); } );
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
    void testCell( std::uint32_t cell, const std::uint64_t* entries, std::uint32_t count )
    {
        const std::uint64_t candidates = std::uint64_t( count ) * ( count - 1 ) / 2;
        m_tests += candidates;
        for ( std::uint64_t k = 0; k < candidates; ++k )
        {
            std::uint32_t i, j;
            cltPairMap_Pair( &m_map, count, k, &i, &j );
            const std::uint32_t a = std::uint32_t( entries[i] ), b = std::uint32_t( entries[j] );
            if ( cltAabb_Overlaps( &m_boxes[a], &m_boxes[b] ) && m_cells.owns( cell, m_boxes[a], m_boxes[b] ) )
            {
                m_found.push_back( pairKey( a, b ) );
            }
        }
    }

    const std::vector<cltAabb>& m_boxes;
    SharedCells m_cells;
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

} // namespace cullet::papers
