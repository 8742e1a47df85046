// SPDX-License-Identifier: Zlib
// A backend that has seen nothing comes to be as of the last committed update.
//
// What began and what ended follows from the boxes before and now alone, and the proxy table has both. So the new backend is led through one update in which every proxy appears as it was. From there the two
// backends could not be told apart.

#include "bridge/successor.h"

#include "bridge/gather.h"

#include <stdio.h>

/// A line for the log: what the device says, and what follows from it.
#define LINE_SIZE 320

/// An update in which every proxy appears as it was. Its pairs were handed out by the other backend long ago.
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
    cltAppearance appearance = { 0 };
    cltUpload upload;
    cltStatus status = cltGatherBefore( &broadphase->table, &appearance, &upload );
    if ( status == clt_ok && upload.changedCount > 0 )
    {
        status = Replay( backend, &upload );
    }
    cltAppearance_Release( &appearance, broadphase->table.memory );
    return status;
}

cltStatus cltSuccessor_Make( cltBroadphase* broadphase, cltCreateBackendFcn* create, cltSuccessor* successor )
{
    *successor = ( cltSuccessor ){ 0 };
    CLT_TRY( create( &broadphase->def, &broadphase->memory, &successor->backend ) );
    return ReplayPrevious( broadphase, successor->backend );
}

void cltSuccessor_Discard( cltSuccessor* successor )
{
    if ( successor->backend != NULL )
    {
        successor->backend->ops->destroy( successor->backend );
    }
    *successor = ( cltSuccessor ){ 0 };
}

void cltSuccessor_Install( cltBroadphase* broadphase, const cltSuccessor* successor )
{
    cltSuccessor predecessor = { broadphase->backend };
    cltSuccessor_Discard( &predecessor );
    broadphase->backend = successor->backend;
    broadphase->stats.device = successor->backend->ops->device;
}

const char* cltWhatFailed( const cltBackend* backend, cltStatus failure )
{
    cltBackendStats last = { 0 };
    if ( backend != NULL )
    {
        backend->ops->getStats( backend, &last );
    }
    return last.failure != NULL ? last.failure : cltStatusName( failure );
}

void cltTellFailure( const cltBroadphase* broadphase, cltStatus failure, const char* what, const char* consequence )
{
    if ( broadphase->def.log != NULL )
    {
        char line[LINE_SIZE];
        snprintf( line, sizeof line, "%s: %s; %s", cltDeviceName( clt_deviceCuda ), what, consequence );
        broadphase->def.log( failure, line, broadphase->def.userContext );
    }
}
