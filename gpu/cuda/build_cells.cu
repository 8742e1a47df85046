// SPDX-License-Identifier: Zlib
// Filling the grid: count and write the cell entries of every leaf, sort them by cell, and find where each occupied
// cell and its candidates begin. Scene statistics have chosen the cells' size.
//
//     entries, sorted       c2 c2 c5 c5 c5 c9 --        -- no entry
//     cell begins here       1  0  1  0  0  1  0
//     cells before           0  1  1  2  2  2  3  3     prefix sums: the last one is the number of cells
//     starts                 0  2  5  6                 where a cell begins, its number says where to write that
//     candidates             1  3  0                    n(n-1)/2 of each
//     candidate starts       0  1  4  4                 prefix sums

#include "gpu/cuda/searches.cuh"
#include "gpu/cuda/sort.cuh"

/// Entries to begin with, for each leaf: a body no larger than a cell lies in one to eight.
#define FIRST_ENTRIES_PER_LEAF 3u

/// Memory for so many times the entries that are wanted is given back: more than what it grows by at a time.
#define WASTEFUL_RATIO 3u

/// What the kernels share.
typedef struct Filling
{
    cltLeaves leaves;
    cltPlan* plan;
    uint32_t* outliers;
    uint64_t* entryStarts;
    uint64_t* entries;
    uint32_t* cellsBefore;
    uint32_t* starts;
    uint64_t* candidateStarts;
    uint32_t leafRoom;
    uint64_t entryRoom;
    cltPairMap map;
} Filling;

/// How many entries a leaf has, for every leaf that there is room for and one past. Those without any are outliers.
/// Their order on the list is whatever the atomics make it; the keys that come of it are sorted in the end.
static __global__ void CountEntriesKernel( Filling fill )
{
    const uint32_t leaf = cltThreadIndex();
    if ( leaf > fill.leafRoom )
    {
        return;
    }
    uint32_t span = 0;
    if ( leaf < fill.plan->searchableCount )
    {
        const cltGrid grid = fill.plan->grid;
        cltCellRange range;
        span = cltGrid_SpanOfLeaf( &grid, &fill.leaves, leaf, &range );
    }
    fill.entryStarts[leaf] = span;
    if ( span == 0 && leaf < fill.plan->leafCount )
    {
        *cltLeaves_PlaceOfRef( &fill.leaves, leaf ) |= CLT_LEAF_OUTLIER; // each thread's own
        fill.outliers[atomicAdd( &fill.plan->cellOutlierCount, 1u )] = leaf;
    }
}

/// True if all entries fit; else there are none, and the host makes room.
static __device__ bool Fits( const Filling* fill )
{
    return fill->entryStarts[fill->leafRoom] <= fill->entryRoom;
}

static __global__ void WriteEntriesKernel( Filling fill )
{
    const uint32_t leaf = cltThreadIndex();
    if ( leaf == 0 )
    {
        fill.plan->neededEntryCount = fill.entryStarts[fill.leafRoom];
    }
    if ( leaf < fill.plan->searchableCount && Fits( &fill ) )
    {
        const cltGrid grid = fill.plan->grid;
        cltGrid_WriteEntriesStep( &grid, &fill.leaves, leaf, fill.entries + fill.entryStarts[leaf] );
    }
}

static __device__ uint64_t EntryCount( const Filling* fill )
{
    return Fits( fill ) ? fill->entryStarts[fill->leafRoom] : 0u;
}

static __device__ bool BeginsCell( const Filling* fill, uint64_t entry )
{
    return entry < EntryCount( fill ) &&
           ( entry == 0 || fill->entries[entry] >> 32 != fill->entries[entry - 1u] >> 32 );
}

/// For every entry that there is room for, and one past.
static __global__ void MarkCellsKernel( Filling fill )
{
    const uint32_t entry = cltThreadIndex();
    if ( entry <= fill.entryRoom )
    {
        fill.cellsBefore[entry] = BeginsCell( &fill, entry ) ? 1u : 0u;
    }
}

static __global__ void WriteStartsKernel( Filling fill )
{
    const uint32_t entry = cltThreadIndex();
    if ( entry < fill.entryRoom && BeginsCell( &fill, entry ) )
    {
        fill.starts[fill.cellsBefore[entry]] = entry;
    }
    if ( entry == 0 )
    {
        fill.starts[fill.cellsBefore[fill.entryRoom]] = (uint32_t)EntryCount( &fill ); // one past the last cell
    }
}

/// For as many cells as there could be, and one past.
static __global__ void CountCandidatesKernel( Filling fill )
{
    const uint32_t cell = cltThreadIndex();
    if ( cell <= fill.entryRoom )
    {
        const bool occupied = cell < fill.cellsBefore[fill.entryRoom];
        const uint32_t bodyCount = occupied ? fill.starts[cell + 1u] - fill.starts[cell] : 0u;
        fill.candidateStarts[cell] = cltPairMap_CandidateCount( &fill.map, bodyCount );
    }
}

static cltStatus ReserveCells( cltDeviceCells* cells, cltCudaDevice* device, uint32_t leafRoom )
{
    const uint64_t first = (uint64_t)FIRST_ENTRIES_PER_LEAF * leafRoom;
    const uint64_t room = cells->nextRoom > first ? cells->nextRoom : first;
    if ( cells->entries.bytes / sizeof( uint64_t ) / WASTEFUL_RATIO > room )
    {
        *cells = cltDeviceCells();
    }
    cells->room = room;
    if ( cells->room >= UINT32_MAX - 1u ) // no device has the memory for entries that 32 bits cannot number
    {
        return clt_deviceMemory;
    }
    CLT_TRY( cltCudaBuffer_Reserve( &cells->outliers, device, leafRoom, sizeof( uint32_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cells->entryStarts, device, (size_t)leafRoom + 1u, sizeof( uint64_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cells->entries, device, cells->room, sizeof( uint64_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cells->spare, device, cells->room, sizeof( uint64_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cells->cellsBefore, device, cells->room + 1u, sizeof( uint32_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cells->starts, device, cells->room + 1u, sizeof( uint32_t ) ) );
    return cltCudaBuffer_Reserve( &cells->candidateStarts, device, cells->room + 1u, sizeof( uint64_t ) );
}

static Filling FillingOf( const cltDeviceCells* cells, const cltDeviceLeaves* leaves, const cltPairMap* map )
{
    Filling fill;
    fill.leaves = leaves->view;
    fill.plan = cltDeviceLeaves_Plan( leaves );
    fill.outliers = (uint32_t*)cells->outliers.data;
    fill.entryStarts = (uint64_t*)cells->entryStarts.data;
    fill.entries = (uint64_t*)cells->entries.data;
    fill.cellsBefore = (uint32_t*)cells->cellsBefore.data;
    fill.starts = (uint32_t*)cells->starts.data;
    fill.candidateStarts = (uint64_t*)cells->candidateStarts.data;
    fill.leafRoom = leaves->room;
    fill.entryRoom = cells->room;
    fill.map = *map;
    return fill;
}

/// The entries of all leaves, sorted by cell. Places without one keep all ones and sort behind.
static cltStatus SortEntries( cltDeviceCells* cells, cltCudaDevice* device, const Filling* fill )
{
    CLT_TRY( cltLaunch( device, "count entries", fill->leafRoom + 1u, CountEntriesKernel, *fill ) );
    CLT_TRY( cltScan_Run( device, &cells->scratch, fill->entryStarts, fill->leafRoom + 1u ) );
    CLT_TRY( cltCudaFill( device, fill->entries, 0xff, cells->room * sizeof( uint64_t ) ) );
    CLT_TRY( cltLaunch( device, "write entries", fill->leafRoom, WriteEntriesKernel, *fill ) );
    return cltSort_Run( device, &cells->scratch, fill->entries, (uint64_t*)cells->spare.data, cells->room, 32u, 64u );
}

cltStatus cltDeviceCells_Build( cltDeviceCells* cells, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                const cltPairMap* map )
{
    CLT_TRY( ReserveCells( cells, device, leaves->room ) );
    const Filling fill = FillingOf( cells, leaves, map );
    CLT_TRY( SortEntries( cells, device, &fill ) );
    const uint32_t count = (uint32_t)cells->room + 1u;
    CLT_TRY( cltLaunch( device, "mark cells", count, MarkCellsKernel, fill ) );
    CLT_TRY( cltScan_Run( device, &cells->scratch, fill.cellsBefore, count ) );
    CLT_TRY( cltLaunch( device, "write starts", count, WriteStartsKernel, fill ) );
    CLT_TRY( cltLaunch( device, "count candidates", count, CountCandidatesKernel, fill ) );
    return cltScan_Run( device, &cells->scratch, fill.candidateStarts, count );
}

bool cltDeviceCells_Learn( cltDeviceCells* cells, const cltPlan* plan )
{
    const uint64_t needed = plan->neededEntryCount;
    const uint64_t wanted = needed + needed / 8u; // the next update will not have exactly as many
    cells->nextRoom = cltNextRoom( cells->room, needed, wanted );
    return needed > cells->room;
}
