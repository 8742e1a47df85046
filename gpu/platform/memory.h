// SPDX-License-Identifier: Zlib
/// \file memory.h
/// Host memory, allocated through the def's hooks: buffers that grow by half, and a policy that shrinks them.
#ifndef CLT_GPU_MEMORY_H
#define CLT_GPU_MEMORY_H

#include "bridge/cullet.h"

/// Alignment of large blocks: a cache line.
#define CLT_ALIGNMENT 64

#ifdef __cplusplus
extern "C" {
#endif

/// The hooks and a count of the bytes held; one per broadphase. Used only from the thread that called cullet.
typedef struct cltMemory
{
    cltAllocFcn* allocate;
    cltFreeFcn* release;
    void* userContext;
    size_t bytes; ///< currently allocated
} cltMemory;

/// A growable array. It is empty and valid if zero-initialized.
typedef struct cltBuffer
{
    void* data;
    size_t bytes; ///< capacity
} cltBuffer;

/// Uses the default for each hook that is NULL in the def.
void cltMemory_Init( cltMemory* memory, const cltBroadphaseDef* def );

/// Memory for any type without an alignment of its own.
void* cltMemory_Allocate( cltMemory* memory, size_t bytes );
void cltMemory_Release( cltMemory* memory, void* block, size_t bytes );

/// Ensures a capacity of `count` items. The content is lost if the buffer has to grow.
cltStatus cltBuffer_Reserve( cltBuffer* buffer, cltMemory* memory, uint64_t count, size_t itemSize );

/// Ensures a capacity of `count` items and keeps the content.
cltStatus cltBuffer_Grow( cltBuffer* buffer, cltMemory* memory, uint64_t count, size_t itemSize );

void cltBuffer_Release( cltBuffer* buffer, cltMemory* memory );

/// Reduces the capacity to `capacity` items and keeps the first `count`.
/// \return false if the smaller buffer cannot be allocated; then the buffer stays as it is
bool cltBuffer_Shrink( cltBuffer* buffer, cltMemory* memory, size_t count, size_t capacity, size_t itemSize );

static inline void cltBuffer_Swap( cltBuffer* a, cltBuffer* b )
{
    const cltBuffer other = *a;
    *a = *b;
    *b = other;
}

/// A buffer shrinks after this many updates in a row that needed less than a quarter of it, about four seconds in most
/// applications. So memory is reallocated at most that often, and never if the load varies faster.
#define CLT_SHRINK_DELAY 240u

/// Buffers of fewer items than this are never shrunk.
#define CLT_SHRINK_MINIMUM 1024u

/// Decides when buffers that grew in a load spike become smaller again.
typedef struct cltShrinkPolicy
{
    uint32_t quietCount; ///< updates in a row that needed less than a quarter of the capacity
} cltShrinkPolicy;

/// Must be called once per update. \return true if the buffer should be shrunk
static inline bool cltShrinkPolicy_IsDue( cltShrinkPolicy* shrinkPolicy, size_t needed, size_t capacity )
{
    const bool isQuiet = needed < capacity / 4u && capacity >= CLT_SHRINK_MINIMUM;
    shrinkPolicy->quietCount = isQuiet ? shrinkPolicy->quietCount + 1u : 0u;
    if ( shrinkPolicy->quietCount < CLT_SHRINK_DELAY )
    {
        return false;
    }
    shrinkPolicy->quietCount = 0;
    return true;
}

/// The capacity after shrinking: one and a half times the needed capacity, plus a constant.
static inline size_t cltShrinkPolicy_Capacity( size_t needed )
{
    return needed + needed / 2u + CLT_SHRINK_MINIMUM / 16u;
}

#ifdef __cplusplus
}
#endif

/// Returns from the calling function if `expression` is not clt_ok. No other macro contains control flow.
#define CLT_TRY( expression )                                                                                          \
    do                                                                                                                 \
    {                                                                                                                  \
        cltStatus tryStatus = ( expression );                                                                          \
        if ( tryStatus != clt_ok )                                                                                     \
        {                                                                                                              \
            return tryStatus;                                                                                          \
        }                                                                                                              \
    } while ( 0 )

#endif
