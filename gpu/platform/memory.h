// SPDX-License-Identifier: Zlib
/// \file memory.h
/// Host memory through the hooks of the def: buffers that grow by half again, and when room is given back.
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

/// Gives back all but room for `capacity` items, the first `count` of which are kept.
/// \return false if there is no memory for the smaller buffer: then it stays as it is
bool cltBuffer_Shrink( cltBuffer* buffer, cltMemory* memory, size_t count, size_t capacity, size_t itemSize );

static inline void cltBuffer_Swap( cltBuffer* a, cltBuffer* b )
{
    const cltBuffer other = *a;
    *a = *b;
    *b = other;
}

/// When room that a spike took is given back: after so many updates in a row that needed less than a quarter of it,
/// about four seconds of most applications' steps. So memory is taken again at most that seldom, and where load comes
/// and goes faster, never.
#define CLT_THRIFT_PATIENCE 240u

/// Room for fewer items than this is kept.
#define CLT_THRIFT_FLOOR 1024u

typedef struct cltThrift
{
    uint32_t quietCount; ///< updates in a row that needed less than a quarter
} cltThrift;

/// To be asked once an update. True: the room is to be shrunk now.
static inline bool cltThrift_IsDue( cltThrift* thrift, size_t needed, size_t room )
{
    const bool isQuiet = needed < room / 4u && room >= CLT_THRIFT_FLOOR;
    thrift->quietCount = isQuiet ? thrift->quietCount + 1u : 0u;
    if ( thrift->quietCount < CLT_THRIFT_PATIENCE )
    {
        return false;
    }
    thrift->quietCount = 0;
    return true;
}

/// What is left of a room that is shrunk: half as much again as is needed, and some.
static inline size_t cltThrift_Room( size_t needed )
{
    return needed + needed / 2u + CLT_THRIFT_FLOOR / 16u;
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
