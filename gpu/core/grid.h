// SPDX-License-Identifier: Zlib
/// \file grid.h The uniform grid. A leaf lies in one cell, that of its box's lower corner, and leaves are sorted by
/// cell. A leaf is tested against the leaves in surrounding cells with higher numbers than its own cell. So no pair is
/// tested twice, and the only index is the first leaf of each cell. The pairs within a cell are numbered (pair_map.h).
///
/// Cells are numbered along x first, so that a run of cells in a row is a run of leaves. A leaf searches from its own
/// row to the row of its upper corner, in each row from the first cell in which an overlapping leaf can begin:
///
///     y    . . . . . . . .
///          . . ┌─────┐ . .     the row above: from the leaf's lower corner - cltGrid::reach to its upper corner
///          . . └─────┘ . .
///          . . . . L┌──┐ .     its own row: from the cell after its own
///          . . . . .└──┘ .
///          . . . . . . . .     leaves in rows below come earlier, and search this row themselves
///      x ─▶
///
/// Correctness needs only that cells keep the order of coordinates, not their sizes: rounding costs speed, not pairs.
#ifndef CLT_CORE_GRID_H
#define CLT_CORE_GRID_H

#include "gpu/core/curve.h"
#include "gpu/core/leaf.h"
#include "gpu/core/pair_map.h"

/// There are at most this many cells per leaf, plus a few spare cells.
#define CLT_GRID_CELLS_PER_LEAF 4u
#define CLT_GRID_SPARE_CELLS 64u

/// Cells along x that the reach (cltGrid::reach) spans. Measured on a CPU with 10,000 moving bodies: two cells instead
/// of one along x cost nothing and save a sixth of the tests. Two along y and z as well save another third of the
/// tests, but make more rows, which take longer.
#define CLT_GRID_CELLS_IN_REACH 2.0

/// The smallest value of cltGrid::reach. It exceeds the error of a mode that flushes subnormal numbers to zero.
#define CLT_GRID_LEAST_REACH 1.0e-30f

/// Cells over the region of the bodies. Positions outside are clamped into border cells.
typedef struct cltGrid
{
    float lower[3];
    float cellsPerUnit[3];
    uint32_t cells[3]; ///< per axis
    float reach;       ///< at least the longest edge of any leaf's box
} cltGrid;

/// The largest number of cells for `leafCount` leaves. Cell numbers have as many bits as codes of the curve.
CLT_HD uint32_t cltGrid_CellCapacity( uint32_t leafCount )
{
    const uint64_t room = (uint64_t)CLT_GRID_CELLS_PER_LEAF * leafCount + CLT_GRID_SPARE_CELLS;
    return room < 1u << CLT_CURVE_BITS ? (uint32_t)room : 1u << CLT_CURVE_BITS;
}

CLT_HD uint32_t cltGrid_CellCount( const cltGrid* grid )
{
    return grid->cells[0] * grid->cells[1] * grid->cells[2];
}

/// Divides the region into cells of `width`; along x, of `width / CLT_GRID_CELLS_IN_REACH`. \return the number of cells
CLT_HD double cltGrid_Divide( cltGrid* grid, const float lower[3], const float upper[3], double width )
{
    double count = 1.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double extent = (double)upper[axis] - (double)lower[axis];
        const double edge = axis == 0 ? width / CLT_GRID_CELLS_IN_REACH : width;
        const double along = extent > 0.0 ? extent / edge : 0.0;
        grid->cells[axis] = along < (double)( 1u << CLT_CURVE_BITS ) ? (uint32_t)along + 1u : 1u << CLT_CURVE_BITS;
        grid->cellsPerUnit[axis] = (float)( 1.0 / edge );
        count *= (double)grid->cells[axis];
    }
    return count;
}

/// Makes cells as wide as the longest edge. If there would be more cells than cltGrid_CellCapacity, cells are wider:
/// the width follows from the region's volume, in which each extent counts as at least one reach.
/// \param longestEdge  of all leaves in the grid; infinite if a leaf has no size, which makes a single cell
CLT_HD cltGrid cltGrid_Make( const float lower[3], const float upper[3], float longestEdge, uint32_t leafCount )
{
    cltGrid grid;
    grid.reach = longestEdge * ( 1.0f + 3.0e-7f ); // computing an edge from the corners rounds
    grid.reach = grid.reach > CLT_GRID_LEAST_REACH ? grid.reach : CLT_GRID_LEAST_REACH;
    const double room = (double)cltGrid_CellCapacity( leafCount );
    double volume = 1.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double extent = (double)upper[axis] - (double)lower[axis];
        volume *= extent > (double)grid.reach ? extent : (double)grid.reach;
        grid.lower[axis] = lower[axis];
    }
    double width = (double)grid.reach;
    if ( width <= (double)CLT_LARGEST_FLOAT )
    {
        const double fitting = cltCubeRoot( CLT_GRID_CELLS_IN_REACH * volume / room );
        width = fitting > width ? fitting : width;
    }
    while ( cltGrid_Divide( &grid, lower, upper, width ) > room )
    {
        width *= 1.125;
    }
    return grid;
}

/// Monotone: a <= b implies cell( a ) <= cell( b ). The comparisons map NaN to 0.
CLT_HD uint32_t cltGrid_Cell( const cltGrid* grid, float coordinate, int axis )
{
    const float last = (float)( grid->cells[axis] - 1u );
    float cell = ( coordinate - grid->lower[axis] ) * grid->cellsPerUnit[axis];
    cell = cell > 0.0f ? cell : 0.0f;
    return cell < last ? (uint32_t)cell : grid->cells[axis] - 1u;
}

/// The first cell of a row.
CLT_HD uint32_t cltGrid_Row( const cltGrid* grid, uint32_t y, uint32_t z )
{
    return ( z * grid->cells[1] + y ) * grid->cells[0];
}

/// The cell that a box lies in.
CLT_HD uint32_t cltGrid_CellOf( const cltGrid* grid, const cltAabb* box )
{
    return cltGrid_Row( grid, cltGrid_Cell( grid, box->lower[1], 1 ), cltGrid_Cell( grid, box->lower[2], 2 ) ) +
           cltGrid_Cell( grid, box->lower[0], 0 );
}

/// A grid and its leaves.
typedef struct cltCells
{
    cltGrid grid;
    const uint32_t* starts; ///< by cell, its first leaf; the last entry is the number of leaves
    cltPairMap map;         ///< for pairs within a cell
} cltCells;

/// Step: finds a cell's first leaf; leaves are sorted by the upper half of their keys.
CLT_HD uint32_t cltCells_FindStart( const uint64_t* keys, uint32_t leafCount, uint32_t cell )
{
    uint32_t low = 0;
    for ( uint32_t high = leafCount; low < high; )
    {
        const uint32_t middle = low + ( high - low ) / 2u;
        const bool isBefore = (uint32_t)( keys[middle] >> 32 ) < cell;
        low = isBefore ? middle + 1u : low;
        high = isBefore ? high : middle;
    }
    return low;
}

/// The number of leaves in a cell if `leaf` is its first leaf, otherwise 0. So the pairs within a cell belong to one
/// leaf and form one range of numbers, which threads can share.
CLT_HD uint32_t cltCells_CountFrom( const cltCells* cells, uint32_t leaf, uint32_t cell )
{
    return cells->starts[cell] == leaf ? cells->starts[cell + 1u] - leaf : 0u;
}

/// Step: tests candidate k of the cell that begins with leaf `first`. \return its key, or CLT_NO_KEY
CLT_HD uint64_t cltCells_TestStep( const cltCells* cells, const cltLeaves* leaves, cltFind find, uint32_t first,
                                   uint32_t count, uint64_t k )
{
    uint32_t i;
    uint32_t j;
    const bool isPair = cltPairMap_Pair( &cells->map, count, k, &i, &j );
    return isPair ? cltLeaves_Key( leaves, find, first + i, first + j ) : CLT_NO_KEY;
}

/// Cursor: the runs of leaves in other cells that a leaf must be tested against.
typedef struct cltCellWalk
{
    uint32_t cell;   ///< the leaf's own cell
    uint32_t firstX; ///< the first cell visited in a row; in the leaf's own row the walk begins after the leaf's cell
    uint32_t lastX;
    uint32_t firstY; ///< the first row visited in a layer; in the leaf's own layer the walk begins at the leaf's row
    uint32_t lastY;
    uint32_t lastZ;
    uint32_t y; ///< the row of the next run
    uint32_t z; ///< the layer of the next run
    bool isOwnRow;
} cltCellWalk;

/// Begins the walk of a leaf with the box `cover`. The lower corner of an overlapping leaf is at most one reach below
/// that of `cover`. Rounding this bound to float skips no leaf, because all corners are floats.
CLT_HD cltCellWalk cltCellWalk_Begin( const cltGrid* grid, const cltAabb* cover )
{
    cltCellWalk walk;
    walk.firstX = cltGrid_Cell( grid, cover->lower[0] - grid->reach, 0 );
    walk.lastX = cltGrid_Cell( grid, cover->upper[0], 0 );
    walk.firstY = cltGrid_Cell( grid, cover->lower[1] - grid->reach, 1 );
    walk.lastY = cltGrid_Cell( grid, cover->upper[1], 1 );
    walk.lastZ = cltGrid_Cell( grid, cover->upper[2], 2 );
    walk.y = cltGrid_Cell( grid, cover->lower[1], 1 );
    walk.z = cltGrid_Cell( grid, cover->lower[2], 2 );
    walk.cell = cltGrid_Row( grid, walk.y, walk.z ) + cltGrid_Cell( grid, cover->lower[0], 0 );
    walk.isOwnRow = true;
    return walk;
}

/// The next run, which may be empty. \return false at the end
CLT_HD bool cltCellWalk_Next( cltCellWalk* walk, const cltCells* cells, uint32_t* first, uint32_t* end )
{
    if ( walk->y > walk->lastY )
    {
        walk->y = walk->firstY;
        ++walk->z;
    }
    if ( walk->z > walk->lastZ )
    {
        return false;
    }
    const uint32_t row = cltGrid_Row( &cells->grid, walk->y, walk->z );
    *first = cells->starts[walk->isOwnRow ? walk->cell + 1u : row + walk->firstX];
    *end = cells->starts[row + walk->lastX + 1u];
    walk->isOwnRow = false;
    ++walk->y;
    return true;
}

/// Step: the number of tests that the search from a leaf makes.
CLT_HD uint64_t cltCells_CountStep( const cltCells* cells, const cltLeaves* leaves, uint32_t leaf )
{
    const cltAabb cover = cltLeaves_Cover( leaves, leaf );
    cltCellWalk walk = cltCellWalk_Begin( &cells->grid, &cover );
    uint64_t count = cltPairMap_CandidateCount( &cells->map, cltCells_CountFrom( cells, leaf, walk.cell ) );
    uint32_t first;
    uint32_t end;
    while ( cltCellWalk_Next( &walk, cells, &first, &end ) )
    {
        count += end - first;
    }
    return count;
}

/// A grid with this many box tests per leaf is too dense, and the tree replaces it. Measured on a CPU with 50,000
/// bodies: building the tree takes as long per leaf as twelve tests, and searching it adds little if few bodies moved.
/// So the grid never takes more than 4 times as long as the tree. Not measured on a device.
#define CLT_GRID_MAX_TESTS_PER_LEAF 24u

/// The number of updates for which the tree replaces a dense grid before the grid is tried again. Small enough to
/// notice soon that bodies have spread out, and large enough that trying costs little.
#define CLT_GRID_DENSE_UPDATES 64u

/// The value of cltStats::reason while the tree replaces a dense grid.
#define CLT_GRID_DENSE_REASON "the tree, because too many bodies share the grid's cells or are too large for them"

/// Whether so many bodies share cells that the tree is faster: a heap, a dense cluster in a wide world, or sizes that
/// differ a lot and so make cells wide. Filters are not considered: the tree skips subtrees that they reject.
CLT_HD bool cltGrid_IsDense( uint64_t candidateCount, uint32_t leafCount )
{
    return candidateCount > (uint64_t)CLT_GRID_MAX_TESTS_PER_LEAF * leafCount;
}

#endif
