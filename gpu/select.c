// SPDX-License-Identifier: Zlib
// Chooses the device of a broadphase.
//
// A broadphase starts on the CPU. It stays there unless cltBroadphaseDef::promoteFrom asks for promotion
// (bridge/backend_switch.c), because the number of bodies above which a device is faster depends on the machine. It was
// measured for one machine (gpu/cuda/README.md). The number of moved bodies decides: the cost of an update on the CPU
// is proportional to it, while a device sorts and searches all bodies. A broadphase with queries stays on the CPU,
// where queries use the tree of the update; with a device, the host has no tree. With 100,000 moved bodies, sixteen
// rays cost 0.25 ms with that tree and 28 ms without (measured, two processors).

#include "gpu/backend.h"
#include "gpu/platform/system.h"

#include <stdio.h>

/// Updates with enough moving bodies before a promotion, about a second in most applications: a single large step is
/// not worth waking a device, and a caller that uses queries has made a query within a second.
#define PATIENCE 60

static const char notAskedFor[] = "a CUDA device is used only if the program asks for it";

cltDeviceOffer cltOfferCuda( void )
{
    return ( cltDeviceOffer ){ .create = cltCreateCudaBackend, .patience = PATIENCE };
}

cltDeviceChoice cltChooseDevice( const cltBroadphaseDef* def )
{
    if ( def->device != clt_deviceAuto )
    {
        return ( cltDeviceChoice ){ def->device, false, "asked for" };
    }
    if ( def->promoteFrom == 0 )
    {
        return ( cltDeviceChoice ){ clt_deviceCpu, false, notAskedFor };
    }
    return ( cltDeviceChoice ){ clt_deviceCpu, true, "auto begins on the CPU, until enough bodies move" };
}

static void ReportCpu( cltDeviceReport* report )
{
    const int processors = cltProcessorCount();
    report->device = clt_deviceCpu;
    report->usable = true;
    snprintf( report->name, sizeof report->name, "CPU, %d processor%s", processors, processors == 1 ? "" : "s" );
    snprintf( report->reason, sizeof report->reason, "always there" );
}

size_t cltGetDevices( cltDeviceReport* reports, size_t capacity )
{
    void ( *const report[] )( cltDeviceReport* ) = { ReportCpu,
                                                     cltReportCuda }; // in the order in which clt_deviceAuto tries them
    const size_t count = sizeof report / sizeof report[0];
    for ( size_t i = 0; reports != NULL && i < count && i < capacity; ++i )
    {
        report[i]( reports + i );
    }
    return count;
}
