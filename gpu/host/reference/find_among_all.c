// SPDX-License-Identifier: Zlib
// Every pair of leaves, by the index-to-pair map alone: for small scenes, and the reference for all others.

#include "gpu/host/reference/searches.h"

typedef struct AllSweep
{
    const cltSearch* search;
    cltShares shares;
} AllSweep;

static void TestAllShares( uint32_t firstShare, uint32_t lastShare, void* context )
{
    const AllSweep* sweep = context;
    const cltSearch* search = sweep->search;
    const cltLeaves* leaves = &search->table->leaves;
    uint64_t end = lastShare * sweep->shares.size;
    end = end < sweep->shares.candidateCount ? end : sweep->shares.candidateCount;
    cltPairBlock block;
    cltPairBlock_Init( &block, search->sink );
    for ( uint64_t k = firstShare * sweep->shares.size; k < end; ++k )
    {
        uint32_t i;
        uint32_t j;
        if ( cltPairMap_Pair( &search->map, leaves->count, k, &i, &j ) )
        {
            cltPairBlock_Add( &block, cltLeaves_Key( leaves, search->find, i, j ) );
        }
    }
    cltPairBlock_Flush( &block );
}

void cltBruteForce_Find( const cltSearch* search )
{
    AllSweep sweep = { search,
                       cltShares_Make( cltPairMap_CandidateCount( &search->map, search->table->leaves.count ) ) };
    cltWorkerPool_Run( search->pool, TestAllShares, cltShares_Count( &sweep.shares ), 1u, &sweep );
}
