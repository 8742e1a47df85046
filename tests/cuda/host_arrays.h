// SPDX-License-Identifier: Zlib
/// \file host_arrays.h
/// The reference algorithms of the host by themselves, and what lies inside, for tests that compare it with a device's.
/// Their own header is C.
#ifndef CLT_TESTS_CUDA_HOST_ARRAYS_H
#define CLT_TESTS_CUDA_HOST_ARRAYS_H

#include "gpu/backend.h"
#include "gpu/core/grid.h"
#include "gpu/core/lbvh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HostArrays
{
    const uint64_t* keys;
    const cltLeafRef* refs;
    const void* now;
    const void* before;
    uint32_t leafCount;
    uint32_t searchableCount;
    cltTree tree;
    cltCells cells;
} HostArrays;

typedef struct HostReference HostReference;

HostReference* createHostReference( cltAlgorithm algorithm, cltPrecision precision );

/// Builds leaves and search structure. The arrays live until the next call.
cltStatus buildHostReference( HostReference* reference, const cltUpload* upload, HostArrays* arrays );

void destroyHostReference( HostReference* reference );

#ifdef __cplusplus
}
#endif

#endif
