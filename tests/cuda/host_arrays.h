// SPDX-License-Identifier: Zlib
/// \file host_arrays.h
/// What lies inside the CPU's backend, for tests that compare it with a device's. The backend's own header is C.
#ifndef CLT_TESTS_CUDA_HOST_ARRAYS_H
#define CLT_TESTS_CUDA_HOST_ARRAYS_H

#include "gpu/backend.h"
#include "gpu/core/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HostArrays
{
    const uint64_t* keys; ///< of the searchable leaves
    const cltLeafRef* refs;
    const void* now;
    const void* before;
    uint32_t leafCount;
    uint32_t searchableCount;
    cltCells cells;
    cltGrid grid;
} HostArrays;

/// Of a backend that runs the grid: its order is always fresh.
HostArrays hostArraysOf( const cltBackend* backend );

#ifdef __cplusplus
}
#endif

#endif
