// SPDX-License-Identifier: Zlib
/// \file filters.h
/// Filters of blocks and nodes. By these, a search skips blocks and nodes without a body that the searching lanes may
/// pair with. Each block has the union of its bodies' current and previous filters. Each lane of a node has the union
/// of the filters of all blocks below it.
///
/// Until lanes are sorted again, a block's union only grows. So it may accept pairs that the bodies' filters reject,
/// but never the reverse. Unions prune only if bodies with similar filters lie together. So lanes are ordered by filter
/// class first, and along the curve within a class.
///
/// Each block also has the intersection of its bodies' filters. If the intersections of two blocks allow each other, so
/// do all their bodies, and the filters of single bodies need not be read.
#ifndef CLT_HOST_WIDE_FILTERS_H
#define CLT_HOST_WIDE_FILTERS_H

#include "gpu/backend.h"
#include "gpu/core/pair_change.h"
#include "gpu/host/wide/blocks.h"

/// Classes are numbers below this. All filters without a class of their own share class 0.
#define CLT_FILTER_CLASSES 15u

/// The filters of a node's children.
typedef struct cltFilterLanes
{
    int32_t group[CLT_LANE_COUNT];
    int32_t mask[CLT_LANE_COUNT];
} cltFilterLanes;

static inline void cltFilterLanes_Set( cltFilterLanes* lanes, uint32_t lane, const cltFilter* filter )
{
    lanes->group[lane] = filter->group;
    lanes->mask[lane] = filter->mask;
}

static inline cltFilter cltFilterLanes_Union( const cltFilterLanes* lanes )
{
    cltFilter all = { 0, 0 };
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        all.group |= lanes->group[lane];
        all.mask |= lanes->mask[lane];
    }
    return all;
}

/// Bounds of the filters of a block's bodies.
typedef struct cltBlockFilter
{
    cltFilter any;   ///< the union of the bodies' filters
    cltFilter every; ///< the intersection of the bodies' filters; shrinks as the union grows
} cltBlockFilter;

/// The filters of all blocks.
typedef struct cltBlockFilters
{
    cltBuffer blocks;   ///< cltBlockFilter, by block
    int32_t anyGroup;   ///< union of all bodies' groups
    int32_t everyMask;  ///< intersection of all bodies' masks
    uint32_t editCount; ///< filters edited since lanes were sorted
} cltBlockFilters;

static inline cltBlockFilter* cltBlockFilters_Blocks( const cltBlockFilters* filters )
{
    return (cltBlockFilter*)filters->blocks.data;
}

/// The filters of a block without bodies.
static inline cltBlockFilter cltBlockFilter_Empty( void )
{
    const cltBlockFilter empty = { { 0, 0 }, { -1, -1 } };
    return empty;
}

/// Adds the filter of a new body, or the new filter of a body.
static inline void cltBlockFilter_Add( cltBlockFilter* block, const cltFilter* filter )
{
    block->any = cltFilter_Union( &block->any, filter );
    block->every = cltFilter_Common( &block->every, filter );
}

/// True if some bodies may reject each other. Otherwise filters cannot prune a search.
static inline bool cltBlockFilters_MayReject( const cltBlockFilters* filters )
{
    return ( filters->anyGroup & ~filters->everyMask ) != 0;
}

/// Resets the summary of all filters to that of a world without bodies.
static inline void cltBlockFilters_Clear( cltBlockFilters* filters )
{
    filters->anyGroup = 0;
    filters->everyMask = -1;
    filters->editCount = 0;
}

static inline void cltBlockFilters_Add( cltBlockFilters* filters, uint32_t block, const cltFilter* filter )
{
    cltBlockFilter_Add( cltBlockFilters_Blocks( filters ) + block, filter );
    filters->anyGroup |= filter->group;
    filters->everyMask &= filter->mask;
}

/// Classes of filters, by which lanes are ordered first. Two filters of one class need not be equal.
typedef struct cltFilterClasses
{
    const cltFilter* filters; ///< by slot; NULL: all are of one class
    cltFilter distinct[CLT_FILTER_CLASSES];
    uint32_t classes[CLT_FILTER_CLASSES]; ///< the class of each distinct filter
    uint32_t distinctCount;
    uint32_t count; ///< the number of classes, at least 1
} cltFilterClasses;

/// \param filters  by slot, NULL if all filters accept all pairs
cltFilterClasses cltFilterClasses_Make( const cltFilter* filters, uint32_t slotCount );

uint32_t cltFilterClasses_Of( const cltFilterClasses* classes, uint32_t slot );

#endif
