// SPDX-License-Identifier: Zlib
// From the proxy table to the device, in pieces: while one crosses the bus the next one is gathered.
//
// What moves, for each body of a float world that moved: 28 bytes are read, the box of them from wherever its slot is,
// 28 are written, and 28 cross the bus; eight more each way for everybody in an update in which some filter is new. All
// slots change in many worlds, and then the table could be sent as it is, without the list: that would spare four of
// the 28.

#include "gpu/cuda/staging.cuh"

#include <string.h>

/// Where the arrays in a block begin.
#define ALIGNMENT 64u

/// Slots to a piece: some 3.7 MB, or 0.15 ms at 25 GB/s, which a copy's start is little beside. Not measured yet.
#define PIECE 131072u

/// Slots that a thread gathers at a time: some 300 KB read and written, tens of microseconds.
#define GRAIN 4096u

/// A piece that is being gathered.
typedef struct Gathering
{
    const cltUpload* upload;
    cltStaged to;
    bool isDouble;
    uint32_t first; ///< of the changed slots
} Gathering;

template <typename Item>
static void Gather( Item* to, const void* from, const uint32_t* slots, uint32_t first, uint32_t last )
{
    for ( uint32_t i = first; i < last; ++i )
    {
        to[i] = ( (const Item*)from )[slots[i]];
    }
}

static void GatherSlots( const Gathering* gathering, uint32_t first, uint32_t last )
{
    const cltUpload* upload = gathering->upload;
    uint32_t* slots = gathering->to.slots;
    memcpy( slots + first, upload->changed + first, ( last - first ) * sizeof( uint32_t ) );
    for ( uint32_t i = first; upload->destroyedCount > 0 && i < last; ++i )
    {
        const bool destroyed = ( upload->states[slots[i]] & CLT_SLOT_DESTROYED ) != 0;
        slots[i] |= destroyed ? CLT_STAGED_DESTROYED : 0u;
    }
}

static void GatherTask( uint32_t begin, uint32_t end, void* context )
{
    const Gathering* gathering = (const Gathering*)context;
    const cltUpload* upload = gathering->upload;
    const cltStaged* to = &gathering->to;
    const uint32_t first = gathering->first + begin;
    const uint32_t last = gathering->first + end;
    if ( gathering->isDouble )
    {
        Gather( (cltAabbD*)to->boxes, upload->boxes, upload->changed, first, last );
    }
    else
    {
        Gather( (cltAabb*)to->boxes, upload->boxes, upload->changed, first, last );
    }
    if ( to->filters != NULL )
    {
        Gather( to->filters, upload->filters, upload->changed, first, last );
    }
    GatherSlots( gathering, first, last );
}

static size_t Aligned( size_t bytes )
{
    return ( bytes + ALIGNMENT - 1u ) / ALIGNMENT * ALIGNMENT;
}

/// Only these two events bring a filter that the device does not have.
static bool HasNewFilters( const cltUpload* upload )
{
    return upload->filters != NULL && ( upload->refilteredCount > 0 || upload->appearedCount > 0 );
}

static size_t BoxSize( bool isDouble )
{
    return isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
}

static size_t BytesOf( const cltUpload* upload, bool isDouble )
{
    const size_t count = upload->changedCount;
    return Aligned( count * BoxSize( isDouble ) ) + Aligned( count * sizeof( uint32_t ) ) +
           ( HasNewFilters( upload ) ? count * sizeof( cltFilter ) : 0 );
}

/// Where the arrays lie in a block of memory.
static cltStaged LayOut( void* block, const cltUpload* upload, bool isDouble )
{
    char* slots = (char*)block + Aligned( upload->changedCount * BoxSize( isDouble ) );
    char* filters = slots + Aligned( upload->changedCount * sizeof( uint32_t ) );
    cltStaged staged;
    staged.boxes = block;
    staged.slots = (uint32_t*)slots;
    staged.filters = HasNewFilters( upload ) ? (cltFilter*)filters : NULL;
    staged.count = upload->changedCount;
    return staged;
}

template <typename Item>
static cltStatus CopyRange( cltCudaDevice* device, Item* to, const Item* from, uint32_t first, uint32_t count )
{
    return cltCudaCopy( device, to + first, from + first, count * sizeof( Item ) );
}

static cltStatus SendPiece( cltStaging* staging, cltCudaDevice* device, const Gathering* gathering, uint32_t count )
{
    const cltStaged* to = &staging->arrived;
    const cltStaged* from = &gathering->to;
    if ( count == to->count ) // all arrays in one copy
    {
        return cltCudaCopy( device, staging->device.data, staging->pinned.data,
                            BytesOf( gathering->upload, gathering->isDouble ) );
    }
    const uint32_t first = gathering->first;
    const size_t boxSize = BoxSize( gathering->isDouble );
    CLT_TRY( cltCudaCopy( device, (char*)to->boxes + first * boxSize, (const char*)from->boxes + first * boxSize,
                          count * boxSize ) );
    CLT_TRY( CopyRange( device, to->slots, from->slots, first, count ) );
    return to->filters != NULL ? CopyRange( device, to->filters, from->filters, first, count ) : clt_ok;
}

cltStatus cltStaging_Send( cltStaging* staging, cltCudaDevice* device, cltWorkerPool* pool, const cltUpload* upload,
                           bool isDouble )
{
    const size_t bytes = BytesOf( upload, isDouble );
    staging->arrived.count = 0;
    CLT_TRY( cltCudaBuffer_Reserve( &staging->pinned, device, bytes, 1 ) );
    CLT_TRY( cltCudaBuffer_Reserve( &staging->device, device, bytes, 1 ) );
    staging->arrived = LayOut( staging->device.data, upload, isDouble );

    Gathering gathering = { upload, LayOut( staging->pinned.data, upload, isDouble ), isDouble, 0 };
    while ( gathering.first < upload->changedCount )
    {
        const uint32_t left = upload->changedCount - gathering.first;
        const uint32_t count = left < PIECE ? left : PIECE;
        cltWorkerPool_Run( pool, GatherTask, count, GRAIN, &gathering );
        CLT_TRY( SendPiece( staging, device, &gathering, count ) );
        gathering.first += count;
    }
    cltWorkerPool_Rest( pool ); // from here on the device works
    return clt_ok;
}
