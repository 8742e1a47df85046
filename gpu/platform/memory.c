// SPDX-License-Identifier: Zlib
// Host memory through the hooks of the def, and growable buffers on top of it.

#include "gpu/platform/memory.h"

#include "gpu/platform/system.h"

#include <string.h>

static size_t RoundUp( size_t bytes, size_t multiple )
{
    return ( bytes + multiple - 1 ) / multiple * multiple;
}

static void* DefaultAllocate( size_t size, size_t alignment, void* userContext )
{
    (void)userContext;
    return cltAllocate( size, alignment );
}

static void DefaultRelease( void* memory, size_t size, void* userContext )
{
    (void)size;
    (void)userContext;
    cltFree( memory );
}

void cltMemory_Init( cltMemory* memory, const cltBroadphaseDef* def )
{
    memory->allocate = def->hooks.allocate != NULL ? def->hooks.allocate : DefaultAllocate;
    memory->release = def->hooks.release != NULL ? def->hooks.release : DefaultRelease;
    memory->userContext = def->hooks.userContext;
    memory->bytes = 0;
}

/// Blocks smaller than this get no more alignment than their items need. With this alignment malloc is called; for a
/// larger one glibc takes four times as long, and a small world allocates some twenty blocks.
#define LARGE_BLOCK 4096u
#define LEAST_ALIGNMENT 16u

/// The size of a type is a multiple of its alignment.
static size_t AlignmentFor( size_t bytes, size_t itemSize )
{
    const size_t needed = itemSize & ( ~itemSize + 1u );
    const size_t least = needed > LEAST_ALIGNMENT ? needed : LEAST_ALIGNMENT;
    return least > CLT_ALIGNMENT || bytes >= LARGE_BLOCK ? CLT_ALIGNMENT : least;
}

static void* AllocateItems( cltMemory* memory, size_t bytes, size_t itemSize )
{
    void* block = memory->allocate( bytes, AlignmentFor( bytes, itemSize ), memory->userContext );
    if ( block != NULL )
    {
        memory->bytes += bytes;
    }
    return block;
}

void* cltMemory_Allocate( cltMemory* memory, size_t bytes )
{
    return AllocateItems( memory, bytes, 1u );
}

void cltMemory_Release( cltMemory* memory, void* block, size_t bytes )
{
    if ( block != NULL )
    {
        memory->release( block, bytes, memory->userContext );
        memory->bytes -= bytes;
    }
}

/// The new capacity in bytes for `count` items: at least half as much again as the old capacity, so that growth costs
/// amortized constant time per item. 0 if the size does not fit a size_t.
static size_t GrownBytes( const cltBuffer* buffer, uint64_t count, size_t itemSize )
{
    if ( count > ( SIZE_MAX - CLT_ALIGNMENT ) / itemSize )
    {
        return 0;
    }
    size_t needed = (size_t)count * itemSize;
    size_t grown = buffer->bytes + buffer->bytes / 2;
    return RoundUp( grown > needed ? grown : needed, CLT_ALIGNMENT );
}

static cltStatus EnsureCapacity( cltBuffer* buffer, cltMemory* memory, uint64_t count, size_t itemSize, bool keeps )
{
    if ( count <= buffer->bytes / itemSize )
    {
        return clt_ok;
    }
    const size_t bytes = GrownBytes( buffer, count, itemSize );
    if ( bytes != 0 && !keeps )
    {
        cltBuffer_Release( buffer, memory ); // before the new allocation, to lower the peak
    }
    void* data = bytes != 0 ? AllocateItems( memory, bytes, itemSize ) : NULL;
    if ( data == NULL )
    {
        return clt_hostMemory;
    }
    if ( buffer->bytes != 0 )
    {
        memcpy( data, buffer->data, buffer->bytes );
    }
    cltBuffer_Release( buffer, memory );
    buffer->data = data;
    buffer->bytes = bytes;
    return clt_ok;
}

cltStatus cltBuffer_Reserve( cltBuffer* buffer, cltMemory* memory, uint64_t count, size_t itemSize )
{
    return EnsureCapacity( buffer, memory, count, itemSize, false );
}

cltStatus cltBuffer_Grow( cltBuffer* buffer, cltMemory* memory, uint64_t count, size_t itemSize )
{
    return EnsureCapacity( buffer, memory, count, itemSize, true );
}

bool cltBuffer_Shrink( cltBuffer* buffer, cltMemory* memory, size_t count, size_t capacity, size_t itemSize )
{
    const size_t bytes = RoundUp( capacity * itemSize, CLT_ALIGNMENT );
    if ( bytes >= buffer->bytes )
    {
        return true;
    }
    const cltBuffer smaller = { .data = AllocateItems( memory, bytes, itemSize ), .bytes = bytes };
    if ( smaller.data == NULL )
    {
        return false;
    }
    memcpy( smaller.data, buffer->data, count * itemSize );
    cltBuffer_Release( buffer, memory );
    *buffer = smaller;
    return true;
}

void cltBuffer_Release( cltBuffer* buffer, cltMemory* memory )
{
    cltMemory_Release( memory, buffer->data, buffer->bytes );
    buffer->data = NULL;
    buffer->bytes = 0;
}
