// SPDX-License-Identifier: Zlib
// The CPU takes the place of a device that failed.
//
// A lost device cannot be asked for anything, so all that it held is made again (successor.c), and the caller repeats what
// failed.

#include "bridge/takeover.h"

#include "bridge/successor.h"

#include <unistd.h>

static bool IsDevice( const cltBroadphase* broadphase )
{
    return broadphase->backend->ops->device != clt_deviceCpu;
}

cltStatus cltTakeover_Arm( cltBroadphase* broadphase )
{
    broadphase->owner = getpid();
    return cltProxyTable_KeepBefore( &broadphase->table, true );
}

cltStatus cltTakeover_Prepare( cltBroadphase* broadphase )
{
    // one to try: the def may ask for an instruction set that this processor lacks, and later is too late to say so
    cltBackend* probe;
    CLT_TRY( cltCreateHostBackend( &broadphase->def, &broadphase->memory, &probe ) );
    probe->ops->destroy( probe );
    return cltTakeover_Arm( broadphase );
}

bool cltTakeover_IsDue( const cltBroadphase* broadphase, cltStatus status )
{
    return IsDevice( broadphase ) &&
           ( status == clt_deviceMemory || status == clt_deviceFailed || status == clt_noDevice );
}

static bool IsForked( const cltBroadphase* broadphase )
{
    return broadphase->owner != getpid();
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
    return IsForked( broadphase ) ? cltTakeover_Run( broadphase, clt_deviceFailed ) : clt_ok;
}

static void Tell( const cltBroadphase* broadphase, cltStatus failure )
{
    const char* what = IsForked( broadphase ) ? "it belongs to the process that this one was forked from"
                                              : cltWhatFailed( broadphase->backend, failure );
    cltTellFailure( broadphase, failure, what,
                    "from this update on the CPU finds the pairs of this broadphase, the same ones" );
}

cltStatus cltTakeover_Run( cltBroadphase* broadphase, cltStatus failure )
{
    broadphase->deviceFailure = failure;
    cltSuccessor cpu;
    const cltStatus status = cltSuccessor_Make( broadphase, cltCreateHostBackend, &cpu );
    if ( status != clt_ok )
    {
        cltSuccessor_Discard( &cpu );
        return status;
    }
    Tell( broadphase, failure );
    cltSuccessor_Install( broadphase, &cpu );
    (void)cltProxyTable_KeepBefore( &broadphase->table, cpu.backend->readsBefore ); // kept so far: it cannot fail
    broadphase->deviceFailure = clt_ok;

    cltStats* stats = &broadphase->stats;
    stats->deviceReason = "a device failed, and the CPU took its place";
    stats->deviceBytes = 0;
    ++stats->deviceFailureCount;
    return clt_ok;
}
