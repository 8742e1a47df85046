// SPDX-License-Identifier: Zlib
// Brings a new backend into the state of the last committed update.
//
// Changes of pairs depend only on previous and current boxes, and the proxy table has both. So the new backend runs one
// update in which every proxy appears with its previous box, and then continues like the old one. Nothing is read from
// a lost device. A failed promotion costs only time, because the CPU's backend is destroyed last.

#include "bridge/backend_switch.h"

#include "bridge/gather.h"
#include "gpu/platform/system.h"

#include <stdio.h>

/// Runs an update in which every proxy appears. Ignores its pairs: the old backend has already reported them.
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

/// Creates a backend in the state of the last committed update, and has the proxy table keep what it needs.
/// \param[out] made  the backend, or NULL. The caller must destroy it even after a failure; it then holds the message
static cltStatus Make( cltBroadphase* broadphase, cltCreateBackendFcn* create, cltBackend** made )
{
    cltBuffer storage = { 0 };
    cltUpload upload;
    *made = NULL;
    CLT_TRY( create( &broadphase->def, &broadphase->memory, made ) );
    cltStatus status = cltGatherPrevious( &broadphase->table, &storage, &upload );
    if ( status == clt_ok && upload.changedCount > 0 )
    {
        status = Replay( *made, &upload );
    }
    cltBuffer_Release( &storage, &broadphase->memory );
    return status == clt_ok
               ? cltProxyTable_Keep( &broadphase->table, ( *made )->needsBeforeAbove, ( *made )->needsLanes )
               : status;
}

static void Discard( cltBackend* backend )
{
    if ( backend != NULL )
    {
        backend->ops->destroy( backend );
    }
}

static bool IsDevice( const cltBackend* backend )
{
    return backend->ops->device != clt_deviceCpu;
}

static void Install( cltBroadphase* broadphase, cltBackend* backend )
{
    Discard( broadphase->backend );
    broadphase->backend = backend;
    cltRest_Release( &broadphase->table.rest, &broadphase->memory );
    broadphase->deviceOwner = cltProcessId();
    cltStats made;
    cltResearchStats research;
    backend->ops->getStats( backend, &made, &research );
    broadphase->stats.device = backend->ops->device;
    broadphase->stats.deviceBytes = made.deviceBytes;
}

/// Writes one line to the log hook: the device's message and the consequence.
static void Log( const cltBroadphase* broadphase, cltStatus failure, const char* what, const char* consequence )
{
    if ( broadphase->def.hooks.log != NULL )
    {
        char line[320];
        snprintf( line, sizeof line, "%s: %s; %s", cltDeviceName( clt_deviceCuda ), what, consequence );
        broadphase->def.hooks.log( failure, line, broadphase->def.hooks.userContext );
    }
}

/// The message of a device that failed, or the name of the failure.
static const char* FailureText( const cltBackend* backend, cltStatus failure )
{
    const bool said = backend != NULL && backend->failure != NULL && backend->failure[0] != '\0';
    return said ? backend->failure : cltStatusName( failure );
}

// -------------------------------------------------------------------------------------------------------- failover

/// True in a forked child. It inherits the memory, but not the device: using the device there is undefined.
static bool IsForked( const cltBroadphase* broadphase )
{
    return broadphase->deviceOwner != cltProcessId();
}

static cltStatus FailOver( cltBroadphase* broadphase )
{
    const cltStatus failure = broadphase->deviceFailure;
    cltBackend* cpu;
    const cltStatus status = Make( broadphase, cltCreateHostBackend, &cpu );
    if ( status != clt_ok )
    {
        Discard( cpu );
        return status;
    }
    const char* what = IsForked( broadphase ) ? "it belongs to the process that this one was forked from"
                                              : FailureText( broadphase->backend, failure );
    Log( broadphase, failure, what, "from this update on the CPU finds the pairs of this broadphase, the same ones" );
    Install( broadphase, cpu );
    broadphase->deviceFailure = clt_ok;

    cltStats* stats = &broadphase->stats;
    stats->deviceReason = "a device failed, and the CPU took its place";
    ++stats->deviceFailureCount;
    return clt_ok;
}

cltStatus cltFailover_BeforeWork( cltBroadphase* broadphase )
{
    if ( !IsDevice( broadphase->backend ) )
    {
        return clt_ok;
    }
    if ( broadphase->deviceFailure == clt_ok && IsForked( broadphase ) )
    {
        broadphase->deviceFailure = clt_deviceFailed;
    }
    return broadphase->deviceFailure != clt_ok ? FailOver( broadphase ) : clt_ok;
}

bool cltFailover_IsDue( cltBroadphase* broadphase, cltStatus status )
{
    const bool failed = status == clt_deviceMemory || status == clt_deviceFailed || status == clt_noDevice;
    if ( failed ) // only devices fail so
    {
        broadphase->deviceFailure = status;
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------------- promotion

/// Records that promotion failed. Logs a line only if there is a device.
static void StayOnCpu( cltBroadphase* broadphase, const cltBackend* device, cltStatus failure )
{
    cltStats* stats = &broadphase->stats;
    if ( device == NULL && failure == clt_noDevice )
    {
        stats->deviceReason = "enough bodies move for a CUDA device, but none can be used: cltGetDevices says why";
        return;
    }
    Log( broadphase, failure, FailureText( device, failure ), "the CPU goes on finding the pairs of this broadphase" );
    stats->deviceReason = "enough bodies move for a CUDA device, but moving there failed";
    ++stats->deviceFailureCount;
}

void cltPromotion_Consider( cltBroadphase* broadphase )
{
    broadphase->quietCount = cltQueries_WereAsked( broadphase->queries ) ? 0 : broadphase->quietCount + 1u;
    if ( broadphase->quietCount < broadphase->offer.patience )
    {
        return;
    }
    cltBackend* device;
    const cltStatus status = Make( broadphase, broadphase->offer.create, &device );
    broadphase->quietCount = 0;
    broadphase->mayBePromoted = status == clt_hostMemory; // not a failure of the device: promotion is tried again
    if ( status == clt_ok )
    {
        Install( broadphase, device );
        broadphase->stats.deviceReason = "enough bodies moved in enough updates for the promotion that was asked for";
        return;
    }
    if ( status != clt_hostMemory )
    {
        StayOnCpu( broadphase, device, status );
    }
    Discard( device );
}
