// SPDX-License-Identifier: Zlib
// The backend for the CPU: gives the bridge's upload to a host algorithm, and sorts the keys that it finds. The stages
// in order: upload, build, findChanges, readBack, commit.

#include "gpu/host/host_algorithm.h"
#include "gpu/host/pair_list.h"
#include "gpu/host/radix_sort.h"
#include "gpu/host/wide/kernels.h"
#include "gpu/platform/system.h"
#include "gpu/rest/rest.h"

/// The smallest capacity for changes.
#define FEWEST_KEYS 16u

typedef struct HostBackend
{
    cltBackend base;
    cltHostResources resources;
    cltAlgorithm running; ///< never auto
    const char* reason;
    bool usesMatrix; ///< `algorithm` is a pair matrix
    cltSimd simd;
    cltHostAlgorithm* algorithm;

    cltUpload upload;     ///< the update in progress
    cltSearchInput input; ///< the upload's slots and filters, for the algorithm
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
} HostBackend;

static size_t BoxSize( const HostBackend* host )
{
    return host->resources.def->precision == clt_precisionDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
}

/// The `now` of the result is NULL if all filters accept all pairs; filtering is then skipped.
static cltPairFilters FiltersOf( const cltUpload* upload, bool committedOnly )
{
    if ( upload->allFiltersAccept )
    {
        return ( cltPairFilters ){ NULL, NULL };
    }
    const cltFilter* now = committedOnly ? upload->filtersBefore : upload->filters;
    return ( cltPairFilters ){ now, upload->refilteredCount > 0 ? upload->filtersBefore : now };
}

static cltSearchInput InputOf( const HostBackend* host, const cltUpload* upload )
{
    return ( cltSearchInput ){
        .slots = { .now = upload->boxes,
                   .before = upload->before,
                   .states = upload->states,
                   .isDouble = host->resources.def->precision == clt_precisionDouble,
                   .count = upload->slotCount },
        .filters = FiltersOf( upload, false ),
    };
}

static cltStatus HostUpload( cltBackend* backend, const cltUpload* upload )
{
    HostBackend* host = (HostBackend*)backend;
    host->lap = cltNowMs();
    host->upload = *upload;
    host->input = InputOf( host, upload );
    host->slotBits = cltIndexBits( upload->slotCount );
    host->stats = ( cltStats ){ .algorithm = host->running, .simd = host->simd, .reason = host->reason };
    host->research = ( cltResearchStats ){ 0 };
    return clt_ok;
}

static cltStatus SearchOnce( HostBackend* host, cltFind find, const cltSearchInput* input )
{
    host->sink.next = 0;
    host->sink.hasSplits = false;
    host->sink.hasRepeats = false;
    host->sink.isOrdered = false;
    return host->algorithm->ops->find( host->algorithm, find, input, &host->sink );
}

static size_t LargerSize( size_t a, size_t b )
{
    return a > b ? a : b;
}

/// A typical number of keys in the first update of `bodyCount` bodies.
static size_t GuessKeys( uint32_t bodyCount )
{
    return FEWEST_KEYS + 2u * (size_t)bodyCount;
}

static cltStatus OrderKeys( HostBackend* host )
{
    CLT_TRY( cltRadixSort_Run( &host->sort, host->resources.pool, host->resources.memory, &host->sink.buffer,
                               (size_t)host->sink.next, 0, 2u * host->slotBits + 1u ) );
    if ( host->sink.hasRepeats )
    {
        cltPairSink_DropRepeats( &host->sink );
    }
    if ( host->sink.hasSplits )
    {
        cltPairSink_DropPersistingPairs( &host->sink, host->slotBits );
    }
    host->stats.orderMs += cltLapMs( &host->lap );
    return clt_ok;
}

/// Searches, and sorts the keys found. If keys were lost because the algorithm did not enlarge the sink, searches again
/// with a larger sink.
static cltStatus Search( HostBackend* host, cltFind find, const cltSearchInput* input )
{
    cltMemory* memory = host->resources.memory;
    const size_t guess =
        LargerSize( host->compares ? host->pairList.count + host->pairList.count / 8u : 0,
                    GuessKeys( find == clt_findPairs ? input->slots.count : host->upload.changedCount ) );
    CLT_TRY( cltBuffer_Reserve( &host->sink.buffer, memory, guess, sizeof( uint64_t ) ) );
    CLT_TRY( SearchOnce( host, find, input ) );
    while ( host->sink.next > cltPairSink_Capacity( &host->sink ) )
    {
        ++host->research.redoCount;
        const uint64_t needed = host->sink.next + host->sink.next / 8u; // spare: the next update may find a few more
        CLT_TRY( cltBuffer_Reserve( &host->sink.buffer, memory, needed, sizeof( uint64_t ) ) );
        CLT_TRY( SearchOnce( host, find, input ) );
    }
    host->stats.findMs += cltLapMs( &host->lap );
    if ( !host->sink.isOrdered )
    {
        CLT_TRY( OrderKeys( host ) );
    }
    host->algorithm->ops->getStats( host->algorithm, &host->stats, &host->research );
    return clt_ok;
}

/// The input at the last committed update.
static cltStatus CommittedInput( HostBackend* host, const cltUpload* table, cltSearchInput* committed )
{
    *committed = InputOf( host, table );
    committed->slots.states = NULL;
    committed->filters = FiltersOf( table, true );
    if ( host->base.needsBefore && table->changedCount > 0 )
    {
        CLT_TRY(
            cltBuffer_Reserve( &host->committedBoxes, host->resources.memory, table->slotCount, BoxSize( host ) ) );
        cltUpload_CopyBefore( table, BoxSize( host ), host->committedBoxes.data );
        committed->slots.now = host->committedBoxes.data;
    }
    return clt_ok;
}

static cltStatus SearchPairs( HostBackend* host, const cltUpload* table )
{
    cltSearchInput committed;
    CLT_TRY( CommittedInput( host, table, &committed ) );
    CLT_TRY( host->algorithm->ops->restore( host->algorithm, &committed ) );
    host->slotBits = cltIndexBits( table->slotCount );
    CLT_TRY( Search( host, clt_findPairs, &committed ) );
    cltPairList_Take( &host->pairList, &host->sink.buffer, (size_t)host->sink.next, host->slotBits );
    return clt_ok;
}

/// Brings the pair list up to date with the last committed update.
/// \param table  the upload that an update would get if it began now
static cltStatus RefreshPairList( HostBackend* host, const cltUpload* table )
{
    cltPairList* list = &host->pairList;
    if ( list->age == clt_pairListOneBehind && list->count == 0 ) // the changes are only began pairs
    {
        cltPairList_Take( list, &host->sink.buffer, (size_t)host->sink.next, list->slotBits );
    }
    else if ( list->age == clt_pairListOneBehind )
    {
        CLT_TRY( cltPairList_Apply( list, host->resources.memory, host->sink.buffer.data, (size_t)host->sink.next ) );
    }
    else if ( list->age == clt_pairListUnknown )
    {
        CLT_TRY( SearchPairs( host, table ) );
    }
    return clt_ok;
}

/// Measured on x86-64 with AVX-512, two processors, brownian bodies that all move: from 1,000 to 100,000 of them `wide`
/// takes half the time of `lbvh`. `cullet compare --engines cullet-wide,cullet-lbvh,cullet-grid,cullet-brute` repeats
/// the measurement.
static void ChooseWide( HostBackend* host )
{
    host->running = clt_algorithmWide;
    host->reason = "on a CPU blocks under a wide tree were the fastest for more than 64 bodies";
}

/// Called before a rebuild: makes the list of previous pairs to compare with. If the list is empty, nothing is
/// compared: every pair found is new.
static cltStatus BeginComparison( HostBackend* host )
{
    const cltUpload* upload = &host->upload;
    CLT_TRY( RefreshPairList( host, upload ) );
    cltPairList_Adapt( &host->pairList, host->slotBits, upload->destroyedCount > 0 ? upload->states : NULL );
    host->compares = host->pairList.count > 0;
    return clt_ok;
}

/// Replaces the pair matrix, which has too many slots. The update must be a rebuild: `wide` does not get the previous
/// pairs.
static cltStatus ReplaceMatrix( HostBackend* host )
{
    cltHostAlgorithm* wide;
    CLT_TRY( cltCreateWide( &host->resources, &wide ) );
    host->algorithm->ops->destroy( host->algorithm );
    host->algorithm = wide;
    host->usesMatrix = false;
    ChooseWide( host );
    host->stats.algorithm = host->running;
    host->stats.reason = host->reason;
    return clt_ok;
}

static cltStatus HostBuild( cltBackend* backend )
{
    HostBackend* host = (HostBackend*)backend;
    const cltUpload* upload = &host->upload;
    const bool isFresh = host->algorithm->ops->shouldRebuild( host->algorithm, upload );
    host->compares = false;
    if ( isFresh )
    {
        CLT_TRY( BeginComparison( host ) );
        if ( host->usesMatrix )
        {
            CLT_TRY( ReplaceMatrix( host ) );
        }
    }
    cltPairList_BeginUpdate( &host->pairList );
    CLT_TRY( host->algorithm->ops->build( host->algorithm, upload, &host->input, isFresh ) );
    host->stats.buildMs = host->usesMatrix ? 0.0f : cltLapMs( &host->lap ); // the clock is slow, too
    return clt_ok;
}

static cltStatus CompareWithList( HostBackend* host )
{
    const cltPairList* list = &host->pairList;
    const cltStatus status =
        cltPairDifference_Find( &host->difference, ( cltSortedPairs ){ list->keys.data, list->count },
                                ( cltSortedPairs ){ host->sink.buffer.data, (size_t)host->sink.next }, host->slotBits,
                                host->resources.pool, host->resources.memory );
    host->stats.orderMs += cltLapMs( &host->lap );
    return status;
}

/// Searches only if some pair can have changed: if a changed slot has a proxy, or pairs of proxies at rest changed.
static cltStatus HostFindChanges( cltBackend* backend )
{
    HostBackend* host = (HostBackend*)backend;
    host->sink.next = 0;
    if ( host->upload.changedCount == host->upload.destroyedCount &&
         ( host->upload.rest == NULL || !cltRest_MayChangePairs( host->upload.rest ) ) )
    {
        host->compares = false;
        return clt_ok;
    }
    CLT_TRY( Search( host, clt_findChanges, &host->input ) );
    return host->compares ? CompareWithList( host ) : clt_ok;
}

static cltStatus HostReadBack( cltBackend* backend, cltPairKeys* changes )
{
    const HostBackend* host = (const HostBackend*)backend;
    const cltPairDifference* difference = &host->difference;
    *changes = ( cltPairKeys ){ .keys = host->compares ? difference->changes.data : host->sink.buffer.data,
                                .count = host->compares ? difference->count : (size_t)host->sink.next,
                                .slotBits = host->slotBits };
    return clt_ok;
}

/// Shrinks the buffers of keys after many small updates. Keeps the last changes, and the pair list if it can still be
/// updated. If out of memory, buffers stay as they are.
static void ShrinkKeyBuffers( HostBackend* host )
{
    cltPairList* list = &host->pairList;
    cltMemory* memory = host->resources.memory;
    const size_t count = (size_t)host->sink.next;
    const size_t sinkNeeds = LargerSize( count, GuessKeys( host->upload.changedCount ) );
    const size_t listNeeds = list->age == clt_pairListUnknown ? 0 : list->count;
    const size_t room = LargerSize( cltPairSink_Capacity( &host->sink ), list->keys.bytes / sizeof( uint64_t ) );
    if ( cltShrinkPolicy_IsDue( &host->shrinkPolicy, LargerSize( sinkNeeds, listNeeds ), room ) )
    {
        if ( cltBuffer_Shrink( &host->sink.buffer, memory, count, cltShrinkPolicy_Capacity( sinkNeeds ),
                               sizeof( uint64_t ) ) )
        {
            cltRadixSort_Release( &host->sort, memory );
            cltPairDifference_Release( &host->difference, memory );
            cltPairList_Shrink( list, memory );
        }
    }
}

static void HostCommit( cltBackend* backend )
{
    HostBackend* host = (HostBackend*)backend;
    cltWorkerPool_LetSleep( host->resources.pool );
    if ( host->compares )
    {
        cltPairList_Take( &host->pairList, &host->sink.buffer, (size_t)host->sink.next, host->slotBits );
        host->sink.next = 0;
        host->compares = false;
    }
    else
    {
        cltPairList_Commit( &host->pairList, host->slotBits, host->upload.destroyedCount == 0 );
    }
    host->algorithm->ops->commit( host->algorithm );
    ShrinkKeyBuffers( host );
}

static cltStatus HostReadPairs( cltBackend* backend, const cltUpload* table, cltPairKeys* pairs )
{
    HostBackend* host = (HostBackend*)backend;
    const cltPairList* list = &host->pairList;
    CLT_TRY( RefreshPairList( host, table ) );
    cltWorkerPool_LetSleep( host->resources.pool );
    *pairs = ( cltPairKeys ){ .keys = list->keys.data, .count = list->count, .slotBits = list->slotBits };
    return clt_ok;
}

static const cltQueryBase* HostViewBoxes( const cltBackend* backend )
{
    const HostBackend* host = (const HostBackend*)backend;
    return host->algorithm->ops->viewBoxes( host->algorithm );
}

static uint64_t HostPairsOf( const cltBackend* backend, uint32_t slot )
{
    const HostBackend* host = (const HostBackend*)backend;
    return host->usesMatrix && slot < CLT_FEW_SLOTS ? cltPairMatrix_PairsOf( host->algorithm, slot ) : 0u;
}

static void HostDraw( const cltBackend* backend, const cltDrawing* drawing )
{
    const HostBackend* host = (const HostBackend*)backend;
    host->algorithm->ops->draw( host->algorithm, drawing );
}

static void HostGetStats( const cltBackend* backend, cltStats* stats, cltResearchStats* research )
{
    const HostBackend* host = (const HostBackend*)backend;
    *stats = host->stats;
    *research = host->research;
}

static void HostDestroy( cltBackend* backend )
{
    HostBackend* host = (HostBackend*)backend;
    cltMemory* memory = host->resources.memory;
    if ( host->algorithm != NULL )
    {
        host->algorithm->ops->destroy( host->algorithm );
    }
    cltDestroyWorkerPool( host->resources.pool, memory );
    cltBuffer_Release( &host->sink.buffer, memory );
    cltBuffer_Release( &host->committedBoxes, memory );
    cltPairList_Release( &host->pairList, memory );
    cltPairDifference_Release( &host->difference, memory );
    cltRadixSort_Release( &host->sort, memory );
    cltMemory_Release( memory, host, sizeof *host );
}

static const cltBackendOps hostOps = { .device = clt_deviceCpu,
                                       .upload = HostUpload,
                                       .build = HostBuild,
                                       .findChanges = HostFindChanges,
                                       .readBack = HostReadBack,
                                       .commit = HostCommit,
                                       .readPairs = HostReadPairs,
                                       .viewBoxes = HostViewBoxes,
                                       .pairsOf = HostPairsOf,
                                       .draw = HostDraw,
                                       .getStats = HostGetStats,
                                       .destroy = HostDestroy };

static cltStatus CreateAlgorithm( HostBackend* host )
{
    switch ( host->resources.def->algorithm )
    {
    case clt_algorithmAuto:
        host->running = clt_algorithmBruteForce;
        host->reason = "at most 64 bodies are tested against each other faster than any order of them is kept";
        host->usesMatrix = true;
        host->base.needsLanes = true;
        return cltCreatePairMatrix( cltWideKernels_Get( host->simd )->meetBlocks, host->resources.memory,
                                    &host->algorithm );
    case clt_algorithmWide:
        return cltCreateWide( &host->resources, &host->algorithm );
    default:
        return cltCreateReference( &host->resources, &host->algorithm );
    }
}

static cltStatus CreateHostParts( HostBackend* host )
{
    CLT_TRY( cltCreateWorkerPool( host->resources.def, host->resources.memory, &host->resources.pool ) );
    host->base.pool = host->resources.pool;
    return CreateAlgorithm( host );
}

cltStatus cltCheckHostDef( const cltBroadphaseDef* def )
{
    return cltWideKernels_Get( def->simd ) != NULL ? clt_ok : clt_invalidArgument;
}

cltStatus cltCreateHostBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend )
{
    *backend = NULL;
    HostBackend* host = cltMemory_Allocate( memory, sizeof *host );
    if ( host == NULL )
    {
        return clt_hostMemory;
    }
    *host = ( HostBackend ){ .base = { .ops = &hostOps }, .running = def->algorithm, .reason = "asked for" };
    host->pairList.age = clt_pairListCurrent; // there are no pairs yet
    host->simd = cltWideKernels_Get( def->simd )->simd;
    host->resources = ( cltHostResources ){ .def = def, .memory = memory };
    const bool keepsBoxes = def->algorithm == clt_algorithmAuto || def->algorithm == clt_algorithmWide;
    host->base.needsBefore = !keepsBoxes || def->precision == clt_precisionDouble;
    const cltStatus status = CreateHostParts( host );
    if ( status != clt_ok )
    {
        HostDestroy( &host->base );
        return status;
    }
    *backend = &host->base;
    return clt_ok;
}
