// SPDX-License-Identifier: Zlib
// The leaves set aside, against everything and against each other.

#include "gpu/host/reference/searches.h"

#define LEAF_GRAIN 2048u

typedef struct Pass
{
    const cltSearch* search;
    const uint32_t* aside; ///< NULL: firstAside and on
    uint32_t firstAside;
    uint32_t asideCount;
} Pass;

static void TestRange( uint32_t first, uint32_t last, void* context )
{
    const Pass* pass = context;
    const cltLeaves* leaves = &pass->search->table->leaves;
    cltPairBlock block;
    cltPairBlock_Init( &block, pass->search->sink );
    for ( uint32_t a = 0; a < pass->asideCount; ++a )
    {
        const uint32_t i = pass->aside != NULL ? pass->aside[a] : pass->firstAside + a;
        for ( uint32_t j = first; j < last; ++j )
        {
            uint64_t key = cltLeaves_AsideKey( leaves, pass->search->find, i, j );
            if ( key != CLT_NO_KEY )
            {
                cltPairBlock_Add( &block, key );
            }
        }
    }
    cltPairBlock_Flush( &block );
}

void cltAside_Find( const cltSearch* search, const uint32_t* aside, uint32_t asideCount )
{
    if ( asideCount > 0 )
    {
        Pass pass = { search, aside, search->table->searchableCount, asideCount };
        cltWorkerPool_Run( search->pool, TestRange, search->table->leaves.count, LEAF_GRAIN, &pass );
    }
}
