// SPDX-License-Identifier: Zlib
/// \file cullet_debug.h
/// Draws the search structure of a broadphase through callbacks, for viewers and for debugging. Nothing is recorded for
/// it: updates and queries take as long as if it did not exist.
///
/// What cltBroadphase_DebugDraw draws on the CPU, by algorithm:
///
///     wide         outliers, then the tree in preorder. Each leaf is a block of up to sixteen bodies, in the order of
///                  a Hilbert curve if there are more than 64; unsorted bodies have the last blocks
///     lbvh         the tree in preorder. Each leaf is one body, in the order of the curve. Then outliers
///     frontier     the tree level by level. Each leaf is one body, in the order of the curve. Then outliers
///     grid         the cells that have bodies, then outliers. If lbvh replaces the grid (cltStats::reason), its tree
///     bruteForce   the bodies alone, in the order of the curve
///
/// The bodies of a leaf or a cell are drawn right after it. A node bounds the previous boxes of its bodies, too, so it
/// may be larger than their current boxes. After a large move, the previous box of a body may have a leaf of its own,
/// which has no body. The structure of a CUDA device is not drawn.
#ifndef CLT_CULLET_DEBUG_H
#define CLT_CULLET_DEBUG_H

#include "cullet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The place of a body in the search structure.
typedef enum cltDebugPlace
{
    clt_debugOrdered,  ///< in the order of the curve or of the cells
    clt_debugUnsorted, ///< `wide`: in the tree, but behind the ordered bodies until the next sort
    clt_debugOutlier,  ///< too large for the tree or the grid: tested against all others
    clt_debugUnplaced, ///< in no structure that can be drawn
    clt_debugTested    ///< the query tests the body's box; only in drawings of queries
} cltDebugPlace;

/// A proxy, as it is drawn.
typedef struct cltDebugBody
{
    cltProxyId proxy;    ///< its id
    cltDebugPlace place; ///< where it is in the search structure
    uint64_t userData;   ///< given at its creation
    /// The box in the structure: it differs from the box at the last update by at most restMargin. The current box if
    /// `place` is clt_debugUnplaced or clt_debugTested
    cltAabb box;
    /// `wide` does not search a body while each bound is within this distance of `box`. 0: it searches after each move
    float restMargin;
} cltDebugBody;

/// The functions to draw with. Each may be NULL. Boxes are float; those of doubles are rounded outward. They may be
/// inverted or infinite, as in cullet.h, but have no NaN. The functions may query the broadphase, but not change it.
typedef struct cltDebugDraw
{
    /// A node of the search tree.
    /// \param level   0 for the root
    /// \param isLeaf  the node has bodies instead of nodes below it
    void ( *drawNode )( const cltAabb* bounds, uint32_t level, bool isLeaf, void* context );

    /// A body of the node or cell drawn last.
    void ( *drawBody )( const cltDebugBody* body, void* context );

    /// A cell of the grid. A body belongs to the cell of the lower corner of its box. If the body moved in the last
    /// update, the union of its previous and current boxes has that corner. A cell on the grid's border has the corners
    /// beyond the border, too. Elsewhere `cell` is exact up to rounding.
    /// \param bodyCount  the number of bodies in the cell; at least 1
    void ( *drawCell )( const cltAabb* cell, uint32_t bodyCount, void* context );

    void* context; ///< passed to all functions
} cltDebugDraw;

/// Draws the search structure as of the last update. Each proxy with a box is drawn once; destroyed proxies are not
/// drawn. Proxies that have appeared since the last update are drawn last, as clt_debugUnplaced.
///
/// All proxies are clt_debugUnplaced, in the order of their ids and with their current boxes, if there is no structure:
///
///   - before the first update, and after an update that failed
///   - on a CUDA device, because its structure is in the memory of the device
///   - after an update in which proxies were only destroyed, with other algorithms than `wide`
///
/// No other thread may use the broadphase at the same time. Changes neither results nor statistics.
/// \return clt_invalidArgument, clt_hostMemory (nothing was drawn)
CLT_API cltStatus cltBroadphase_DebugDraw( cltBroadphase* broadphase, const cltDebugDraw* draw );

// Drawings of queries. They call drawNode for each node that the query visits, and drawBody for each body with a box
// that it tests, whether or not it finds the body. The numbers of calls measure the cost of the query.
//
// Each leaf is a block of up to sixteen bodies. Queries use the tree of `wide`, and trees that they build (cullet.h).
// These functions build none. So there may be several trees, each with a level 0, or none. A root is always visited.
// All other visited nodes meet the query's shape, or miss it by less than the largest restMargin.
//
// As with queries, many threads may call them at the same time. `box`, `from` and `to` are as for the query.

/// Draws cltBroadphase_QueryBox.
/// \return clt_invalidArgument
CLT_API cltStatus cltBroadphase_DebugDrawQueryBox( const cltBroadphase* broadphase, const cltAabb* box,
                                                   const cltDebugDraw* draw );

/// Draws cltBroadphase_CastRay with a callback that never shortens the segment.
/// \return clt_invalidArgument
CLT_API cltStatus cltBroadphase_DebugDrawCastRay( const cltBroadphase* broadphase, const double from[3],
                                                  const double to[3], const cltDebugDraw* draw );

#ifdef __cplusplus
}
#endif

#endif
