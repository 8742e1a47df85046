// SPDX-License-Identifier: Zlib
/// \file avril_cells.cpp
/// Section 4.1: the best size of a grid's cells.
#include "motion.h"
#include "walk_result.h"

#include "gpu/core/pair_map.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace cullet::papers
{

namespace
{

using Cell = std::array<std::uint32_t, 3>;

/// The paper's uniform grid on one thread: cubic cells over the bounds of all boxes, a sorted list of cell entries, and
/// then all pairs within each cell. A box is in every cell that it overlaps, and one of the cells that two boxes share
/// reports the pair. In the library's grid (gpu/core/grid.h) each box is in one cell.
class SharedCells
{
public:
    /// \param bodiesPerCell  on average: the paper's X, section 4.1
    SharedCells( const std::vector<cltAabb>& boxes, double bodiesPerCell )
        : m_boxes( boxes ), m_region( boundsOf( boxes ) )
    {
        std::array<double, 3> extents;
        for ( std::size_t axis = 0; axis < 3; ++axis )
        {
            extents[axis] = double( m_region.upper[axis] ) - double( m_region.lower[axis] );
        }
        const double volume = extents[0] * extents[1] * extents[2];
        const float edge = float( std::cbrt( bodiesPerCell * volume / double( boxes.size() ) ) );
        m_cellsPerUnit = 1 / edge;
        for ( std::size_t axis = 0; axis < 3; ++axis )
        {
            m_counts[axis] = std::uint32_t( extents[axis] / double( edge ) ) + 1;
        }
    }

    void fill()
    {
        m_entries.clear();
        for ( std::uint32_t body = 0; body < m_boxes.size(); ++body )
        {
            const Cell first = cellOf( m_boxes[body].lower ), last = cellOf( m_boxes[body].upper );
            Cell cell;
            for ( cell[2] = first[2]; cell[2] <= last[2]; ++cell[2] )
            {
                for ( cell[1] = first[1]; cell[1] <= last[1]; ++cell[1] )
                {
                    for ( cell[0] = first[0]; cell[0] <= last[0]; ++cell[0] )
                    {
                        m_entries.push_back( std::uint64_t( numberOf( cell ) ) << 32 | body );
                    }
                }
            }
        }
        std::sort( m_entries.begin(), m_entries.end() );
    }

    void find( WalkResult& found ) const
    {
        found.clear();
        for ( auto first = m_entries.begin(), last = first; first != m_entries.end(); first = last )
        {
            const std::uint64_t cell = *first >> 32;
            last = std::find_if( first, m_entries.end(), [=]( std::uint64_t entry ) { return entry >> 32 != cell; } );
            testCell( std::uint32_t( cell ), &*first, std::uint32_t( last - first ), found );
        }
    }

private:
    void testCell( std::uint32_t cell, const std::uint64_t* entries, std::uint32_t count, WalkResult& found ) const
    {
        const cltPairMap map = { clt_rootHardware, 2 };
        const std::uint64_t candidates = std::uint64_t( count ) * ( count - 1 ) / 2;
        for ( std::uint64_t k = 0; k < candidates; ++k )
        {
            std::uint32_t i, j;
            cltPairMap_Pair( &map, count, k, &i, &j );
            const std::uint32_t a = std::uint32_t( entries[i] ), b = std::uint32_t( entries[j] );
            if ( found.overlaps( m_boxes[a], m_boxes[b] ) && owns( cell, m_boxes[a], m_boxes[b] ) )
            {
                found.pairs.push_back( pairKey( a, b ) );
            }
        }
    }

    /// True for exactly one of the cells that two overlapping boxes share: the cell of the larger lower bound on each
    /// axis. Both boxes are in that cell, as max( lower ) <= min( upper ) and cells keep the order of coordinates.
    bool owns( std::uint32_t cell, const cltAabb& a, const cltAabb& b ) const
    {
        const Cell ofA = cellOf( a.lower ), ofB = cellOf( b.lower );
        return numberOf( { std::max( ofA[0], ofB[0] ), std::max( ofA[1], ofB[1] ), std::max( ofA[2], ofB[2] ) } ) ==
               cell;
    }

    /// The cell of a corner. Each operation keeps the order of coordinates, on which owns() relies.
    Cell cellOf( const float corner[3] ) const
    {
        Cell cell;
        for ( std::size_t axis = 0; axis < 3; ++axis )
        {
            const float along = ( corner[axis] - m_region.lower[axis] ) * m_cellsPerUnit;
            cell[axis] = std::min( std::uint32_t( along ), m_counts[axis] - 1 );
        }
        return cell;
    }

    std::uint32_t numberOf( const Cell& cell ) const
    {
        return ( cell[2] * m_counts[1] + cell[1] ) * m_counts[0] + cell[0];
    }

    const std::vector<cltAabb>& m_boxes;
    cltAabb m_region;
    Cell m_counts;
    float m_cellsPerUnit;
    std::vector<std::uint64_t> m_entries; ///< cell in the upper 32 bits, body in the lower
};

} // namespace

void measureCellSize( TableBuilder& table )
{
    const std::uint32_t bodies = table.isQuick() ? 2000 : 50000;
    for ( const cltSceneKind kind : { clt_sceneBrownian, clt_sceneCorridor, clt_sceneClustered } )
    {
        const Motion motion( kind, bodies, table );
        for ( const double bodiesPerCell : { 0.5, 1.0, 1.5, 2.5, 4.0, 6.0, 10.0, 20.0 } )
        {
            table.detail( fmt::format( "{}, {:g} bodies a cell", cltSceneName( kind ), bodiesPerCell ) );
            SharedCells cells( motion.lastBoxes(), bodiesPerCell );
            WalkResult found;
            const Figure fillMs = table.medianMs( [&] { cells.fill(); } );
            const Figure findMs = table.medianMs( [&] { cells.find( found ); } );
            Row& row =
                table.add( fmt::format( "{}, X = {:g}", grouped( bodies ), bodiesPerCell ), cltSceneName( kind ), "ms",
                           {}, fillMs ? Figure( *fillMs + *findMs ) : Figure(), found.sortedPairs() == motion.pairs() );
            row.tests = double( found.tests );
            table.setX( bodiesPerCell );
        }
    }
}

} // namespace cullet::papers
