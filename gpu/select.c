// SPDX-License-Identifier: Zlib
// Which device does the work: CUDA if it answers, else the host's processors. The only place that chooses.

#include "gpu/backend.h"

cltStatus cltSelectBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend )
{
    if ( def->device == clt_deviceCpu )
    {
        return cltCreateHostBackend( def, memory, backend );
    }
    cltStatus status = cltCreateCudaBackend( def, memory, backend );
    if ( status == clt_ok || def->device == clt_deviceCuda )
    {
        return status;
    }
    return cltCreateHostBackend( def, memory, backend );
}

size_t cltGetDevices( cltDeviceReport* reports, size_t capacity )
{
    // in the order in which auto asks
    void ( *const report[] )( cltDeviceReport* ) = { cltReportCuda, cltReportHost };
    const size_t count = sizeof report / sizeof report[0];
    for ( size_t i = 0; reports != NULL && i < count && i < capacity; ++i )
    {
        report[i]( reports + i );
    }
    return count;
}
