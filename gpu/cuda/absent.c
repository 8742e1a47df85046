// SPDX-License-Identifier: Zlib
// Replaces the CUDA backend in builds without a CUDA compiler.

#include "gpu/arrays.h"
#include "gpu/backend.h"

#include <stdio.h>

cltStatus cltCreateCudaBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend )
{
    (void)def;
    (void)memory;
    *backend = NULL;
    return clt_noDevice;
}

cltStatus cltCreateCudaArrays( const cltBroadphaseDef* def, cltMemory* memory, cltDeviceArrays** arrays )
{
    (void)def;
    (void)memory;
    *arrays = NULL;
    return clt_noDevice;
}

bool cltIsDeviceMemory( const void* array )
{
    (void)array;
    return false;
}

void cltReportCuda( cltDeviceReport* report )
{
    report->device = clt_deviceCuda;
    report->usable = false;
    snprintf( report->name, sizeof report->name, "CUDA" );
    snprintf( report->reason, sizeof report->reason, "this build of cullet has no CUDA backend" );
}
