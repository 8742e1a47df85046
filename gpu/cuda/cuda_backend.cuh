// SPDX-License-Identifier: Zlib
/// \file cuda_backend.cuh
/// All state of one broadphase on a CUDA device, and the story of this room.
///
/// An update is a row of launches in one stream. What one needs to know of the one before lies on the device
/// (plan.cuh); how much room there must be is guessed from the last update; so the host waits once, for the result.
///
///     host        gather changed slots ──┐                                                             wait ─ changes
///     bus                                ▼ staging.cu                                             ┌ plan, keys ▲
///     device      Spread │ count, keys, sort, gather, or gather alone │ tree or cells │ find │ sort ──┘ Commit
///     file        device_slots.cu │ gather_st….cu device_leaves.cu    │ build_*.cu    │ find_*.cu  merge_sort.cu
///
/// - The tree's leaves stay in their order while nobody appears, few jump, and neighbours have not drifted apart
///   (gpu/core/scene_statistics.h): then there are no statistics, keys and sort, and an update is spread, gather, climb
///   and find. Who jumps or outgrows the others is an outlier until the order is new. Pairs and changes are the same
///   bytes either way.
/// - A new order is one over the region that was found last, without statistics and what they come to.
///   Who is outside has a code of the region's border; who jumps is an outlier, as above. If so many are outside that
///   they would cost too much (last_region.cuh), nothing is searched, and all is done again over a region of its own.
///   The grid, whose cells must be as wide as bodies are now, has one in each update.
/// - Boxes and filters stay on the device, as they are and as of the last commit; only changed slots cross the bus, up
///   to 65,536 of them gathered by the calling thread alone, more by all of the host's, and filters only in updates
///   that bring new ones.
/// - What began and ended is read off the two boxes of both bodies (gpu/core/pair_change.h): no list of pairs is kept.
/// - Which pairs there are is decided in gpu/core, by the same lines as on the CPU; here is only what changes how fast:
///   who does which element, where results are stored, and in what order things are launched. So pairs
///   and changes are the same bytes on both, and leaves, nodes and cells where all were sorted over their own region.
/// - Each node of the tree has the union of the filters below it, and subtrees that may not pair with a leaf are passed
///   over. Where no mask lacks any group there are no such unions, and no filter is read: some 56 of the table's bytes
///   less, in Climb and FindInTree.
/// - What there turns out to be no room for was counted, never written: the room is made larger, and the stages that
///   need it are redone in the same update. So are all of them when too many jumped for the order to be kept.
/// - Of the grid each leaf lies in one cell, and leaves are sorted by cells instead of the curve, so that it needs
///   no sort of its own. A leaf takes on those in cells behind its own; the pairs within the cells that begin among a
///   block's leaves are numbered, and a thread's numbers say which it tests. A grid whose cells turn out to be crowded
///   is left to the tree, by the host's rule (gpu/core/grid.h): it counts before it tests, finds nothing, and the same
///   update goes on with the tree, as do the next ones.
/// - `wide` runs the tree here: its blocks of sixteen bodies under a tree of eight or sixteen children feed the lanes
///   of one vector unit, while a warp's lanes are fed by 32 leaves that lie side by side on the curve.
/// - `frontier` is launched pass by pass and waits for none: how many passes there are follows from the tree's shape,
///   which is that of all leaves that there is room for, and how many pairs one found, the next reads on the device.
/// - With a front (gpu/core/front.h) a search for changes begins where the last one stopped: that is a list of pairs of
///   nodes, and the next one is written beside it, so that a search whose output did not fit begins at the same once
///   more. How far bodies went, which decides what of it is due, is measured and kept on the device; whether its marks
///   hold and whether leaves had better be sorted anew, the host says by what the last update told it. Launches are two
///   and one for two levels of the tree, whatever there is to do.
/// - From build to the copy of the keys an update may be one graph (update_graph.cuh), with all its operations: then an
///   update is the copy, Spread, the graph, the wait and Commit. Spread stays outside: the device begins with it while
///   the host writes down the rest. Off until a device can tell what it gains.
///
/// Operations of an update in which all move: launches, copies, clears and the wait (cltResearchStats). Counted
/// on the emulated device, the tree with as many changes as bodies, the others with few; what is left out was not
/// counted. With a radix sort and a wait for the count in between the tree took 31 whether its order was kept or new,
/// and 13 more for many changes, the grid 40 and 46:
///
///     bodies                                   10,000   100,000   999,999
///     the tree, order kept                         10        12        16
///     the tree, sorted anew                        13        17        22
///     the same over a region of its own            16        20        25
///     the grid, always sorted anew                 17        20
///     `frontier`, order kept, and new          14, 17
///     any of these as a graph                       5         5         7
///     `frontier` with a front                  19, 22    and once more where a search did not find room
///
/// What the compiler says (nvcc 13.0.88 for compute capability 9.0): registers of a thread, bytes of shared memory of a
/// block, share of an H100's resident threads that these allow. No kernel needs a stack or spills, for 7.5 and 8.0
/// neither; a test compiles them anew and compares. Beside it, what must be read and written for each body, float boxes
/// with filters, when all move, no filter is new and each is one leaf, and the least time for a million of them at the
/// H100's 3.35 TB/s. That is a floor for memory alone and no measurement: launches and waiting come on top, while 50 MB
/// of cache take some of it away.
///
///     kernel           registers  shared  occupancy     bytes a body: read + written             floor
///     Spread                  26       0    100 %       28 + 25, after 28 came across the bus    16 us
///     when all are sorted anew, over a region of its own:
///     Statistics              56    8196     50 %       49                                       15 us
///     Decide                  45    4128     62 %       one block, 20 KB in all
///     WriteKeys               32      12    100 %       49 + 8                                   17 us
///     SortTiles               32   34816    100 %       8 + 8                                     5 us
///     MergeRuns               48   35136     50 %       32 + 32: four passes                     19 us
///     Gather                  40    3072     75 %       56 + 64, boxes in no order               36 us
///     instead of Statistics, Decide, WriteKeys and Gather, over the last one:
///     WriteKeysInRegion       40      12     75 %       49 + 8                                   17 us
///     Gather                  46    3072     62 %       57 + 64                                  36 us
///     instead of all above, when the order is kept:
///     Gather                  46    3072     62 %       57 + 64                                  36 us
///     in all three:
///     Climb                   32     516    100 %       160 + 88                                 74 us
///     FindInTree              40   12312     75 %       144 + 8 a change; 64 if any is an outlier 43 us
///     SortTiles               31   34816    100 %       changes only
///     MergeRuns               48   35136     50 %       changes only
///     Commit                  26       0    100 %       28 + 25                                  16 us
///                                     799 in all, 751 over the last region, 619 when kept  239, 224, 185 us
///     instead of FindInTree, where less than half changed, the same for movers alone:
///     FindInTree              40   12312     75 %       144 of each leaf met + 8 a change, all from the caches
///     double boxes, instead of the above:
///     Spread                  24       0    100 %       56 + 49
///     instead of Climb and FindInTree, `frontier`, if its passes hand on three pairs of nodes a body in all:
///     JoinPieces              32       0    100 %       136 + 64                                 60 us
///     JoinTop                 30       0    100 %       one block, 2,000 nodes
///     FrontierPass            48    4120     62 %       the entry's: the top of the tree, from the caches
///     FrontierPass            48    4120     62 %       160 + 24, and 8 a change                 55 us
///     and FindOutliers, as below
///     instead of FrontierPass, with a front of twelve entries a body, of which few are due:
///     MeasureWay              30       8    100 %       69                                       21 us
///     Front                   38   11344     75 %       144 + 144, and the nodes of what is due  86 us
///     Front                   40   11344     75 %       what the launch before left of these
///     instead of Climb and FindInTree, `grid`, which always sorts all anew, with three cells a body:
///     WriteKeys               32       0    100 %       49 + 8                                   17 us
///     WriteStarts             16       0    100 %       8 + 12                                    6 us
///     CountCandidates         40       8     75 %       64 + 0, and 12 of starts                 23 us
///     FindInCells             48    5648     62 %       92 + 8 a change, as each reads others    27 us
///     FindOutliers            37    4112     75 %       0, or 64 if any body is an outlier        0 us
///     instead of them, `bruteForce`:
///     FindCandidates          32    4112    100 %       64, and 64 a candidate from the caches   19 us
///     instead of FindCandidates, if the output is to be bits:
///     MarkCandidates          32       0    100 %       as it, but 1/8 a candidate instead of the changes
///     KeysOfMarks             40    4112     75 %       1/8 a candidate, 128 a change + 8 a change
///     and once:
///     Probe                    4       0    100 %       never runs
///
/// The tree's search is not bound by that: it reads some 36 nodes of 32 bytes a body at three pairs a body, mostly
/// from the caches, and threads of a warp wait for the one that reads most. So a walk reads nodes alone and lists
/// whom it meets; the block tests its list when all have walked, and reads each leaf whole, 64 bytes by 4 loads
/// (gpu/core/leaf.h); in the three arrays that leaves were before, 52 bytes were 13 loads and 4 sectors of 32.
///
/// The climb is bound by waiting, too: a level of the tree takes an exchange, two boxes and what the device takes
/// to publish a third. Seven of its levels, those within a block's leaves, are exchanges in the block's own memory,
/// and publish nothing beyond it.
///
/// No kernel is compiled for one precision, with or without filters, or for what is sought: with all three known
/// FindInTree has 34 to 36 registers, which leave room for as many blocks as 40, and the branches are the same for
/// all threads.
#ifndef CLT_CUDA_CUDA_BACKEND_CUH
#define CLT_CUDA_CUDA_BACKEND_CUH

#include "gpu/cuda/device_slots.cuh"
#include "gpu/cuda/searches.cuh"
#include "gpu/cuda/update_graph.cuh"

typedef struct cltCudaBackend
{
    cltBackend base;
    const cltBroadphaseDef* def;
    cltMemory* memory;
    cltWorkerPool* pool; ///< gathers what is sent
    cltCudaDevice device;
    cltUpdateGraph graph;    ///< the device's, if it is asked for
    cltAlgorithm algorithm;  ///< that runs here
    const char* reason;      ///< why
    uint32_t crowdedUpdates; ///< updates for which the tree still takes the place of a grid that was crowded

    cltDeviceSlots slots;
    bool keepsOrder;          ///< every slot that has a box has a leaf in the order that there is
    bool keepsRegion;         ///< most slots were there when the region was found
    uint32_t sortedUpdates;   ///< updates that still sort anew, because too many jumped for the order to be kept
    bool isStale;             ///< the next one shall sort anew
    uint32_t liveChangeCount; ///< changed slots that still have a proxy: without any, nothing began or ended
    bool filtersChanged;      ///< some filter may differ from the one as of the last committed update

    cltDeviceLeaves leaves;
    cltDeviceTree tree;
    cltDeviceFrontier frontier;
    cltDeviceCells cells;
    bool current;       ///< leaves and search structure are those of the last committed update
    bool committedOnly; ///< they were built of the last committed update's boxes alone

    cltCudaBuffer bits; ///< one for each candidate, if that is asked for
    cltCudaBuffer spareKeys;
    bool searched; ///< since leaves and search structure were made
    uint64_t keyCount;
    uint64_t expectedKeyCounts[2];           ///< by cltFind: what there is room for. 0: none was searched yet
    cltCudaBuffer result{ clt_placePinned }; ///< the host's copy of the plan and of the keys behind it
    cltStats stats;
    cltResearchStats research;
} cltCudaBackend;

/// Leaves and search structure (cuda_search.cu): of what was uploaded, or as of the last commit.
cltStatus cltCudaBackend_Build( cltCudaBackend* cuda, bool committedOnly );

/// Finds the keys, as often as it takes until there is room for all, in canonical order, and has them copied to
/// `result`. Waits for them.
cltStatus cltCudaBackend_Search( cltCudaBackend* cuda, cltFind find );

#endif
