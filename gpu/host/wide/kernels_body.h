// SPDX-License-Identifier: Zlib
/// \file kernels_body.h
/// The hot loops, written with the operations of simd.h. Included by one small file for each instruction set, which
/// defines CLT_KERNELS, the name of the table to fill, and CLT_KERNELS_SIMD. A search walks the tree with the box
/// around the searching lanes (walk.h), and tests these lanes against the boxes that overlap this box (candidates.h).
#ifndef CLT_HOST_WIDE_KERNELS_BODY_H
#define CLT_HOST_WIDE_KERNELS_BODY_H

#include "gpu/host/wide/walk.h"

CLT_SPECIALIZED void SearchBlocksFor( Searcher* searcher, uint32_t first, uint32_t last, cltWideFind find )
{
    Vicinity vicinity;
    for ( uint32_t block = first; block < last; ++block )
    {
        const uint32_t leaf = block - CLT_OUTLIER_BLOCKS;
        if ( block >= CLT_OUTLIER_BLOCKS && ( block == first || leaf % CLT_LANE_COUNT == 0 ) )
        {
            const bool isKept = FindVicinity( searcher->search, leaf / CLT_LANE_COUNT, &vicinity );
            searcher->vicinity = isKept ? &vicinity : NULL;
        }
        SearchBlock( searcher, block, find );
    }
}

CLT_SPECIALIZED void SearchMoversFor( Searcher* searcher, const uint32_t* blocks, uint32_t count, cltWideFind find )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        SearchMoversOf( searcher, blocks[i], find );
    }
}

static inline Searcher BeginSearch( const cltWideSearch* search, uint32_t* candidates, Hits* hits )
{
    hits->count = 0;
    hits->someNeedFilters = false;
    cltPairBlock_Init( &hits->keys, search->sink );
    return ( Searcher ){ .search = search, .candidates = candidates, .hits = hits };
}

static inline bool EndSearch( const Searcher* searcher )
{
    FlushHits( searcher->search, searcher->hits );
    cltPairBlock_Flush( &searcher->hits->keys );
    return !searcher->hits->keys.hasLost;
}

static bool RunBlocks( const cltWideSearch* search, uint32_t first, uint32_t last )
{
    uint32_t candidates[CANDIDATE_CAPACITY];
    Hits hits;
    Searcher searcher = BeginSearch( search, candidates, &hits );
    switch ( search->find )
    {
    case clt_wideChanges:
        SearchBlocksFor( &searcher, first, last, clt_wideChanges );
        break;
    case clt_wideTouching:
        SearchBlocksFor( &searcher, first, last, clt_wideTouching );
        break;
    case clt_widePairs:
    case clt_wideMeasure: // not here
        SearchBlocksFor( &searcher, first, last, clt_widePairs );
        break;
    }
    return EndSearch( &searcher );
}

static bool RunMovers( const cltWideSearch* search, const uint32_t* blocks, uint32_t count )
{
    uint32_t candidates[CANDIDATE_CAPACITY];
    Hits hits;
    Searcher searcher = BeginSearch( search, candidates, &hits );
    switch ( search->find )
    {
    case clt_wideChanges:
        SearchMoversFor( &searcher, blocks, count, clt_wideChanges );
        break;
    case clt_wideTouching:
        SearchMoversFor( &searcher, blocks, count, clt_wideTouching );
        break;
    case clt_widePairs:
    case clt_wideMeasure: // not here
        SearchMoversFor( &searcher, blocks, count, clt_widePairs );
        break;
    }
    return EndSearch( &searcher );
}

static void MeasureMovers( const cltWideSearch* search, const uint32_t* blocks, uint32_t count )
{
    uint32_t candidates[CANDIDATE_CAPACITY];
    Gaps gaps;
    Searcher searcher = { .search = search, .candidates = candidates, .gaps = &gaps };
    SearchMoversFor( &searcher, blocks, count, clt_wideMeasure );
}

const cltWideKernels CLT_KERNELS = { .simd = CLT_KERNELS_SIMD,
                                     .bound = Bound,
                                     .copyCurrentToPrevious = CopyCurrentToPrevious,
                                     .findUnsorted = FindUnsorted,
                                     .searchBlocks = RunBlocks,
                                     .searchMovers = RunMovers,
                                     .findMoved = FindMoved,
                                     .measureMovers = MeasureMovers,
                                     .meetBlocks = MeetBlocks,
                                     .meetBox = MeetBox,
                                     .meetRay = MeetRay };

#endif
