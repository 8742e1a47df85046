// SPDX-License-Identifier: Zlib
// Every pair of leaves, by the index-to-pair map alone: for small scenes, and the reference for all others.

#include "gpu/host/reference/searches.h"

/// Candidates a task works through: enough to outweigh claiming the task.
#define PREFERRED_BLOCK_SIZE 16384u

typedef struct Sweep
{
    const cltSearch* search;
    uint64_t candidateCount;
    uint64_t blockSize;
} Sweep;

static void TestBlocks( uint32_t firstBlock, uint32_t lastBlock, void* context )
{
    const Sweep* sweep = context;
    const cltSearch* search = sweep->search;
    const cltLeaves* leaves = &search->table->leaves;
    uint64_t k = firstBlock * sweep->blockSize;
    uint64_t end = lastBlock * sweep->blockSize;
    end = end < sweep->candidateCount ? end : sweep->candidateCount;

    cltPairBlock block;
    cltPairBlock_Init( &block, search->sink );
    for ( ; k < end; ++k )
    {
        uint32_t i;
        uint32_t j;
        if ( !cltPairMap_Pair( &search->map, leaves->count, k, &i, &j ) )
        {
            continue;
        }
        uint64_t key = cltLeaves_Key( leaves, search->find, i, j );
        if ( key != CLT_NO_KEY )
        {
            cltPairBlock_Add( &block, key );
        }
    }
    cltPairBlock_Flush( &block );
}

void cltBruteForce_Find( const cltSearch* search )
{
    Sweep sweep = { .search = search };
    sweep.candidateCount = cltPairMap_CandidateCount( &search->map, search->table->leaves.count );
    sweep.blockSize = cltBlockSize( sweep.candidateCount, PREFERRED_BLOCK_SIZE );
    uint32_t blockCount = cltBlockCount( sweep.candidateCount, sweep.blockSize );
    cltWorkerPool_Run( search->pool, TestBlocks, blockCount, 1u, &sweep );
}
