// SPDX-License-Identifier: Zlib
// Every header of gpu/core, read by the CUDA compiler, and a kernel around each step and cursor. It is compiled, never
// run: that the algorithms are right is shown on the CPU, that they are device code is shown here.
#include "gpu/core/aabb.h"
#include "gpu/core/atomic.h"
#include "gpu/core/bits.h"
#include "gpu/core/callable.h"
#include "gpu/core/curve.h"
#include "gpu/core/filter.h"
#include "gpu/core/grid.h"
#include "gpu/core/lbvh.h"
#include "gpu/core/leaf.h"
#include "gpu/core/pair_key.h"
#include "gpu/core/pair_map.h"
#include "gpu/core/ray.h"
#include "gpu/core/region.h"
#include "gpu/core/survey.h"
#include "gpu/core/traverse.h"

static __device__ uint32_t threadIndex()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void seedKernel( cltSlots slots, cltLeafSeed* seeds, uint32_t* counts )
{
    uint32_t slot = threadIndex();
    if ( slot < slots.count )
    {
        counts[slot] = cltSlots_Seed( &slots, slot, seeds + 2 * slot );
    }
}

__global__ void keyKernel( cltCurve curve, const cltAabb* boxes, uint64_t* keys, uint32_t count )
{
    uint32_t i = threadIndex();
    if ( i < count )
    {
        keys[i] = ( (uint64_t)cltCurve_Key( &curve, boxes + i ) << 32 ) | i;
    }
}

__global__ void climbKernel( cltTree tree, const cltAabb* boxes )
{
    uint32_t leaf = threadIndex();
    if ( leaf < tree.leafCount )
    {
        cltTree_ClimbStep( &tree, leaf, boxes + leaf );
    }
}

__global__ void findInTreeKernel( cltTree tree, cltLeaves leaves, cltFind find, uint64_t* keys, uint64_t* keyCount )
{
    uint32_t leaf = threadIndex();
    if ( leaf >= leaves.count )
    {
        return;
    }
    cltAabb cover = cltLeaves_Cover( &leaves, leaf );
    uint32_t node = tree.nodes[cltTree_NodeOfLeaf( &tree, leaf )].rope;
    while ( ( node = cltTree_NextOverlap( &tree, node, &cover ) ) != CLT_ROPE_END )
    {
        uint64_t key = cltLeaves_Key( &leaves, find, leaf, cltTree_LeafOfNode( &tree, node ) );
        if ( key != CLT_NO_KEY )
        {
            keys[cltClaim( keyCount, 1 )] = key;
        }
        node = tree.nodes[node].rope;
    }
}

__global__ void fillCellsKernel( cltGrid grid, const cltAabb* boxes, const uint64_t* starts, uint64_t* entries,
                                 uint32_t count )
{
    uint32_t leaf = threadIndex();
    if ( leaf < count )
    {
        cltCellRange range = cltGrid_Range( &grid, boxes + leaf );
        if ( cltCellRange_Span( &range, boxes + leaf ) != 0 )
        {
            cltGrid_FillStep( &grid, &range, leaf, entries + starts[leaf] );
        }
    }
}

__global__ void findInCellsKernel( cltCells cells, cltGrid grid, cltLeaves leaves, cltFind find, uint64_t* keys,
                                   uint64_t candidateCount )
{
    uint64_t k = threadIndex();
    if ( k < candidateCount )
    {
        keys[k] = cltCells_TestStep( &cells, &grid, &leaves, find, cltCells_Find( &cells, k ), k );
    }
}

__global__ void findBruteForceKernel( cltPairMap map, cltLeaves leaves, cltFind find, uint64_t* keys )
{
    uint64_t k = threadIndex();
    if ( k < cltPairMap_CandidateCount( &map, leaves.count ) )
    {
        uint32_t i;
        uint32_t j;
        bool isPair = cltPairMap_Pair( &map, leaves.count, k, &i, &j );
        keys[k] = isPair ? cltLeaves_Key( &leaves, find, i, j ) : CLT_NO_KEY;
    }
}

__global__ void castKernel( cltRay ray, const cltAabbD* boxes, double* fractions, uint32_t count )
{
    uint32_t i = threadIndex();
    if ( i < count && !cltRay_Meets( &ray, boxes + i, 1.0, fractions + i ) )
    {
        fractions[i] = -1.0;
    }
}
