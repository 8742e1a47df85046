// SPDX-License-Identifier: Zlib
// From the CPU to a device.
//
// It happens behind an update that is complete: previous and present boxes are one then, and what was handed out lies in the
// publication, which no backend owns. The device is led to the same point (successor.c) before the CPU's backend is given
// up, so that whatever fails on the way costs time and nothing else.

#include "bridge/move_up.h"

#include "bridge/successor.h"
#include "bridge/takeover.h"

static cltStatus MakeOnDevice( cltBroadphase* broadphase, cltSuccessor* device )
{
    CLT_TRY( cltSuccessor_Make( broadphase, broadphase->offer.create, device ) );
    return cltTakeover_Arm( broadphase );
}

/// A machine without a device is none that failed; whoever has one that does not do what it should wants to know.
static void Stay( cltBroadphase* broadphase, cltSuccessor* device, cltStatus failure )
{
    cltStats* stats = &broadphase->stats;
    if ( device->backend == NULL && failure == clt_noDevice )
    {
        stats->deviceReason = "enough bodies move for a CUDA device, but none can be used: cltGetDevices says why";
        return;
    }
    cltTellFailure( broadphase, failure, cltWhatFailed( device->backend, failure ),
                    "the CPU goes on finding the pairs of this broadphase" );
    cltSuccessor_Discard( device );
    (void)cltProxyTable_KeepBefore( &broadphase->table, broadphase->backend->readsBefore );
    stats->deviceReason = "enough bodies move for a CUDA device, but moving there failed";
    ++stats->deviceFailureCount;
}

/// The host had no memory, which is no failure of the device's: it is tried again when as many updates have passed.
static void Wait( cltBroadphase* broadphase, cltSuccessor* device )
{
    cltSuccessor_Discard( device );
    (void)cltProxyTable_KeepBefore( &broadphase->table, broadphase->backend->readsBefore );
    broadphase->quietCount = 0;
}

static void Run( cltBroadphase* broadphase )
{
    cltSuccessor device;
    const cltStatus status = MakeOnDevice( broadphase, &device );
    if ( status == clt_hostMemory )
    {
        Wait( broadphase, &device );
        return;
    }
    broadphase->offer.worthFrom = CLT_NEVER_WORTH_IT;
    if ( status != clt_ok )
    {
        Stay( broadphase, &device, status );
        return;
    }
    cltSuccessor_Install( broadphase, &device );

    cltBackendStats made;
    broadphase->backend->ops->getStats( broadphase->backend, &made );
    broadphase->stats.deviceBytes = made.deviceBytes;
    broadphase->stats.deviceReason = "enough bodies moved in enough updates; from how many on a device is faster is an "
                                     "estimate, not measured on any";
}

void cltMoveUp_Consider( cltBroadphase* broadphase )
{
    const bool asked = cltQueries_WereAsked( broadphase->queries );
    broadphase->quietCount = asked ? 0 : broadphase->quietCount + 1u;
    if ( broadphase->quietCount >= broadphase->offer.patience )
    {
        Run( broadphase );
    }
}
