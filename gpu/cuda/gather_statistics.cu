// SPDX-License-Identifier: Zlib
// Counts leaves by size. Each block counts in shared memory first.

#include "gpu/cuda/device_leaves.cuh"
#include "gpu/cuda/launch.cuh"

/// Threads of a block: one for each size bin.
#define BIN_THREADS CLT_SIZE_BIN_COUNT

/// The number of slots per thread in large scenes: so many that merging a block's bins into the global bins is cheap
/// compared with the block's reads.
#define MAX_SLOTS_PER_THREAD 16u

/// The bins of one block.
typedef struct BlockBins
{
    uint32_t counts[CLT_SIZE_BIN_COUNT];
    uint32_t reaches[6][CLT_SIZE_BIN_COUNT];
    uint32_t longest[CLT_SIZE_BIN_COUNT]; ///< bits of the longest edge
    uint32_t extraCount;
} BlockBins;

static __device__ void ClearBin( BlockBins* bins, uint32_t bin )
{
    for ( uint32_t word = bin; word < sizeof *bins / sizeof( uint32_t ); word += CLT_SIZE_BIN_COUNT )
    {
        ( (uint32_t*)bins )[word] = 0;
    }
}

/// Consecutive leaves of one thread that fall in the same bin. Most leaves of a scene fall in one bin; if each leaf
/// were added separately, the atomics on this bin would serialize all threads.
typedef struct BinRun
{
    uint32_t bin;
    uint32_t count; ///< if 0, the other members are not set
    uint32_t longest;
    uint32_t reaches[6];
} BinRun;

/// Adds a run to the block's bins. Bins hold counts and maxima, so the order of the atomics does not change the result.
static __device__ void AddRunToBins( BlockBins* bins, const BinRun* run )
{
    if ( run->count == 0 )
    {
        return;
    }
    atomicAdd( bins->counts + run->bin, run->count );
    atomicMax( bins->longest + run->bin, run->longest );
    for ( int direction = 0; direction < 6 && run->bin != CLT_NO_SIZE_BIN; ++direction )
    {
        atomicMax( bins->reaches[direction] + run->bin, run->reaches[direction] );
    }
}

static __device__ void AddBox( BlockBins* bins, BinRun* run, const cltAabb* box )
{
    const uint32_t bin = cltSizeBin_Of( box );
    const uint32_t longest = cltLongestEdgeBits( box );
    const bool isNew = run->count == 0 || bin != run->bin;
    if ( isNew )
    {
        AddRunToBins( bins, run );
    }
    run->bin = bin;
    run->count = isNew ? 1u : run->count + 1u;
    run->longest = isNew || longest > run->longest ? longest : run->longest;
    for ( int direction = 0; direction < 6; ++direction )
    {
        const uint32_t reach = cltOrderedCoordinate( box, direction );
        run->reaches[direction] = isNew || reach > run->reaches[direction] ? reach : run->reaches[direction];
    }
}

/// Adds a bin of a block to the same bin of the scene.
static __device__ void MergeBin( cltBins* bins, const BlockBins* block, uint32_t bin )
{
    if ( block->counts[bin] == 0 )
    {
        return;
    }
    atomicAdd( bins->counts + bin, block->counts[bin] );
    atomicMax( bins->longest + bin, block->longest[bin] );
    for ( int direction = 0; direction < 6; ++direction )
    {
        atomicMax( bins->reaches[direction] + bin, block->reaches[direction][bin] );
    }
}

/// Blocks of BIN_THREADS threads. Each block reads a contiguous range of slots.
static __global__ void StatisticsKernel( cltSlots slots, cltBins* bins, uint32_t slotsPerThread )
{
    __shared__ BlockBins block;
    ClearBin( &block, threadIdx.x );
    __syncthreads();

    BinRun run;
    run.count = 0;
    uint64_t slot = (uint64_t)blockIdx.x * slotsPerThread * blockDim.x + threadIdx.x;
    for ( uint32_t i = 0; i < slotsPerThread && slot < slots.count; ++i, slot += blockDim.x )
    {
        cltLeafSeed seeds[2];
        const uint32_t count = cltSlots_Seed( &slots, (uint32_t)slot, seeds );
        if ( count > 0u )
        {
            AddBox( &block, &run, &seeds[0].box );
        }
        if ( count > 1u )
        {
            AddBox( &block, &run, &seeds[1].box );
            atomicAdd( &block.extraCount, 1u );
        }
    }
    AddRunToBins( &block, &run );
    __syncthreads();
    MergeBin( bins, &block, threadIdx.x );
    if ( threadIdx.x == 0 && block.extraCount > 0u )
    {
        atomicAdd( &bins->extraCount, block.extraCount );
    }
}

cltStatus cltDeviceLeaves_Count( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    // a small scene is spread over all multiprocessors; in a large scene each thread reads many slots
    const uint32_t threads = device->multiprocessorCount * BIN_THREADS;
    uint32_t slotsPerThread = slots->count / threads + 1u;
    slotsPerThread = slotsPerThread < MAX_SLOTS_PER_THREAD ? slotsPerThread : MAX_SLOTS_PER_THREAD;
    const uint32_t slotsPerBlock = slotsPerThread * BIN_THREADS;
    const uint32_t blockCount = ( slots->count + slotsPerBlock - 1u ) / slotsPerBlock;

    CLT_TRY( cltCudaFill( device, leaves->bins.data, 0, sizeof( cltBins ) ) );
    return cltLaunchBlocks( device, "statistics", blockCount, BIN_THREADS, StatisticsKernel, *slots,
                            (cltBins*)leaves->bins.data, slotsPerThread );
}
