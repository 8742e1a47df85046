// SPDX-License-Identifier: Zlib
/// \file grid.h
/// The uniform grid: a leaf lies in one cell, that of its cover's lower corner, leaves lie in the order of their cells,
/// and a leaf meets those of the cells around it that come after its own. So no pair is met twice, and no entry is kept
/// but where each cell begins. The pairs within a cell are numbered by the map from index to pair.
///
/// Cells are numbered along x first, so that the cells of a row are a run of leaves. A leaf looks into the rows from
/// its own one up to where its upper corner lies, and from where another leaf could begin and still reach it:
///
///     y    . . . . . . . .
///          . . ┌─────┐ . .     the row above: from the leaf's lower corner less the reach to its upper corner
///          . . └─────┘ . .
///          . . . . L┌──┐ .     its own row: from the cell after its own on
///          . . . . .└──┘ .
///          . . . . . . . .     rows below come before it, and look for it themselves
///      x ─▶
///
/// Only that cells keep the order of coordinates decides, never how large they are: rounding costs speed, not pairs.
#ifndef CLT_CORE_GRID_H
#define CLT_CORE_GRID_H

#include "gpu/core/curve.h"
#include "gpu/core/leaf.h"
#include "gpu/core/pair_map.h"

/// Cells for each leaf, at most, and some more for few leaves. Measured on a CPU with 10,000 bodies in motion: cells
/// half as long as the reach along x cost nothing and save a sixth of the tests; half as wide as well saves another
/// third of the tests and makes more rows, which take longer than these.
#define CLT_GRID_CELLS_PER_LEAF 4u
#define CLT_GRID_SPARE_CELLS 64u

/// Cells along x within reach.
#define CLT_GRID_CELLS_IN_REACH 2.0

/// Below it nothing is measured: a caller's mode of flushing subnormal numbers moves no corner so far.
#define CLT_GRID_LEAST_REACH 1.0e-30f

/// Cells over the region that holds the bodies. What lies outside is clamped into the border cells.
typedef struct cltGrid
{
    float lower[3];
    float cellsPerUnit[3];
    uint32_t cells[3]; ///< per axis
    float reach;       ///< no edge of a leaf's cover is longer
} cltGrid;

/// Cells of a grid for so many leaves, at most. They have the bits that a code of the curve has.
CLT_HD uint32_t cltGrid_CellRoom( uint32_t leafCount )
{
    const uint64_t room = (uint64_t)CLT_GRID_CELLS_PER_LEAF * leafCount + CLT_GRID_SPARE_CELLS;
    return room < 1u << CLT_CURVE_BITS ? (uint32_t)room : 1u << CLT_CURVE_BITS;
}

CLT_HD uint32_t cltGrid_CellCount( const cltGrid* grid )
{
    return grid->cells[0] * grid->cells[1] * grid->cells[2];
}

/// Sets the cells for a width; returns how many there would be.
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

/// Cells as wide as the longest edge reaches, or wider where they would outnumber the leaves: about as many as the
/// region's volume holds, flat regions counting as one reach thick, and wider until they can be numbered.
/// \param longestEdge  of all leaves in the grid. Infinite if some has no size: then there is one cell
CLT_HD cltGrid cltGrid_Make( const float lower[3], const float upper[3], float longestEdge, uint32_t leafCount )
{
    cltGrid grid;
    grid.reach = longestEdge * ( 1.0f + 3.0e-7f ); // an edge was rounded when it was taken from the corners
    grid.reach = grid.reach > CLT_GRID_LEAST_REACH ? grid.reach : CLT_GRID_LEAST_REACH;
    const double room = (double)cltGrid_CellRoom( leafCount );
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

/// Every step keeps order: a <= b gives cell( a ) <= cell( b ). The comparisons also send a NaN to 0.
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
    const uint32_t* starts; ///< the first leaf of each cell, and one past the last
    cltPairMap map;         ///< of the pairs within a cell
} cltCells;

/// Step: where a cell begins among leaves that are sorted by the upper half of their keys.
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

/// How many leaves a cell holds, if this one is its first; else 0. So each pair within a cell is one leaf's, and those
/// of a cell are one range of numbers, which threads can share.
CLT_HD uint32_t cltCells_CountFrom( const cltCells* cells, uint32_t leaf, uint32_t cell )
{
    return cells->starts[cell] == leaf ? cells->starts[cell + 1u] - leaf : 0u;
}

/// Step: the key of candidate k of the cell that begins with leaf `first`, or CLT_NO_KEY.
CLT_HD uint64_t cltCells_TestStep( const cltCells* cells, const cltLeaves* leaves, cltFind find, uint32_t first,
                                   uint32_t count, uint64_t k )
{
    uint32_t i;
    uint32_t j;
    const bool isPair = cltPairMap_Pair( &cells->map, count, k, &i, &j );
    return isPair ? cltLeaves_Key( leaves, find, first + i, first + j ) : CLT_NO_KEY;
}

/// Cursor: the runs of leaves in other cells that a leaf has to be tested against.
typedef struct cltCellWalk
{
    uint32_t cell;   ///< its own
    uint32_t firstX; ///< of all rows but its own
    uint32_t lastX;
    uint32_t firstY; ///< of all layers but its own
    uint32_t lastY;
    uint32_t lastZ;
    uint32_t y; ///< the row to come
    uint32_t z;
    bool isOwnRow;
} cltCellWalk;

/// Another leaf that overlaps this one begins no further below it than the reach. As that leaf's corner is a float, so
/// is the least one that it can be, and rounding the difference does not pass it.
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

/// The next run, which may be empty; false at the end.
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

/// Step: how many tests are a leaf's.
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

/// Tests of two boxes for each leaf from which on a grid is crowded, and the tree takes its place. Measured on a CPU
/// with 50,000 bodies: a test takes a twelfth of what building the tree takes for a leaf, which is all that the tree
/// costs when few bodies moved; so the grid then stays below 4 times the tree. Not measured on a device.
#define CLT_GRID_MAX_TESTS_PER_LEAF 24u

/// Updates for which the tree takes the place of a crowded grid before the grid is tried again: soon enough for a crowd
/// that dispersed, and so rarely that trying costs little.
#define CLT_GRID_CROWDED_UPDATES 64u

/// cltStats::reason in these.
#define CLT_GRID_CROWDED_REASON "the tree, because too many bodies share the grid's cells or are too large for them"

/// True if bodies share cells to such an extent that the tree is faster: a heap, a crowd in one place of a wide world,
/// sizes far apart, which make cells wide. Groups and masks do not count: the tree passes over what may not pair.
CLT_HD bool cltGrid_IsCrowded( uint64_t candidateCount, uint32_t leafCount )
{
    return candidateCount > (uint64_t)CLT_GRID_MAX_TESTS_PER_LEAF * leafCount;
}

#endif
