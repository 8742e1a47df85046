// SPDX-License-Identifier: Zlib
// Checks an array of ids before any proxy is changed.

#include "bridge/proxy_moves.h"

/// Ids per task: about 5 microseconds of work.
#define CHECK_GRAIN 8192u

typedef struct CheckPass
{
    const cltProxyTable* table;
    const cltProxyId* proxies;
    uint32_t missing;   ///< not 0 if some id has no proxy
    uint32_t unordered; ///< not 0 if the ids do not ascend
} CheckPass;

static bool AllExist( const cltProxyTable* table, const cltProxyId* proxies, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        if ( !cltProxyTable_Has( table, proxies[i] ) )
        {
            return false;
        }
    }
    return true;
}

static bool Ascend( const cltProxyId* proxies, size_t count )
{
    uint32_t wrong = 0;
    for ( size_t i = 1; i < count; ++i )
    {
        wrong |= proxies[i - 1u] >= proxies[i];
    }
    return wrong == 0;
}

/// AllExist for ids that ascend: if the last one has a slot, all have.
static bool AscendingExist( const cltProxyTable* table, const cltProxyId* proxies, size_t count )
{
    const uint8_t* states = table->states.data;
    uint32_t all = CLT_SLOT_LIVE;
    if ( proxies[count - 1u] >= table->slotCount )
    {
        return false;
    }
    for ( size_t i = 0; i < count; ++i )
    {
        all &= states[proxies[i]];
    }
    return all != 0;
}

static void CheckRange( uint32_t first, uint32_t last, void* context )
{
    CheckPass* pass = context;
    const cltProxyId* proxies = pass->proxies + first;
    const size_t count = last - first;
    const bool ascend = Ascend( proxies, count );
    const bool follow = first == 0 || proxies[-1] < proxies[0];
    const bool allExist = ( ascend ? AscendingExist : AllExist )( pass->table, proxies, count );
    __atomic_fetch_or( &pass->missing, !allExist, __ATOMIC_RELAXED );
    __atomic_fetch_or( &pass->unordered, !( ascend && follow ), __ATOMIC_RELAXED );
}

cltProxyCheck cltProxyTable_Check( const cltProxyTable* table, size_t count, const cltProxyId* proxies,
                                   cltWorkerPool* pool )
{
    if ( count < CLT_MOVES_TO_SHARE || count > UINT32_MAX )
    {
        return ( cltProxyCheck ){ .allExist = AllExist( table, proxies, count ) };
    }
    CheckPass pass = { .table = table, .proxies = proxies };
    cltWorkerPool_Run( pool, CheckRange, (uint32_t)count, CHECK_GRAIN, &pass );
    return ( cltProxyCheck ){ .allExist = pass.missing == 0, .ascend = pass.unordered == 0 };
}
