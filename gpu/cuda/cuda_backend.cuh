// SPDX-License-Identifier: Zlib
/// \file cuda_backend.cuh
/// All state of one broadphase on a CUDA device, and how the files of this folder work together.
///
/// An update is a sequence of launches in one stream. Each kernel reads the results of earlier kernels from the plan, a
/// struct in device memory (plan.cuh). Buffer capacities are estimated from the previous update, so the host waits only
/// once, for the result.
///
///     host        gather changed slots ──┐                                                             wait ─ changes
///     bus                                ▼ staging.cu                                             ┌ plan, keys ▲
///     device      Spread │ count, keys, sort, gather, or gather alone │ tree or cells │ find │ sort ──┘ Commit
///     file        device_slots.cu │ gather_st….cu device_leaves.cu    │ build_*.cu    │ find_*.cu  sort_pairs.cu
///
/// - Kept order. The leaves keep their order while no body appears, few make a large displacement, and neighbours stay
///   together (gpu/core/scene_statistics.h). Statistics, keys and sort are then skipped: an update is spread, gather,
///   climb and find. Bodies with a large displacement, and bodies that become far larger than most, are outliers until
///   the next sort. Pairs and changes are the same bytes whether the order is kept or not.
/// - Kept region. The region is the box of nearly all bodies, and sort codes number its cells. A sort uses the region
///   found last and skips the statistics. A body outside gets the code of a border cell. If too many are outside
///   (plan.cuh), the search finds nothing, and the update is repeated with a new region. The cell size of the grid
///   depends on the current boxes, so the grid finds a new region in each update.
/// - Boxes and filters stay on the device in their current and previous state. Only changed slots cross the bus: up to
///   65,536 are gathered by the calling thread alone, more by all host threads. Filters are sent only if one is new.
/// - Whether a pair began or ended follows from the two boxes of both bodies (gpu/core/pair_change.h); no list of pairs
///   is kept.
/// - gpu/core decides which pairs exist, with the same code as on the CPU. This folder decides how fast: which thread
///   processes which element, where results go, and the order of launches. So pairs and changes are the same bytes as
///   on the CPU. Leaves, nodes and cells are the same bytes, too, if leaves were sorted over a new region.
/// - Each node of the tree holds the union of the filters below it. Subtrees that may not pair with a leaf are pruned.
///   If all masks hold all groups, no unions are computed and no filter is read. This saves about 56 of the bytes that
///   the table below gives for Climb and FindInTree.
/// - Overflow is counted, not stored. The host then grows the buffer and repeats the stages that need it in the same
///   update. If too many bodies moved too far to keep the order, all stages are repeated.
/// - Grid. Each leaf lies in one cell, and leaves are sorted by cell instead of along the curve, so the grid needs no
///   second sort. A leaf tests the leaves of neighbouring cells that follow its own. Each thread block numbers the
///   pairs within its cells, and each thread computes its pairs from their numbers. If cells are too dense
///   (gpu/core/grid.h), nothing is tested: this update and the next ones search the tree instead.
/// - `wide`. Leaves lie in blocks of 32 along the curve, under a tree with 32 children a node (gpu/core/warp_tree.h). A
///   warp searches from a block: its lanes test 32 children at once, then the leaves that the block's bounds meet. The
///   warp visits its own block and later ones, so each pair is found once. If no body of its own block moves, it skips
///   blocks without movers, so no separate search from movers is needed. On the CPU blocks have sixteen bodies.
/// - `frontier` launches all passes without waiting. Their number follows from the tree's shape, which depends on the
///   leaf capacity. Each pass reads on the device how many pairs the previous pass found.
///
/// Operations of an update in which all bodies move: launches, copies, clears and the wait
/// (cltResearchStats::operationCount). Counted on the emulated device. A large upload adds a copy for each further
/// piece, at most two up to a million bodies:
///
///     the tree, order kept                  11
///     the tree, sorted anew                 13
///     the tree, sorted over a new region    17
///     `wide`, as the tree
///     the grid, always sorted anew          19
///     `frontier`, order kept; sorted anew   16; 18
///
/// A sort of leaves counts as one operation, but CUB launches 2p + 1 kernels for it: the first sorts tiles of 2,048
/// keys, and each of p passes, of two kernels, doubles the length of sorted runs. A million keys take nine passes. The
/// sort of pairs counts as three: a scan, for which CUB launches two kernels, and two kernels of its own.
///
/// What the compiler reports (nvcc 13.0.88 for compute capability 9.0): registers per thread, bytes of shared memory
/// per block, and the occupancy of an H100 that these allow. No kernel needs a stack or spills, neither for 9.0 nor for
/// 8.0; a test compiles the kernels, except CUB's, and compares. The next columns are the bytes to read and write per
/// body (float boxes with filters, all bodies move, no filter is new, one leaf each), and the floor, the time for the
/// bytes of a million bodies at the H100's 3.35 TB/s. The floor is for memory alone and not measured: launches and
/// latency add to it, and 50 MB of cache reduce it.
///
///     kernel           registers  shared  occupancy     bytes a body: read + written             floor
///     Spread                  26       0    100 %       28 + 25, after 28 came across the bus    16 us
///     sorted again, over a new region:
///     Statistics              56    8196     50 %       49                                       15 us
///     Decide                  43    4152     56 %       one block, 20 KB in all
///     WriteKeys               32      12    100 %       49 + 8                                   17 us
///     CUB's sort of leaves                              80 + 80: tiles and nine passes           48 us
///     Gather                  40    3072     75 %       56 + 64, boxes in no order               36 us
///     instead of Statistics, Decide, WriteKeys and Gather, over the kept region:
///     WriteKeysInRegion       40      12     75 %       49 + 8                                   17 us
///     Gather                  46    3072     62 %       57 + 64                                  36 us
///     instead of all above but Spread, if the order is kept:
///     Gather                  46    3072     62 %       57 + 64                                  36 us
///     in all three:
///     Climb                   32     516    100 %       160 + 88                                 74 us
///     FindInTree              40   12312     75 %       144 + 12 a change; 64 for outliers        43 us
///     CUB's scan                                        8 + 8 for 2^20 bodies; twice that for one more    5 us
///     PlaceInGroups           16       0    100 %       16 + 12 a change
///     RankInGroups            30       0    100 %       16 + 8 a change, and the keys of its group from the caches
///     Commit                  26       0    100 %       28 + 25                                  16 us
///                                     900 in all, 852 over the last region, 635 when kept  270, 255, 190 us
///     instead of FindInTree from all leaves, if less than half of the slots changed, from movers only:
///     FindInTree              40   12312     75 %       144 per leaf reached + 12 a change, all from the caches
///     instead of Spread above, with double boxes:
///     Spread                  24       0    100 %       56 + 49
///     instead of Spread and Commit, if the boxes are in an array on the device (device_arrays.cu):
///     TakeBoxes               22       0    100 %       48 + 25                                  22 us
///     TakeBoxes               32       0    100 %       96 + 49, with double boxes
///     UnpackPairs             12       0    100 %       8 + 8 a change
///     instead of Climb and FindInTree, `wide`, in float and in double:
///     BuildBlocks             32       0     50 %       72 + 33                                  31 us
///     FindInBlocks            72    6464     43 %       105 + 12 a change; 64 for outliers        31 us
///     FindInBlocks            88    8512     35 %       169 + 12 a change
///     instead of Climb and FindInTree, `frontier`, with three queued node pairs a body in all:
///     JoinPieces              32       0    100 %       136 + 64                                 60 us
///     JoinTop                 30       0    100 %       one block, 2,000 nodes
///     FrontierPass            48    4120     62 %       the entry's: the top of the tree, from the caches
///     FrontierPass            48    4120     62 %       160 + 24, and 12 a change                55 us
///     and FindOutliers, as below
///     instead of Climb and FindInTree, `grid`, which always sorts, with three cells a body:
///     WriteKeys               32       0    100 %       49 + 8                                   17 us
///     WriteStarts             16       0    100 %       8 + 12                                    6 us
///     CountCandidates         40       8     75 %       64 + 0, and 12 of starts                 23 us
///     FindInCells             44    5648     62 %       92 + 12 a change, as each reads others   27 us
///     FindOutliers            32    4112    100 %       0, or 64 if any body is an outlier        0 us
///     instead of them, `bruteForce`:
///     FindCandidates          32    4112    100 %       64, and 64 a candidate from the caches   19 us
///     instead of FindCandidates, if the output is to be bits:
///     MarkCandidates          32       0    100 %       as FindCandidates, but 1/8 a candidate for its bit
///     KeysOfMarks             40    4112     75 %       1/8 a candidate, 128 a change + 12 a change
///     and once:
///     Probe                    4       0    100 %       never runs
///
/// The tree's search is not bound by memory bandwidth: it reads some 36 nodes of 32 bytes per body at three pairs a
/// body, mostly from the caches, and the threads of a warp wait for the one that reads most. So a traversal reads nodes
/// alone and records the leaves it reaches; the block tests the recorded candidates after all traversals. A leaf is one
/// record of 64 bytes, 4 loads (gpu/core/leaf.h); in three arrays a leaf took 52 bytes, 13 loads and 4 sectors of 32.
///
/// The climb is bound by latency: a level of the tree takes an exchange, two boxes and the publication of a third.
/// Seven levels, those within a block's leaves, exchange in shared memory and publish nothing beyond the block.
///
/// Of the searches, only FindInBlocks, which keeps a leaf in registers, is specialized for precision. None is
/// specialized for filters or kind of search: with all three known at compile time FindInTree has 34 to 36 registers,
/// which allow as many blocks as 40, and the branches are uniform.
#ifndef CLT_CUDA_CUDA_BACKEND_CUH
#define CLT_CUDA_CUDA_BACKEND_CUH

#include "gpu/cuda/device_slots.cuh"
#include "gpu/cuda/searches.cuh"
#include "gpu/cuda/sort_pairs.cuh"

typedef struct cltCudaBackend
{
    cltBackend base;
    const cltBroadphaseDef* def;
    cltMemory* memory;
    cltWorkerPool* pool; ///< gathers the upload
    cltCudaDevice device;
    cltAlgorithm algorithm;  ///< the chosen algorithm; never auto
    const char* reason;      ///< why it was chosen
    uint32_t crowdedUpdates; ///< remaining updates that use the tree, because the grid's cells were too dense

    cltDeviceSlots slots;
    bool keepsOrder;          ///< every slot that had a box has a leaf in the current order
    bool keepsRegion;         ///< most current slots existed when the region was found
    uint32_t sortedUpdates;   ///< remaining updates that sort, after too many large displacements
    bool isStale;             ///< the next update must sort
    uint32_t liveChangeCount; ///< changed slots that still have a proxy; if 0, nothing is searched
    bool filtersChanged;      ///< current and previous filters may differ

    cltDeviceLeaves leaves;
    cltDeviceTree tree;
    cltDeviceBlocks blocks;
    cltDeviceFrontier frontier;
    cltDeviceCells cells;
    bool current;       ///< leaves and search structure match the last commit
    bool committedOnly; ///< leaves and search structure were built from the previous boxes alone

    cltPairSort pairSort;
    cltCudaBuffer bits; ///< one bit per candidate, for clt_outputBits
    bool searched;      ///< there was a search since the last build
    uint64_t keyCount;
    bool keysStay;                 ///< keys found are not copied to `result`, because the pairs stay on the device
    cltCudaBuffer pairs[2];        ///< by cltFind: the pairs found, if they stay on the device
    uint64_t expectedKeyCounts[2]; ///< by cltFind: keys to reserve memory for; 0 before the first search
    cltCudaBuffer result{ clt_memoryPinned }; ///< the host's copy of the plan and, unless `keysStay`, of the keys
    cltStats stats;
    cltResearchStats research;
} cltCudaBackend;

/// The host's copy of the plan.
static inline const cltPlan* cltCudaBackend_Plan( const cltCudaBackend* cuda )
{
    return (const cltPlan*)cuda->result.data;
}

/// Begins an update: resets its statistics and counts it.
void cltCudaBackend_Begin( cltCudaBackend* cuda );

/// Computes the times of an update from its marks.
void cltCudaBackend_NoteTimes( cltCudaBackend* cuda );

/// Builds leaves and search structure (cuda_search.cu): from the uploaded boxes or, if `committedOnly`, from the boxes
/// as of the last commit.
cltStatus cltCudaBackend_Build( cltCudaBackend* cuda, bool committedOnly );

/// Finds the keys and copies them to `result` in canonical order or, if `keysStay`, makes `pairs` of them. Repeats the
/// search until all keys fit. Waits for the stream.
cltStatus cltCudaBackend_Search( cltCudaBackend* cuda, cltFind find );

#endif
