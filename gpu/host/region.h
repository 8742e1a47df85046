// SPDX-License-Identifier: Zlib
/// \file region.h
/// The region that holds nearly all bodies (gpu/core/region.h), from a sample of their centres.
#ifndef CLT_HOST_REGION_H
#define CLT_HOST_REGION_H

#include "gpu/core/region.h"

typedef struct cltCenterSample
{
    float centers[3][CLT_SAMPLE_SIZE];
    uint32_t count;
} cltCenterSample;

/// The region of a sample, which is sorted for it.
/// \return false for an axis on which the sample has no extent, or none that a float can hold
bool cltCenterSample_Region( cltCenterSample* sample, int axis, float* lower, float* upper );

#endif
