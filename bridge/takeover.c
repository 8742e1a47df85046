// SPDX-License-Identifier: Zlib
// The CPU takes the place of a device that failed.
//
// A lost device cannot be asked for anything, so all that it held is made again. What began and what ended follows from
// the previous and the present boxes alone; the present ones are the proxy table's, and the previous ones it kept notes of
// (previous.h). So the new backend is led through one update in which every proxy appears as it was. From there the two
// backends could not be told apart, and the caller repeats what failed.

#include "bridge/takeover.h"

#include "bridge/previous.h"

#include <stdio.h>
#include <unistd.h>

/// A line for the log: what the device says, and what follows from it.
#define LINE_SIZE 320

static bool IsDevice( const cltBroadphase* broadphase )
{
    return broadphase->backend->ops->device != clt_deviceCpu;
}

cltStatus cltTakeover_Prepare( cltBroadphase* broadphase )
{
    broadphase->owner = getpid();
    broadphase->table.keepsPrevious = IsDevice( broadphase );
    if ( !IsDevice( broadphase ) )
    {
        return clt_ok;
    }
    // one to try: the def may ask for an instruction set that this processor lacks, and later is too late to say so
    cltBackend* probe;
    CLT_TRY( cltCreateHostBackend( &broadphase->def, &broadphase->memory, &probe ) );
    probe->ops->destroy( probe );
    return clt_ok;
}

bool cltTakeover_IsDue( const cltBroadphase* broadphase, cltStatus status )
{
    return IsDevice( broadphase ) &&
           ( status == clt_deviceMemory || status == clt_deviceFailed || status == clt_noDevice );
}

cltStatus cltTakeover_BeforeWork( cltBroadphase* broadphase )
{
    if ( !IsDevice( broadphase ) )
    {
        return clt_ok;
    }
    if ( broadphase->deviceFailure != clt_ok )
    {
        return cltTakeover_Run( broadphase, broadphase->deviceFailure );
    }
    // a forked child inherits the memory, but not the device: touching it there is undefined
    return broadphase->owner == getpid() ? clt_ok : cltTakeover_Run( broadphase, clt_deviceFailed );
}

// -------------------------------------------------------------------------------------------------------- a new backend

/// An update in which every proxy appears as it was. Its pairs were handed out by the device long ago.
static cltStatus Replay( cltBackend* backend, const cltUpload* upload )
{
    const cltBackendOps* ops = backend->ops;
    CLT_TRY( ops->upload( backend, upload ) );
    CLT_TRY( ops->build( backend ) );
    CLT_TRY( ops->findChanges( backend ) );
    cltPairKeys known;
    CLT_TRY( ops->readBack( backend, &known ) );
    ops->commit( backend );
    return clt_ok;
}

static cltStatus ReplayPrevious( const cltBroadphase* broadphase, cltBackend* backend )
{
    cltPrevious previous = { 0 };
    cltUpload upload;
    cltStatus status = cltPrevious_Gather( &previous, &broadphase->table, broadphase->def.filterMasks, &upload );
    if ( status == clt_ok && upload.changedCount > 0 )
    {
        status = Replay( backend, &upload );
    }
    cltPrevious_Release( &previous, broadphase->table.memory );
    return status;
}

static cltStatus CreateReplacement( cltBroadphase* broadphase, cltBackend** backend, cltQueries** queries )
{
    CLT_TRY( cltCreateHostBackend( &broadphase->def, &broadphase->memory, backend ) );
    CLT_TRY( ReplayPrevious( broadphase, *backend ) );
    return cltCreateQueries( &broadphase->memory, queries );
}

// ------------------------------------------------------------------------------------------------------------- the swap

static void Tell( const cltBroadphase* broadphase, cltStatus failure )
{
    if ( broadphase->def.log == NULL )
    {
        return;
    }
    const bool forked = broadphase->owner != getpid();
    cltBackendStats last;
    broadphase->backend->ops->getStats( broadphase->backend, &last );
    const char* what = forked                 ? "it belongs to the process that this one was forked from"
                       : last.failure != NULL ? last.failure
                                              : cltStatusName( failure );
    char line[LINE_SIZE];
    snprintf( line, sizeof line,
              "%s: %s; from this update on the CPU finds the pairs of this broadphase, the same ones",
              cltDeviceName( broadphase->backend->ops->device ), what );
    broadphase->def.log( failure, line, broadphase->def.userContext );
}

/// The queries keep trees over the old backend's leaves, so they are replaced with it.
static void Replace( cltBroadphase* broadphase, cltBackend* backend, cltQueries* queries )
{
    const cltQueryView view = cltBroadphase_View( broadphase );
    cltQueries_Forget( broadphase->queries, &view );
    cltDestroyQueries( broadphase->queries, &broadphase->memory );
    broadphase->queries = queries;

    broadphase->backend->ops->destroy( broadphase->backend );
    broadphase->backend = backend;
    broadphase->deviceFailure = clt_ok;

    broadphase->table.keepsPrevious = false;
    cltBuffer_Release( &broadphase->table.previousBoxes, &broadphase->memory );
    cltBuffer_Release( &broadphase->table.previousFilters, &broadphase->memory );
}

cltStatus cltTakeover_Run( cltBroadphase* broadphase, cltStatus failure )
{
    broadphase->deviceFailure = failure;
    cltBackend* backend = NULL;
    cltQueries* queries = NULL;
    const cltStatus status = CreateReplacement( broadphase, &backend, &queries );
    if ( status != clt_ok )
    {
        if ( backend != NULL )
        {
            backend->ops->destroy( backend );
        }
        return status;
    }
    Tell( broadphase, failure );
    Replace( broadphase, backend, queries );

    cltStats* stats = &broadphase->stats;
    stats->device = clt_deviceCpu;
    stats->deviceReason = "a device failed, and the CPU took its place";
    stats->deviceBytes = 0;
    ++stats->deviceFailureCount;
    return clt_ok;
}
