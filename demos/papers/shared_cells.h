// SPDX-License-Identifier: Zlib
/// \file shared_cells.h
/// The paper's uniform grid, in which a box lies in every cell that it shares space with: which cells these are, and
/// which of two boxes' common cells reports them. The library's grid (gpu/core/grid.h) has each box in one.
#ifndef CLT_DEMOS_PAPERS_SHARED_CELLS_H
#define CLT_DEMOS_PAPERS_SHARED_CELLS_H

#include "gpu/core/aabb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace cullet::papers
{

/// Cubic cells over the bounds of all boxes.
class SharedCells
{
public:
    /// Cells of the volume in which there are so many bodies on average: the paper's X, section 4.1.
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

    /// Calls `visit` with the number of each cell that the box lies in.
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

    /// True for exactly one of the cells that two overlapping boxes share: the one where, on each axis, the later of
    /// the two begins. Overlap gives max( lower ) <= min( upper ), cells keep order, so that cell is of both.
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

    /// Every step keeps order, which is all that owns() rests on.
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

} // namespace cullet::papers

#endif
