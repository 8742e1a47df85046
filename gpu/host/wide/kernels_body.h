// SPDX-License-Identifier: Zlib
/// \file kernels_body.h
/// The loops that take the time, in the operations of simd.h. Included by one small file for each instruction set,
/// which defines CLT_KERNELS, the name of the table to fill, and CLT_KERNELS_SIMD. A search walks the tree with the box
/// around the searching lanes (walk.h), and tests these against what it meets (candidates.h).
#ifndef CLT_HOST_WIDE_KERNELS_BODY_H
#define CLT_HOST_WIDE_KERNELS_BODY_H

#include "gpu/host/wide/walk.h"

CLT_SPECIALIZED void SearchFor( Searcher* searcher, const uint32_t* listed, uint32_t first, uint32_t count,
                                cltWideFind find )
{
    Vicinity vicinity;
    for ( uint32_t i = first; listed != NULL && i < first + count; ++i )
    {
        SearchMoversOf( searcher, listed[i], find );
    }
    for ( uint32_t block = first; listed == NULL && block < first + count; ++block )
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

static bool Search( const cltWideSearch* search, const uint32_t* listed, uint32_t first, uint32_t count )
{
    uint32_t candidates[CANDIDATE_CAPACITY];
    Hits hits;
    hits.count = 0;
    hits.someAsk = false;
    cltPairBlock_Init( &hits.keys, search->sink );
    Searcher searcher = { .search = search, .candidates = candidates, .hits = &hits };
    switch ( search->find )
    {
    case clt_wideChanges:
        SearchFor( &searcher, listed, first, count, clt_wideChanges );
        break;
    case clt_wideTouching:
        SearchFor( &searcher, listed, first, count, clt_wideTouching );
        break;
    case clt_widePairs:
    case clt_wideMeasure: // not here
        SearchFor( &searcher, listed, first, count, clt_widePairs );
        break;
    }
    FlushHits( search, &hits );
    cltPairBlock_Flush( &hits.keys );
    return !hits.keys.hasLost;
}

static void MeasureMovers( const cltWideSearch* search, const uint32_t* blocks, uint32_t count )
{
    uint32_t candidates[CANDIDATE_CAPACITY];
    Gaps gaps;
    Searcher searcher = { .search = search, .candidates = candidates, .gaps = &gaps };
    for ( uint32_t i = 0; i < count; ++i )
    {
        SearchMoversOf( &searcher, blocks[i], clt_wideMeasure );
    }
}

const cltWideKernels CLT_KERNELS = { .simd = CLT_KERNELS_SIMD,
                                     .bound = Bound,
                                     .settle = Settle,
                                     .findUnsorted = FindUnsorted,
                                     .search = Search,
                                     .findMoved = FindMoved,
                                     .measureMovers = MeasureMovers,
                                     .meetBox = MeetBox,
                                     .meetRay = MeetRay };

#endif
