// SPDX-License-Identifier: Zlib
// Every pair of leaves, by the index-to-pair map alone: no thread reads memory to learn what to test. The threads go
// through the candidates side by side until there are no more.

#include "gpu/cuda/searches.cuh"

static __global__ void FindAmongAllKernel( cltPairMap map, cltLeaves slotLeaves, const cltPlan* plan, cltFind find,
                                           cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const cltLeaves leaves = cltLeavesOfPlan( slotLeaves, plan );
    const uint64_t candidateCount = cltPairMap_CandidateCount( &map, leaves.count );
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for ( uint64_t k = cltThreadIndex(); k < candidateCount; k += stride )
    {
        uint32_t i;
        uint32_t j;
        const bool isPair = cltPairMap_Pair( &map, leaves.count, k, &i, &j );
        const uint64_t key = isPair ? cltLeaves_Key( &leaves, find, i, j ) : CLT_NO_KEY;
        cltBlockKeys_Add( &block, &sink, key );
    }
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDevice_FindAmongAll( const cltDeviceSearch* search )
{
    if ( search->bits != NULL )
    {
        return cltDevice_FindByBits( search, NULL, NULL );
    }
    return cltLaunchBlocks( search->device, "find among all", cltBlocksToGoRound( search->device ), CLT_BLOCK_SIZE,
                            FindAmongAllKernel, search->map, search->leaves->view,
                            (const cltPlan*)cltDeviceLeaves_Plan( search->leaves ), search->find, search->sink );
}
