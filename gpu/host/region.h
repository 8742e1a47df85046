// SPDX-License-Identifier: Zlib
/// \file region.h
/// Where nearly all bodies are: the region that the curve's codes are spent on.
#ifndef CLT_HOST_REGION_H
#define CLT_HOST_REGION_H

#include <stdbool.h>
#include <stdint.h>

/// Centres to look at.
#define CLT_SAMPLE_SIZE 256u

typedef struct cltCenterSample
{
    float centers[3][CLT_SAMPLE_SIZE];
    uint32_t count;
} cltCenterSample;

/// The region of a sample, which is sorted for it. A single body that fell out of the world would stretch plain bounds
/// until all others share a few of the curve's cells, and the search turns quadratic. The inner 15/16 of the sample,
/// widened by an eighth on both sides, still hold every body of an evenly filled region.
/// \return false for an axis on which the sample has no extent, or none that a float can hold
bool cltCenterSample_Region( cltCenterSample* sample, int axis, float* lower, float* upper );

#endif
