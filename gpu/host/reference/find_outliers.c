// SPDX-License-Identifier: Zlib
// Outliers, against everything and against each other.

#include "gpu/host/reference/searches.h"

#define OUTLIER_GRAIN 2048u

typedef struct OutlierPass
{
    const cltSearch* search;
    const uint32_t* outliers;
    uint32_t outlierCount;
} OutlierPass;

static void TestOutliers( uint32_t first, uint32_t last, void* context )
{
    const OutlierPass* pass = context;
    const cltLeafTable* table = pass->search->table;
    cltPairBlock block;
    cltPairBlock_Init( &block, pass->search->sink );
    for ( uint32_t o = 0; o < pass->outlierCount; ++o )
    {
        const uint32_t i = pass->outliers != NULL ? pass->outliers[o] : table->searchableCount + o;
        for ( uint32_t j = first; j < last; ++j )
        {
            cltPairBlock_Add( &block, cltLeaves_OutlierKey( &table->leaves, pass->search->find, i, j ) );
        }
    }
    cltPairBlock_Flush( &block );
}

void cltOutliers_Find( const cltSearch* search, const uint32_t* outliers, uint32_t outlierCount )
{
    if ( outlierCount > 0 )
    {
        OutlierPass pass = { search, outliers, outlierCount };
        cltWorkerPool_Run( search->pool, TestOutliers, search->table->leaves.count, OUTLIER_GRAIN, &pass );
    }
}
