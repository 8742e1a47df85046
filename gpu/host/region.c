// SPDX-License-Identifier: Zlib
// Quantiles of a sample, because no single body may decide.

#include "gpu/host/region.h"

#include <stdlib.h>

static int CompareFloats( const void* a, const void* b )
{
    const float difference = *(const float*)a - *(const float*)b;
    return difference < 0.0f ? -1 : difference > 0.0f;
}

bool cltCenterSample_Region( cltCenterSample* sample, int axis, float* lower, float* upper )
{
    if ( sample->count == 0 )
    {
        return false;
    }
    float* centers = sample->centers[axis];
    qsort( centers, sample->count, sizeof( float ), CompareFloats );
    const float low = centers[cltSample_LowRank( sample->count )];
    const float high = centers[cltSample_HighRank( sample->count )];
    return cltRegion_Widen( low, high, lower, upper );
}
