// SPDX-License-Identifier: Zlib
// Which algorithm runs when the def leaves it to us.
//
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
