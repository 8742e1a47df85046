// SPDX-License-Identifier: Zlib
// Which device does the work. The only place that chooses.
//
// Which is faster depends on how many proxies there are, how many of them move, and how far the device is. The cross-over
// has not been measured on any device yet, and a small world is sure to lose by the waits alone, so auto takes the CPU.
// tests/gpu.sh measures the table from which a better rule can be read.

#include "gpu/backend.h"

cltDeviceChoice cltChooseDevice( cltDevice asked )
{
    if ( asked != clt_deviceAuto )
    {
        return ( cltDeviceChoice ){ asked, "asked for" };
    }
    return ( cltDeviceChoice ){ clt_deviceCpu,
                                "from how many proxies on a device is faster has not been measured yet" };
}

cltStatus cltSelectBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend )
{
    if ( cltChooseDevice( def->device ).device == clt_deviceCuda )
    {
        return cltCreateCudaBackend( def, memory, backend );
    }
    return cltCreateHostBackend( def, memory, backend );
}

size_t cltGetDevices( cltDeviceReport* reports, size_t capacity )
{
    void ( *const report[] )( cltDeviceReport* ) = { cltReportHost, cltReportCuda }; // as auto likes them
    const size_t count = sizeof report / sizeof report[0];
    for ( size_t i = 0; reports != NULL && i < count && i < capacity; ++i )
    {
        report[i]( reports + i );
    }
    return count;
}
