// SPDX-License-Identifier: Zlib
/// \file memory.h
/// Host memory through the hooks of the def: buffers that grow by half again and never shrink.
#ifndef CLT_GPU_MEMORY_H
#define CLT_GPU_MEMORY_H

#include "bridge/cullet.h"

/// Every allocation is aligned to a cache line.
#define CLT_ALIGNMENT 64

#ifdef __cplusplus
extern "C" {
#endif

/// One per broadphase. Used only from the thread that called cullet.
typedef struct cltMemory
{
    cltAllocFcn* allocate;
    cltFreeFcn* release;
    void* userContext;
    size_t bytes; ///< held now
} cltMemory;

/// A growable array. Zero-initialised it is empty and valid.
typedef struct cltBuffer
{
    void* data;
    size_t bytes; ///< capacity
} cltBuffer;

/// Fills in the default hooks where the def has none.
void cltMemory_Init( cltMemory* memory, const cltBroadphaseDef* def );

void* cltMemory_Allocate( cltMemory* memory, size_t bytes );
void cltMemory_Release( cltMemory* memory, void* block, size_t bytes );

/// Room for count * itemSize bytes; what was in the buffer is lost if it has to grow.
cltStatus cltBuffer_Reserve( cltBuffer* buffer, cltMemory* memory, size_t count, size_t itemSize );

/// The same, but keeps the content.
cltStatus cltBuffer_Grow( cltBuffer* buffer, cltMemory* memory, size_t count, size_t itemSize );

void cltBuffer_Release( cltBuffer* buffer, cltMemory* memory );

static inline void cltBuffer_Swap( cltBuffer* a, cltBuffer* b )
{
    const cltBuffer other = *a;
    *a = *b;
    *b = other;
}

#ifdef __cplusplus
}
#endif

/// Leaves the calling function when `expression` is not clt_ok. The only control flow in a macro.
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
