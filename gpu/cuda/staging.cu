// SPDX-License-Identifier: Zlib
// Uploads changed slots from the proxy table in pieces: while one piece crosses the bus, the next is gathered.
//
// Traffic per moved body of a float scene: 28 bytes read (the box and the slot; boxes are scattered), 28 written, and
// 28 across the bus. In an update with a new filter, each of these is 8 bytes more for every changed body.

#include "gpu/cuda/staging.cuh"

/// Alignment of the arrays in the staging block.
#define ALIGNMENT 64u

/// The smallest number of slots in a piece: about 3.7 MB, or 0.15 ms at 25 GB/s, which hides the start of a copy. A
/// piece is two thirds of the remaining slots, so that the last piece, which is copied when nothing is left to gather,
/// is small. Up to a million slots there are at most three pieces. New filters, 8 bytes a slot, are sent with the last
/// piece: later than necessary, but with one copy fewer for each other piece. Not measured yet.
#define MIN_PIECE_SIZE 131072u

/// Slots per task if several threads gather: about 300 KB read and written, 5 us.
#define SLOTS_PER_TASK 4096u

/// The largest number of slots that the calling thread gathers alone: 75 us on one core of an EPYC, little compared
/// with waking the other threads.
#define MAX_SLOTS_GATHERED_ALONE 65536u

/// State of gathering a piece.
typedef struct Gathering
{
    const cltUpload* upload;
    cltStaged to;
    bool isDouble;
    uint32_t first; ///< index of the piece's first slot among the changed slots
} Gathering;

template <typename Box>
static void GatherBoxes( const Gathering* gathering, uint32_t first, uint32_t last )
{
    const Box* boxes = (const Box*)gathering->upload->boxes;
    const uint32_t* changed = gathering->upload->changed;
    cltStagedSlot<Box>* to = (cltStagedSlot<Box>*)gathering->to.slots;
    for ( uint32_t i = first; i < last; ++i )
    {
        to[i].box = boxes[changed[i]];
        to[i].slot = changed[i];
    }
    const uint8_t* states = gathering->upload->states;
    for ( uint32_t i = first; gathering->upload->destroyedCount > 0 && i < last; ++i )
    {
        to[i].slot |= ( states[changed[i]] & CLT_SLOT_DESTROYED ) != 0 ? CLT_STAGED_DESTROYED : 0u;
    }
}

static void GatherTask( uint32_t begin, uint32_t end, void* context )
{
    const Gathering* gathering = (const Gathering*)context;
    const cltUpload* upload = gathering->upload;
    const uint32_t first = gathering->first + begin;
    const uint32_t last = gathering->first + end;
    if ( gathering->isDouble )
    {
        GatherBoxes<cltAabbD>( gathering, first, last );
    }
    else
    {
        GatherBoxes<cltAabb>( gathering, first, last );
    }
    for ( uint32_t i = first; gathering->to.filters != NULL && i < last; ++i )
    {
        gathering->to.filters[i] = upload->filters[upload->changed[i]];
    }
}

static size_t Aligned( size_t bytes )
{
    return ( bytes + ALIGNMENT - 1u ) / ALIGNMENT * ALIGNMENT;
}

/// True if the device lacks a filter: one was changed, or a proxy is new.
static bool HasNewFilters( const cltUpload* upload )
{
    return upload->filters != NULL && ( upload->refilteredCount > 0 || upload->appearedCount > 0 );
}

static size_t SlotSize( bool isDouble )
{
    return isDouble ? sizeof( cltStagedSlot<cltAabbD> ) : sizeof( cltStagedSlot<cltAabb> );
}

static size_t BytesOf( const cltUpload* upload, bool isDouble )
{
    const size_t count = upload->changedCount;
    return Aligned( count * SlotSize( isDouble ) ) + ( HasNewFilters( upload ) ? count * sizeof( cltFilter ) : 0 );
}

/// The addresses of the arrays in a block of memory.
static cltStaged LayOut( void* block, const cltUpload* upload, bool isDouble )
{
    char* filters = (char*)block + Aligned( upload->changedCount * SlotSize( isDouble ) );
    cltStaged staged;
    staged.slots = block;
    staged.filters = HasNewFilters( upload ) ? (cltFilter*)filters : NULL;
    staged.count = upload->changedCount;
    return staged;
}

/// Copies a piece. The copy of the last piece includes all filters, which follow it in memory.
static cltStatus SendPiece( cltStaging* staging, cltCudaDevice* device, const Gathering* gathering, uint32_t count )
{
    const uint32_t last = gathering->first + count;
    const size_t begin = gathering->first * SlotSize( gathering->isDouble );
    const size_t end = last == staging->arrived.count ? BytesOf( gathering->upload, gathering->isDouble )
                                                      : last * SlotSize( gathering->isDouble );
    return cltCudaCopy( device, (char*)staging->device.data + begin, (const char*)staging->pinned.data + begin,
                        end - begin );
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
        const uint32_t most = left / 3u * 2u > MIN_PIECE_SIZE ? left / 3u * 2u : MIN_PIECE_SIZE;
        const uint32_t count = left < most ? left : most;
        cltWorkerPool_Run( pool, GatherTask, count,
                           count > MAX_SLOTS_GATHERED_ALONE ? SLOTS_PER_TASK : MAX_SLOTS_GATHERED_ALONE, &gathering );
        CLT_TRY( SendPiece( staging, device, &gathering, count ) );
        gathering.first += count;
    }
    cltWorkerPool_LetSleep( pool ); // only the device works in the rest of the update
    return clt_ok;
}
