// SPDX-License-Identifier: Zlib
// Which device does the work. The only place that chooses.
//
// A world begins on the CPU, and stays there unless it was asked for promotion (cltBroadphaseDef::promoteFrom,
// bridge/backend_switch.c): from how many bodies on a device is faster has not been measured on any. What moves counts,
// not what is there: on a CPU an update costs in proportion to what moved, on a device everything is sorted and
// searched anew. A world that queries stays: on the CPU its queries walk the tree that the update made, while beside a
// device they have none. Of 100,000 bodies that all moved, sixteen rays cost 0.25 ms with that tree and 28 ms without
// (measured, two processors).

#include "gpu/backend.h"
#include "gpu/platform/system.h"

#include <stdio.h>

/// A second of most applications' steps: a single large step is not worth waking a device, and a caller that queries
/// now and then has done so in a second.
#define PATIENCE 60

static const char notMeasured[] =
    "from how many moving bodies on a CUDA device is faster was not measured on any device";

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
    if ( def->algorithm == clt_algorithmWide )
    {
        return ( cltDeviceChoice ){ clt_deviceCpu, false, "wide was asked for, which only a CPU runs" };
    }
    if ( def->promoteFrom == 0 )
    {
        return ( cltDeviceChoice ){ clt_deviceCpu, false, notMeasured };
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
    void ( *const report[] )( cltDeviceReport* ) = { ReportCpu, cltReportCuda }; // as auto takes them
    const size_t count = sizeof report / sizeof report[0];
    for ( size_t i = 0; reports != NULL && i < count && i < capacity; ++i )
    {
        report[i]( reports + i );
    }
    return count;
}
