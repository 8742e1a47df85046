// SPDX-License-Identifier: Zlib
/// \file host_backend.h
/// The backend for the CPU. Its stages are in host_backend.c, its searches in host_search.c.
#ifndef CLT_HOST_BACKEND_H
#define CLT_HOST_BACKEND_H

#include "gpu/host/host_algorithm.h"
#include "gpu/host/pair_difference.h"
#include "gpu/host/pair_list.h"
#include "gpu/host/radix_sort.h"
#include "gpu/platform/system.h"

typedef struct cltHostBackend
{
    cltBackend base;
    cltHostResources resources;
    cltAlgorithm running; ///< never auto
    const char* reason;
    bool usesMatrix; ///< `algorithm` is a pair matrix
    cltSimd simd;
    cltHostAlgorithm* algorithm;

    const cltUpload* upload; ///< of the update or of the call of readPairs in progress
    cltSearchInput input;    ///< the upload's slots and filters, for the algorithm
    uint32_t slotBits;
    cltPairSink sink; ///< the keys that the last search found: changes or all pairs
    cltPairList pairList;
    cltPairDifference difference; ///< the changes of the last update, if it compared lists of pairs
    bool compares;                ///< this update finds all current pairs and compares them with pairList
    cltShrinkPolicy shrinkPolicy; ///< for the sink, the sort and pairList
    cltBuffer committedBoxes;     ///< the boxes of the last committed update, by slot; made if proxies changed since
    cltRadixSort sort;
    double lap; ///< end of the last stage, by cltNowMs
    cltStats stats;
    cltResearchStats research;
} cltHostBackend;

/// Ends a stage. \return its milliseconds; 0 with lanes, so with few slots: the stage takes less time than reading the
/// clock
static inline float cltHost_LapMs( cltHostBackend* host )
{
    return host->upload->lanes != NULL ? 0.0f : cltLapMs( &host->lap );
}

/// \param[out] input  the boxes and filters of the upload, as an algorithm gets them
void cltHost_SetInput( const cltHostBackend* host, const cltUpload* upload, cltSearchInput* input );

/// Searches, and sorts the keys found, which are then in the sink. If keys were lost because the algorithm did not
/// enlarge the sink, searches again with a larger sink.
cltStatus cltHost_Search( cltHostBackend* host, cltFind find, const cltSearchInput* input );

/// Brings the pair list up to date with the last committed update.
/// \param table  the upload that an update would get if it began now
cltStatus cltHost_RefreshPairList( cltHostBackend* host, const cltUpload* table );

/// Shrinks the buffers of keys after many small updates. Keeps the last changes, and the pair list if it can still be
/// updated. If out of memory, buffers stay as they are.
void cltHost_ShrinkKeyBuffers( cltHostBackend* host );

#endif
