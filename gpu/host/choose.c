// SPDX-License-Identifier: Zlib
// Which algorithm runs when the def leaves it to us.
//
// Measured on x86-64 with AVX-512, two processors, brownian bodies that all move: from 1,000 to 100,000 of them `wide`
// takes half the time of the tree. It has no fixed cost worth a special case: 10 bodies take about a microsecond.
// `cullet compare --engines cullet-wide,cullet-lbvh,cullet-grid,cullet-brute` repeats the measurement.

#include "gpu/host/choose.h"

cltChoice cltChooseAlgorithm( cltAlgorithm asked )
{
    if ( asked != clt_algorithmAuto )
    {
        return ( cltChoice ){ asked, "asked for" };
    }
    return ( cltChoice ){ clt_algorithmWide,
                          "on a CPU blocks under a wide tree were the fastest at every size measured" };
}
