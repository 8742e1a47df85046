// SPDX-License-Identifier: Zlib
/// \file avril_cells.cpp
/// Section 4.1: how large the grid's cells should be.
#include "measurements.h"
#include "motion.h"
#include "walk_result.h"

#include "demos/report/numbers.h"

#include "gpu/core/aabb.h"
#include "gpu/core/pair_map.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace cullet::papers
{

using compare::grouped;

namespace
{

/// The paper's uniform grid: cubic cells over the bounds of all boxes. A box is in every cell that it overlaps, and one
/// of the cells that two boxes share reports the pair. In the library's grid (gpu/core/grid.h) each box is in one cell.
class SharedCells
{
public:
    /// \param bodiesPerCell  on average: the paper's X, section 4.1
    SharedCells( const std::vector<cltAabb>& boxes, double bodiesPerCell ) : m_region( boxes.at( 0 ) )
    {
        for ( const cltAabb& box : boxes )
        {
            m_region = cltAabb_Union( &m_region, &box );
        }
        double volume = 1;
        for ( int axis = 0; axis < 3; ++axis )
        {
            volume *= extent( axis );
        }
        const float edge = float( std::cbrt( bodiesPerCell * volume / double( boxes.size() ) ) );
        for ( int axis = 0; axis < 3; ++axis )
        {
            m_counts[axis] = std::uint32_t( extent( axis ) / double( edge ) ) + 1;
        }
        m_cellsPerUnit = 1 / edge;
    }

    /// Calls `visit` with the number of each cell that the box overlaps.
    template <typename Visit>
    void forEachCell( const cltAabb& box, const Visit& visit ) const
    {
        const Cell first = cellOf( box.lower ), last = cellOf( box.upper );
        Cell cell;
        for ( cell[2] = first[2]; cell[2] <= last[2]; ++cell[2] )
        {
            for ( cell[1] = first[1]; cell[1] <= last[1]; ++cell[1] )
            {
                for ( cell[0] = first[0]; cell[0] <= last[0]; ++cell[0] )
                {
                    visit( number( cell ) );
                }
            }
        }
    }

    /// True for exactly one of the cells that two overlapping boxes share: the cell of the larger lower bound on each
    /// axis. Both boxes are in that cell, as max( lower ) <= min( upper ) and cells keep the order of coordinates.
    bool owns( std::uint32_t cell, const cltAabb& a, const cltAabb& b ) const
    {
        const Cell ofA = cellOf( a.lower ), ofB = cellOf( b.lower );
        return number( { std::max( ofA[0], ofB[0] ), std::max( ofA[1], ofB[1] ), std::max( ofA[2], ofB[2] ) } ) == cell;
    }

private:
    using Cell = std::array<std::uint32_t, 3>;

    double extent( int axis ) const
    {
        return double( m_region.upper[axis] ) - double( m_region.lower[axis] );
    }

    /// Each operation keeps the order of coordinates, on which owns() relies.
    Cell cellOf( const float corner[3] ) const
    {
        Cell cell;
        for ( int axis = 0; axis < 3; ++axis )
        {
            const float along = ( corner[axis] - m_region.lower[axis] ) * m_cellsPerUnit;
            cell[axis] = std::min( std::uint32_t( along ), m_counts[axis] - 1 );
        }
        return cell;
    }

    std::uint32_t number( const Cell& cell ) const
    {
        return ( cell[2] * m_counts[1] + cell[1] ) * m_counts[0] + cell[0];
    }

    cltAabb m_region;
    Cell m_counts;
    float m_cellsPerUnit;
};

/// A search with the paper's grid on one thread: a sorted list of cell entries, then all pairs within each cell.
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
        for ( std::size_t first = 0, last = 0; first < m_entries.size(); first = last )
        {
            const std::uint64_t cell = m_entries[first] >> 32;
            for ( last = first; last < m_entries.size() && m_entries[last] >> 32 == cell; ++last )
            {
            }
            testCell( std::uint32_t( cell ), m_entries.data() + first, std::uint32_t( last - first ) );
        }
    }

    const WalkResult& found() const
    {
        return m_found;
    }

private:
    void testCell( std::uint32_t cell, const std::uint64_t* entries, std::uint32_t count )
    {
        const std::uint64_t candidates = std::uint64_t( count ) * ( count - 1 ) / 2;
        for ( std::uint64_t k = 0; k < candidates; ++k )
        {
            std::uint32_t i, j;
            cltPairMap_Pair( &m_map, count, k, &i, &j );
            const std::uint32_t a = std::uint32_t( entries[i] ), b = std::uint32_t( entries[j] );
            if ( m_found.overlaps( m_boxes[a], m_boxes[b] ) && m_cells.owns( cell, m_boxes[a], m_boxes[b] ) )
            {
                m_found.pairs.push_back( pairKey( a, b ) );
            }
        }
    }

    const std::vector<cltAabb>& m_boxes;
    SharedCells m_cells;
    cltPairMap m_map = { clt_rootHardware, 2 };
    std::vector<std::uint64_t> m_entries; ///< cell in the upper 32 bits, body in the lower
    WalkResult m_found;
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
                                    cltSceneName( kind ), "ms", {}, total,
                                    run.found().sortedPairs() == motion.pairs() ) );
            rows.back().tests = double( run.found().tests );
            setX( rows, bodiesPerCell );
        }
    }
    return rows;
}

} // namespace cullet::papers
