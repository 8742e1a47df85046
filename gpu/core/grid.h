// SPDX-License-Identifier: Zlib
/// \file grid.h
/// The uniform grid: which cells a box lies in, which of two boxes' common cells reports them, and how a candidate's
/// index becomes a pair of leaves.
#ifndef CLT_CORE_GRID_H
#define CLT_CORE_GRID_H

#include "gpu/core/leaf.h"
#include "gpu/core/pair_map.h"

/// A box in more cells than this is an outlier of the grid.
#define CLT_GRID_MAX_SPAN 64u

/// Cells beyond this many would not fit the 32 bits that they have in a cell entry.
#define CLT_GRID_MAX_CELLS 2147483648.0

/// Cubic cells over the region that holds the bodies. What lies outside is clamped into the border cells.
typedef struct cltGrid
{
    float lower[3];
    float cellsPerUnit;
    uint32_t cells[3]; ///< per axis
} cltGrid;

/// The cells of a box, both ends included.
typedef struct cltCellRange
{
    uint32_t first[3];
    uint32_t last[3];
} cltCellRange;

/// Cell entries in the order of their cells, and where the candidates of each occupied cell begin.
typedef struct cltCells
{
    const uint64_t* entries;         ///< cell in the upper half, leaf in the lower
    const uint32_t* starts;          ///< first entry of each occupied cell, and one past the last
    const uint64_t* candidateStarts; ///< candidates in all cells before, and their total
    uint32_t count;                  ///< occupied cells
    cltPairMap map;
} cltCells;

/// Bodies a cell should hold, the X of Avril et al. 2012, section 4.1. Of 1, 1.5, 2.5, 4 and 6 the fastest on evenly
/// spread, falling and clustered bodies (50,000 each); on mixed sizes all are within 7 %.
#define CLT_BODIES_PER_CELL 1.0

/// Cell edge by the density of the scene (section 4.1): the volume that holds CLT_BODIES_PER_CELL bodies, as a cube.
/// Flat scenes count as at least one body thick. Cells smaller than a body would put it into many of them, so the mean
/// body is a lower bound, which the paper's scenes never reach.
CLT_HD float cltGrid_Edge( const float lower[3], const float upper[3], float meanEdge, uint32_t bodyCount )
{
    double volume = 1.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        double extent = (double)upper[axis] - (double)lower[axis];
        volume *= extent > (double)meanEdge ? extent : (double)meanEdge;
    }
    double density = (double)bodyCount / volume;
    double edge = cltCubeRoot( CLT_BODIES_PER_CELL / density );
    edge = edge > (double)meanEdge ? edge : (double)meanEdge;
    return edge > 0.0 && edge < 1.0e30 ? (float)edge : 1.0f;
}

/// Cells of the given edge over the region, which must be finite; the edge is doubled until they can be numbered.
CLT_HD cltGrid cltGrid_Make( const float lower[3], const float upper[3], float edge )
{
    cltGrid grid;
    double cells = 0.0;
    do
    {
        cells = 1.0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            double extent = (double)upper[axis] - (double)lower[axis];
            double along = extent > 0.0 && edge > 0.0f ? floor( extent / (double)edge ) + 1.0 : 1.0;
            along = along < CLT_GRID_MAX_CELLS ? along : CLT_GRID_MAX_CELLS;
            grid.lower[axis] = lower[axis];
            grid.cells[axis] = (uint32_t)along;
            cells *= along;
        }
        grid.cellsPerUnit = edge > 0.0f ? 1.0f / edge : 0.0f;
        edge *= 2.0f;
    } while ( cells > CLT_GRID_MAX_CELLS && edge < 3.0e38f );
    return grid;
}

/// Every step keeps order (a <= b gives cell( a ) <= cell( b )), which is all that ownership rests on.
CLT_HD uint32_t cltGrid_Cell( const cltGrid* grid, float coordinate, int axis )
{
    float last = (float)( grid->cells[axis] - 1u );
    float cell = ( coordinate - grid->lower[axis] ) * grid->cellsPerUnit;
    cell = cell > 0.0f ? cell : 0.0f;
    return cell < last ? (uint32_t)cell : grid->cells[axis] - 1u;
}

CLT_HD uint32_t cltGrid_Index( const cltGrid* grid, const uint32_t cell[3] )
{
    return ( cell[2] * grid->cells[1] + cell[1] ) * grid->cells[0] + cell[0];
}

/// How many cells a box lies in, or 0 for one that does not belong into the grid: too large for it, or inverted on some
/// axis.
CLT_HD uint32_t cltGrid_Span( const cltGrid* grid, const cltAabb* box, cltCellRange* range )
{
    uint64_t span = 1;
    for ( int axis = 0; axis < 3; ++axis )
    {
        range->first[axis] = cltGrid_Cell( grid, box->lower[axis], axis );
        range->last[axis] = cltGrid_Cell( grid, box->upper[axis], axis );
        if ( !( box->lower[axis] <= box->upper[axis] ) )
        {
            return 0u;
        }
        span *= (uint64_t)( range->last[axis] - range->first[axis] ) + 1u;
        if ( span > CLT_GRID_MAX_SPAN )
        {
            return 0u;
        }
    }
    return (uint32_t)span;
}

/// Cells of a leaf, or 0 for one that is an outlier of the grid.
CLT_HD uint32_t cltGrid_SpanOfLeaf( const cltGrid* grid, const cltLeaves* leaves, uint32_t leaf, cltCellRange* range )
{
    cltAabb cover = cltLeaves_Cover( leaves, leaf );
    return cltGrid_Span( grid, &cover, range );
}

/// Step: the cell entries of one leaf, as many as its span.
CLT_HD void cltGrid_WriteEntriesStep( const cltGrid* grid, const cltLeaves* leaves, uint32_t leaf, uint64_t* entries )
{
    cltCellRange range;
    if ( cltGrid_SpanOfLeaf( grid, leaves, leaf, &range ) == 0u )
    {
        return;
    }
    uint32_t cell[3];
    for ( cell[2] = range.first[2]; cell[2] <= range.last[2]; ++cell[2] )
    {
        for ( cell[1] = range.first[1]; cell[1] <= range.last[1]; ++cell[1] )
        {
            for ( cell[0] = range.first[0]; cell[0] <= range.last[0]; ++cell[0] )
            {
                *entries++ = ( (uint64_t)cltGrid_Index( grid, cell ) << 32 ) | leaf;
            }
        }
    }
}

/// True for exactly one of the cells that two overlapping boxes share: the one where, on each axis, the later of the
/// two begins. Overlap gives max( lower ) <= min( upper ), cells keep order, so that cell lies in both ranges.
CLT_HD bool cltGrid_Owns( const cltGrid* grid, uint32_t index, const cltAabb* a, const cltAabb* b )
{
    uint32_t owner[3];
    for ( int axis = 0; axis < 3; ++axis )
    {
        uint32_t cellA = cltGrid_Cell( grid, a->lower[axis], axis );
        uint32_t cellB = cltGrid_Cell( grid, b->lower[axis], axis );
        owner[axis] = cellA > cellB ? cellA : cellB;
    }
    return cltGrid_Index( grid, owner ) == index;
}

/// The occupied cell whose candidates include candidate k, if it is known to lie in [low, high).
CLT_HD uint32_t cltCells_FindBetween( const cltCells* cells, uint32_t low, uint32_t high, uint64_t k )
{
    while ( high - low > 1u )
    {
        uint32_t middle = low + ( high - low ) / 2u;
        if ( cells->candidateStarts[middle] <= k )
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

/// The occupied cell whose candidates include candidate k, which must be below the total.
CLT_HD uint32_t cltCells_Find( const cltCells* cells, uint64_t k )
{
    return cltCells_FindBetween( cells, 0u, cells->count, k );
}

/// Step: the key to report for candidate k of an occupied cell, or CLT_NO_KEY. The boxes are compared before ownership
/// is looked into, because few candidates survive the comparison.
CLT_HD uint64_t cltCells_TestStep( const cltCells* cells, const cltGrid* grid, const cltLeaves* leaves, cltFind find,
                                   uint32_t cell, uint64_t k )
{
    uint32_t start = cells->starts[cell];
    uint32_t i;
    uint32_t j;
    if ( !cltPairMap_Pair( &cells->map, cells->starts[cell + 1u] - start, k - cells->candidateStarts[cell], &i, &j ) )
    {
        return CLT_NO_KEY;
    }
    uint64_t entry = cells->entries[start + i];
    i = (uint32_t)entry;
    j = (uint32_t)cells->entries[start + j];
    uint64_t key = cltLeaves_Key( leaves, find, i, j );
    if ( key == CLT_NO_KEY )
    {
        return CLT_NO_KEY;
    }
    cltAabb coverI = cltLeaves_Cover( leaves, i );
    cltAabb coverJ = cltLeaves_Cover( leaves, j );
    return cltGrid_Owns( grid, (uint32_t)( entry >> 32 ), &coverI, &coverJ ) ? key : CLT_NO_KEY;
}

/// Tests of two boxes for each leaf from which on a grid is crowded, and the tree takes its place. Measured on a CPU
/// with 50,000 bodies: a test takes a twelfth of what building the tree takes for a leaf, which is all that the tree
/// costs when few bodies moved; so the grid then stays below 4 times the tree. Not measured on a device.
#define CLT_GRID_MAX_TESTS_PER_LEAF 24u

/// Updates for which the tree takes the place of a crowded grid before the grid is tried again: soon enough for a crowd
/// that dispersed, and so rarely that trying costs little.
#define CLT_GRID_CROWDED_UPDATES 64u

/// cltStats::reason in these.
#define CLT_GRID_CROWDED_REASON "the tree, because too many bodies share the grid's cells or are too large for them"

/// True if bodies share cells, or span too many, to such an extent that the tree is faster: a heap, a crowd in one
/// place of a wide world, sizes far apart. Groups and masks do not count: the tree passes over what may not pair.
/// \param candidateCount  in all cells
/// \param spanningCount   leaves that span too many cells: each is tested against everything
CLT_HD bool cltGrid_IsCrowded( uint64_t candidateCount, uint32_t spanningCount, uint32_t leafCount )
{
    const uint64_t tests = candidateCount + (uint64_t)spanningCount * leafCount;
    return tests > (uint64_t)CLT_GRID_MAX_TESTS_PER_LEAF * leafCount;
}

#endif
