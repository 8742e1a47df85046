// SPDX-License-Identifier: Zlib
/// \file arrays.h
/// The interface between bridge/arrays.c and a device that reads boxes from its own memory (bridge/cullet_arrays.h).
#ifndef CLT_GPU_ARRAYS_H
#define CLT_GPU_ARRAYS_H

#include "gpu/platform/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The arguments of an update, checked except for the kind of memory.
typedef struct cltArrayInput
{
    const void* boxes; ///< cltAabb, or cltAabbD if `isDouble`
    const cltFilter* filters;
    uint32_t count;
    bool isDouble; ///< as the def says
} cltArrayInput;

typedef struct cltDeviceArrays cltDeviceArrays;

/// An error changes no pair. After clt_deviceFailed all later calls of update and getPairs fail.
typedef struct cltDeviceArraysOps
{
    cltStatus ( *update )( cltDeviceArrays* arrays, const cltArrayInput* input, cltPairChanges* changes );
    cltStatus ( *getPairs )( cltDeviceArrays* arrays, const cltPair** pairs, size_t* count );
    void ( *getStats )( const cltDeviceArrays* arrays, cltStats* stats );
    void ( *destroy )( cltDeviceArrays* arrays );
} cltDeviceArraysOps;

struct cltDeviceArrays
{
    const cltDeviceArraysOps* ops;
    const char* failure; ///< the device's message after an error
};

/// `def` must be valid, and its `research` not NULL. `def` and `memory` must outlive the result.
/// \return clt_noDevice if no CUDA device can be used
cltStatus cltCreateCudaArrays( const cltBroadphaseDef* def, cltMemory* memory, cltDeviceArrays** arrays );

/// True if the host cannot read the array, because it is in the memory of a CUDA device. False for NULL.
bool cltIsDeviceMemory( const void* array );

#ifdef __cplusplus
}
#endif

#endif
