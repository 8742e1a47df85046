// SPDX-License-Identifier: Zlib
// Which device does the work. The only place that chooses.
//
// A world begins on the CPU: a small one loses on a device by launches and waits alone, and no caller that creates
// proxies shall wait for a driver. It is promoted (bridge/backend_switch.c) when enough of it moves. What moves counts,
// not what is there: on a CPU an update costs in proportion to what moved, on a device everything is sorted and
// searched anew. A world that queries stays: on the CPU its queries walk the tree that the update made, while beside a
// device they have none. Of 100,000 bodies that all moved, sixteen rays cost 0.25 ms with that tree and 28 ms without
// (measured, two processors).

#include "gpu/backend.h"
#include "gpu/platform/system.h"

#include <stdio.h>

/// An estimate that no device has confirmed; the crossing table of tests/gpu.sh is what to set it from. For 100,000
/// bodies that all move the CPU takes 4.6 ms with two processors (demos/bench, measured), and less with more. A
/// device's memory takes 0.02 ms at the least (gpu/cuda/cuda_backend.cuh), the bus 0.1 ms for 2.8 MB at 25 GB/s; to
/// these come some twenty launches, two waits, and the host's own part, gathering what changed and handing out the
/// pairs. Should all that be 1.5 ms, there is a factor of three for what is wrong in it and for machines with more
/// processors.
#define WORTH_FROM 100000

/// A second of most applications' steps: a single large step is not worth waking a device, and a caller that queries
/// now and then has done so in a second.
#define PATIENCE 60

#define AS_TEXT( number ) #number
#define TEXT_OF( number ) AS_TEXT( number )

static const char beginsOnCpu[] =
    "auto begins on the CPU, and goes to a CUDA device after " TEXT_OF( PATIENCE ) " updates in which " TEXT_OF(
        WORTH_FROM ) " bodies moved and nobody queried: an estimate, not measured on any device";

cltDeviceOffer cltOfferCuda( void )
{
    return ( cltDeviceOffer ){ .create = cltCreateCudaBackend, .worthFrom = WORTH_FROM, .patience = PATIENCE };
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
    return ( cltDeviceChoice ){ clt_deviceCpu, true, beginsOnCpu };
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
