// SPDX-License-Identifier: Zlib
/// \file cuda_backend.cuh
/// All state of one broadphase on a CUDA device, and the story of this room.
///
/// An update is a row of launches in one stream. What one needs to know of the one before lies on the device
/// (plan.cuh), so that the host only waits twice: for how much was found, and for the result.
///
///     host        gather changed slots ──┐              ┌─ wait ─ room for all? else grow, again   wait ─ changes
///     bus                                ▼ staging.cu   │ plan                                       ▲ copy
///     device      clear       Spread │ count, keys, sort, gather  │ tree or cells │ find ────────────┴ sort │ Commit
///     file        device_slots.cu    │ gather_st….cu device_leav… │ build_*.cu    │ find_*.cu    cuda_search.cu
///
/// - Boxes and filters stay on the device, as they are and as of the last commit; only changed slots cross the bus,
///   gathered by all of the host's threads, and filters only in updates that bring new ones.
/// - What began and ended is read off the two boxes of both bodies (gpu/core/pair_change.h): no list of pairs is kept.
/// - Which pairs there are is decided in gpu/core, by the same lines as on the CPU; here is only what changes how fast:
///   who does which element, where results are stored, and in what order things are launched. So pairs, changes,
///   leaves, nodes and cells are the same bytes on both.
/// - Each node of the tree has the union of the filters below it, and subtrees that may not pair with a leaf are passed
///   over. Where no mask lacks any group there are no such unions, and no filter is read: some 56 of the table's bytes
///   less, in Climb and FindInTree.
/// - A buffer that was too small for what there was is made larger, and the stages that need it are redone in the same
///   update. What did not fit was counted, never written.
/// - A grid whose cells turn out to be crowded is left to the tree, by the host's rule (gpu/core/grid.h): its search
///   counts before it tests, finds nothing, and the same update goes on with the tree, as do the next ones.
/// - `wide` runs the tree here: its blocks of sixteen bodies under a tree of eight or sixteen children feed the lanes
///   of one vector unit, while a warp's lanes are fed by 32 leaves that lie side by side on the curve.
/// - Kernels are launched one by one: a row of some twenty. As a graph they might start faster, which small worlds
///   would notice. It is left out until a device can tell: counts and addresses in the launches change with the world,
///   so that a graph would have to be captured anew or corrected in most updates, two of them for the wait in between;
///   and small worlds are the CPU's (gpu/select.c).
///
/// What the compiler says (nvcc 13.0.88 for compute capability 9.0): registers of a thread, bytes of shared memory of a
/// block, share of an H100's resident threads that these allow. No kernel needs a stack or spills, for 7.5 and 8.0
/// neither; a test compiles them anew and compares. Beside it, what must be read and written for each body, float boxes
/// with filters, when all move, no filter is new and each is one leaf, and the least time for a million of them at the
/// H100's 3.35 TB/s. That is a floor for memory alone and no measurement: launches and waiting come on top, while 50 MB
/// of cache take some of it away.
///
///     kernel           registers  shared  occupancy     bytes a body: read + written             floor
///     Spread                  32       0    100 %       28 + 25, after 28 came across the bus    16 us
///     Statistics              56    9216     50 %       49 + 4                                   16 us
///     Decide                  40    6176     75 %       one block, 20 KB in all
///     prefix sum (CUB)                                  4 + 4                                     2 us
///     WriteKeys               40       0    75 %       53 + 8, and 8 to clear the keys          21 us
///     sort (CUB)                                        40 + 32: four passes of eight bits       21 us
///     Gather                  32       0    100 %       56 + 52, boxes in no order               32 us
///     Climb                   32       0    100 %       148 + 84, and 4 to clear the meetings    70 us
///     FindInTree              40    4112     75 %       132 + 8 a change                         39 us
///     FindOutliers            40    4112     75 %       0, or 52 if any body is an outlier        0 us
///     sort (CUB)                                        changes only
///     Commit                  32       0    100 %       28 + 25                                  16 us
///                                                       784 in all                             234 us
///     instead of FindInTree, where less than half changed, the same for movers alone:
///     FindInTree              34    4112     75 %       132 of each leaf met + 8 a change, all from the caches
///     instead of Climb and FindInTree, `grid` with three entries a body:
///     CountEntries            32       0    100 %       52 + 8                                   18 us
///     WriteEntries            32       0    100 %       60 + 24, and 24 to clear                 32 us
///     sort and sums (CUB)                               164 + 140                               91 us
///     MarkCells               10       0    100 %       24 + 12                                  11 us
///     WriteStarts             12       0    100 %       36 + 4                                   12 us
///     CountCandidates         10       0    100 %       4 + 24                                    8 us
///     FindCandidates          40    4120     75 %       100 + 8 a change                         30 us
///     instead of them, `bruteForce`:
///     FindCandidates          32    4112    100 %       52, and 48 a candidate from the caches   16 us
///     instead of FindCandidates, in cells and among all, if the output is to be bits:
///     MarkCandidates          32       8    100 %       as it, but 1/8 a candidate instead of the changes
///     KeysOfMarks             48    4112     62 %       1/8 a candidate, 100 a change + 8 a change
///     MarkCandidates          32       0    100 %
///     KeysOfMarks             32    4112    100 %
///     and once:
///     Probe                    4       0    100 %       never runs
///
/// The tree's search is not bound by that: it reads some 36 nodes of 32 bytes a body at three pairs a body, mostly from
/// the caches, and threads of a warp wait for the one that reads most.
#ifndef CLT_CUDA_CUDA_BACKEND_CUH
#define CLT_CUDA_CUDA_BACKEND_CUH

#include "gpu/cuda/device_slots.cuh"
#include "gpu/cuda/searches.cuh"

typedef struct cltCudaBackend
{
    cltBackend base;
    const cltBroadphaseDef* def;
    cltMemory* memory;
    cltWorkerPool* pool; ///< gathers what is sent
    cltCudaDevice device;
    cltAlgorithm algorithm;  ///< that runs here
    const char* reason;      ///< why
    uint32_t crowdedUpdates; ///< updates for which the tree still takes the place of a grid that was crowded

    cltDeviceSlots slots;
    uint32_t liveChangeCount; ///< changed slots that still have a proxy: without any, nothing began or ended
    bool filtersChanged;      ///< some filter may differ from the one as of the last committed update

    cltDeviceLeaves leaves;
    cltDeviceTree tree;
    cltDeviceCells cells;
    bool current;       ///< leaves and search structure are those of the last committed update
    bool committedOnly; ///< they were built of the last committed update's boxes alone

    cltCudaBuffer bits; ///< one for each candidate, if that is asked for
    cltCudaBuffer keys; ///< uint64_t, what a search found, in canonical order after it
    cltCudaBuffer spareKeys;
    cltCudaBuffer scratch;
    uint64_t keyCount;
    cltCudaBuffer plan{ clt_placePinned };   ///< the plan's copy for the host
    cltCudaBuffer result{ clt_placePinned }; ///< the keys' copy for the host
    cltStats stats;
} cltCudaBackend;

/// Leaves and search structure (cuda_search.cu): of what was uploaded, or as of the last commit.
cltStatus cltCudaBackend_Build( cltCudaBackend* cuda, bool committedOnly );

/// Finds the keys, as often as it takes until there is room for all, brings them into canonical order and has them
/// copied to `result`. Waits once, to learn how many there are.
cltStatus cltCudaBackend_Search( cltCudaBackend* cuda, cltFind find );

#endif
