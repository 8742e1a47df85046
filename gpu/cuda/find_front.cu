// SPDX-License-Identifier: Zlib
// frontier with a front (gpu/core/front.h): an update starts where the last search stopped. One thread per due entry,
// which stays, moves up, is dropped, or is replaced by entries up to WALK_DEPTH levels below. Node pairs that still
// overlap at that depth are queued for the next launch. The next front is written to a second buffer; the current one
// is valid until the host has seen that everything fitted. After an overflow the search is repeated from it.

#include "gpu/cuda/searches.cuh"

/// The first search begins this many levels below the root, with at most 2,080 pairs. These are few for a device, but a
/// first search is rare.
#define ENTRY_LEVEL 6u

/// The number of levels of the pair tree that one thread descends, with about thirty box tests at most.
#define WALK_DEPTH 4u

/// Entries that a block collects in shared memory.
#define BLOCK_ENTRY_COUNT 256u

/// Source of a launch's pairs.
typedef enum FrontSource
{
    sourceBeginning, ///< pairs below the root, if there is no front yet
    sourceFront,
    sourceQueue ///< the queue of the previous launch
} FrontSource;

typedef struct FrontPass
{
    cltLevelTree tree;
    cltLeaves leaves;
    cltNodePairs entry;
    cltFrontEntries from;
    uint64_t count; ///< entries of `from`, or pairs of `entry`
    cltFrontEntries to;
    bool isKnown; ///< the marks in `from` are valid
    const cltNodePair* queue;
    uint64_t queueRoom;
    cltPlan* plan;
    uint32_t number;
} FrontPass;

/// State of a block, in shared memory.
typedef struct FrontBlock
{
    cltBlockKeys keys;
    cltBlockKeys queue;
    uint64_t pairs[BLOCK_ENTRY_COUNT];
    float marks[BLOCK_ENTRY_COUNT];
    uint64_t first;
    uint32_t count; ///< entries of the block, including overflow
    cltFrontWay way;
    uint64_t testCount;
} FrontBlock;

/// State of one thread.
typedef struct FrontTask
{
    const FrontPass* pass;
    FrontBlock* block;
    const cltKeySink* keys;
    const cltKeySink* queue;
    const cltLevelTree* tree;
    uint64_t testCount;
} FrontTask;

// ------------------------------------------------------------------------------------------------------------ the way

static __device__ double WayOfBits( uint64_t bits )
{
    double way;
    memcpy( &way, &bits, sizeof way );
    return way;
}

/// The bits of non-negative doubles order as the doubles do.
static __device__ unsigned long long BitsOfWay( double way )
{
    unsigned long long bits;
    memcpy( &bits, &way, sizeof bits );
    return bits;
}

static __global__ void MeasureWayKernel( cltLeaves leaves, cltPlan* plan )
{
    __shared__ unsigned long long furthest;
    if ( threadIdx.x == 0 )
    {
        furthest = 0;
    }
    __syncthreads();
    const uint32_t i = cltThreadIndex();
    if ( i < cltPlan_TreeLeafCount( plan ) )
    {
        const double way = cltLeaves_Way( &leaves, i );
        if ( way > 0.0 )
        {
            atomicMax( &furthest, BitsOfWay( way ) );
        }
    }
    __syncthreads();
    if ( threadIdx.x == 0 && furthest > 0 )
    {
        atomicMax( (unsigned long long*)&plan->furthestWay, furthest );
    }
}

// ------------------------------------------------------------------------------------------------------------ entries

static __device__ void WriteEntry( const FrontPass* pass, uint64_t place, uint64_t pair, float mark )
{
    if ( place < pass->to.room )
    {
        cltNodePair entry;
        entry.a = (uint32_t)pair;
        entry.b = (uint32_t)( pair >> 32 );
        pass->to.pairs[place] = entry;
        pass->to.marks[place] = mark;
    }
}

static __device__ void AddEntry( const FrontTask* task, uint32_t a, uint32_t b, float mark )
{
    FrontBlock* block = task->block;
    const uint64_t pair = a | (uint64_t)b << 32;
    const uint32_t place = atomicAdd( &block->count, 1u );
    if ( place < BLOCK_ENTRY_COUNT )
    {
        block->pairs[place] = pair;
        block->marks[place] = mark;
    }
    else
    {
        WriteEntry( task->pass, cltClaim( &task->pass->plan->frontCount, 1u ), pair, mark );
    }
}

static __device__ void PutEntry( const FrontTask* task, const cltPairPlace* place, float slack )
{
    AddEntry( task, place->a, place->b, cltFrontWay_Mark( &task->block->way, slack ) );
}

static __device__ void WriteEntries( const FrontPass* pass, FrontBlock* block )
{
    const uint32_t count = block->count < BLOCK_ENTRY_COUNT ? block->count : BLOCK_ENTRY_COUNT;
    if ( threadIdx.x == 0 && count > 0 )
    {
        block->first = cltClaim( &pass->plan->frontCount, count );
    }
    __syncthreads();
    for ( uint32_t i = threadIdx.x; i < count; i += blockDim.x )
    {
        WriteEntry( pass, block->first + i, block->pairs[i], block->marks[i] );
    }
}

/// Two overlapping leaves: reports a change and keeps the entry.
static __device__ void PutLeaves( const FrontTask* task, const cltPairPlace* place )
{
    const cltLeaves* leaves = &task->pass->leaves;
    cltBlockKeys_Add( &task->block->keys, task->keys, cltLeaves_Key( leaves, clt_findChanges, place->a, place->b ) );
    PutEntry( task, place, cltLeaves_Clearance( leaves, place->a, place->b ) );
}

/// Handles a pair of a descent. Returns false if the descent continues below it.
static __device__ bool StopsAt( FrontTask* task, const cltPairPlace* place, bool isDeep )
{
    const cltLevelTree* tree = task->tree;
    const bool isSelf = cltPairPlace_IsSelf( place );
    task->testCount += isSelf ? 0u : 1u;
    if ( !cltPairTree_Meets( tree, place ) )
    {
        const cltPairPlace above = cltPairTree_Parent( tree, place );
        PutEntry( task, place, cltPairTree_ClearanceApart( tree, place, &above ) );
        return true;
    }
    if ( cltPairPlace_AreLeaves( place ) )
    {
        if ( !isSelf ) // a leaf paired with itself is not kept
        {
            PutLeaves( task, place );
        }
        return true;
    }
    if ( isDeep )
    {
        cltBlockKeys_Add( &task->block->queue, task->queue, place->a | (uint64_t)place->b << 32 );
    }
    return isDeep;
}

/// Descends from an overlapping pair that is not a pair of leaves.
static __device__ void GoDown( FrontTask* task, cltPairPlace place )
{
    const cltLevelTree* tree = task->tree;
    place = cltPairTree_First( tree, &place );
    uint32_t depth = 1;
    while ( depth > 0 )
    {
        if ( !StopsAt( task, &place, depth == WALK_DEPTH ) )
        {
            place = cltPairTree_First( tree, &place );
            ++depth;
            continue;
        }
        while ( depth > 0 && !cltPairTree_Next( tree, &place ) )
        {
            place = cltPairTree_Parent( tree, &place );
            --depth;
        }
    }
}

/// Processes a due entry.
static __device__ void LookAtEntry( FrontTask* task, cltPairPlace place )
{
    const cltLevelTree* tree = task->tree;
    cltPairPlace above;
    switch ( cltFront_MoveStep( tree, &place, &above, &task->testCount ) )
    {
    case clt_frontKeep:
        PutEntry( task, &place, cltPairTree_ClearanceApart( tree, &place, &above ) );
        break;
    case clt_frontDrop:
        break;
    case clt_frontDown:
        if ( !cltPairPlace_AreLeaves( &place ) )
        {
            GoDown( task, place );
        }
        else if ( !cltPairPlace_IsSelf( &place ) )
        {
            PutLeaves( task, &place );
        }
        break;
    }
}

template <FrontSource source>
static __device__ void LookAt( FrontTask* task, uint64_t k )
{
    const FrontPass* pass = task->pass;
    if ( source == sourceQueue )
    {
        GoDown( task, cltPairPlace_Make( task->tree, pass->queue[k].a, pass->queue[k].b ) );
        return;
    }
    const cltNodePair pair = source == sourceBeginning ? cltNodePairs_At( &pass->entry, k ) : pass->from.pairs[k];
    const float mark = source == sourceBeginning ? 0.0f : pass->from.marks[k];
    if ( source == sourceFront && mark > cltFrontWay_Limit( &task->block->way ) )
    {
        AddEntry( task, pair.a, pair.b, mark );
        return;
    }
    LookAtEntry( task, cltPairPlace_Make( task->tree, pair.a, pair.b ) );
}

/// The accumulated displacement after this update. One thread stores it for later launches and the next update.
template <FrontSource source>
static __device__ cltFrontWay WayNow( const FrontPass* pass )
{
    if ( source == sourceQueue )
    {
        return *pass->to.way;
    }
    const cltLevels* levels = &pass->tree.levels;
    const cltFrontWay way =
        cltFrontWay_After( pass->from.way, source == sourceFront && pass->isKnown, WayOfBits( pass->plan->furthestWay ),
                           &pass->tree.nodes[levels->starts[levels->top]].box );
    if ( blockIdx.x == 0 )
    {
        *pass->to.way = way;
    }
    return way;
}

/// Returns 0 if the queue of the previous launch overflowed: the search will be repeated.
template <FrontSource source>
static __device__ uint64_t CountOf( const FrontPass* pass )
{
    if ( source != sourceQueue )
    {
        return pass->count;
    }
    const uint64_t count = pass->plan->pairCounts[pass->number - 1u];
    return count > pass->queueRoom ? 0u : count;
}

template <FrontSource source>
static __global__ void FrontKernel( FrontPass pass, cltKeySink keys, cltKeySink queue )
{
    __shared__ FrontBlock block;
    FrontTask task = { &pass, &block, &keys, &queue, &pass.tree, 0 };
    const uint64_t count = CountOf<source>( &pass );
    if ( threadIdx.x == 0 )
    {
        block.way = WayNow<source>( &pass );
        block.testCount = 0;
    }
    for ( uint64_t first = (uint64_t)blockIdx.x * blockDim.x; first < count; first += (uint64_t)gridDim.x * blockDim.x )
    {
        if ( threadIdx.x == 0 )
        {
            block.count = 0;
        }
        cltBlockKeys_Begin( &block.queue );
        cltBlockKeys_Begin( &block.keys );
        if ( first + threadIdx.x < count )
        {
            LookAt<source>( &task, first + threadIdx.x );
        }
        cltBlockKeys_End( &block.keys, &keys );
        cltBlockKeys_End( &block.queue, &queue );
        WriteEntries( &pass, &block );
        __syncthreads(); // all threads have written before the next round
    }
    __syncthreads();
    cltClaim( &block.testCount, task.testCount );
    __syncthreads();
    if ( threadIdx.x == 0 && block.testCount > 0 )
    {
        cltClaim( &pass.plan->nodeTestCount, block.testCount );
    }
}

// ---------------------------------------------------------------------------------------------------------- the host's

static FrontPass FirstPass( const cltDeviceFrontier* frontier, const cltDeviceSearch* search )
{
    const cltDeviceFront* front = &frontier->front;
    FrontPass pass = {};
    pass.tree = cltDeviceFrontier_View( frontier );
    pass.leaves = search->leaves->view;
    pass.entry = cltNodePairs_Entry( &pass.tree.levels, &pass.tree.levels, ENTRY_LEVEL, true );
    pass.from = cltDeviceCut_View( front->cuts + front->current );
    pass.to = cltDeviceCut_View( front->cuts + !front->current );
    pass.isKnown = cltDeviceFront_AreMarksKnown( front, &pass.leaves.filters );
    pass.count = cltDeviceFront_IsOf( front, &pass.tree.levels ) ? front->count : cltNodePairs_Count( &pass.entry );
    pass.queueRoom = cltDeviceFrontier_PairRoom( frontier );
    pass.plan = cltDeviceLeaves_Plan( search->leaves );
    return pass;
}

static cltStatus LaunchPass( const cltDeviceFrontier* frontier, const cltDeviceSearch* search, FrontPass* pass,
                             bool isBeginning )
{
    const uint64_t blocks = ( pass->number == 0 ? pass->count : pass->queueRoom ) / CLT_BLOCK_SIZE + 1u;
    const uint32_t fullBlocks = 16u * search->device->multiprocessorCount; // each loops until all are processed
    const cltKeySink queue = { (uint64_t*)frontier->pairs[pass->number % 2u].data, pass->queueRoom,
                               pass->plan->pairCounts + pass->number };
    pass->queue = (const cltNodePair*)frontier->pairs[( pass->number + 1u ) % 2u].data;
    return cltLaunchBlocks( search->device, pass->number == 0 ? "front" : "below the front",
                            blocks < fullBlocks ? (uint32_t)blocks : fullBlocks, CLT_BLOCK_SIZE,
                            pass->number > 0 ? FrontKernel<sourceQueue>
                            : isBeginning    ? FrontKernel<sourceBeginning>
                                             : FrontKernel<sourceFront>,
                            *pass, search->sink, queue );
}

cltStatus cltDeviceFront_Find( cltDeviceFrontier* frontier, const cltDeviceSearch* search, uint32_t* passCount )
{
    const bool isBeginning = !cltDeviceFront_IsOf( &frontier->front, &frontier->levels );
    FrontPass pass = FirstPass( frontier, search );
    CLT_TRY( cltCudaFill( search->device, pass.plan->pairCounts, 0, CLT_PLAN_PASSES_SIZE ) );
    CLT_TRY(
        cltLaunch( search->device, "measure way", search->leaves->room, MeasureWayKernel, pass.leaves, pass.plan ) );
    *passCount =
        ( 2u * frontier->levels.top + WALK_DEPTH - 1u ) / WALK_DEPTH; // two levels of pairs for each level of nodes
    for ( ; pass.number < *passCount; ++pass.number )
    {
        CLT_TRY( LaunchPass( frontier, search, &pass, isBeginning ) );
    }
    return cltDevice_FindOutliers( search );
}
