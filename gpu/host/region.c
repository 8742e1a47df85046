// SPDX-License-Identifier: Zlib
// Quantiles of a sample, because no single body may decide.

#include "gpu/host/region.h"

#include <float.h>
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
    const float low = centers[sample->count / 32u];
    const float high = centers[sample->count - 1u - sample->count / 32u];
    const float margin = ( high - low ) / 8.0f;
    *lower = low - margin;
    *upper = high + margin;
    return margin > 0.0f && margin <= FLT_MAX;
}
