// SPDX-License-Identifier: Zlib
// What can be said of many ids before anything is done with them.

#include "bridge/proxy_moves.h"

/// Ids to a task: about 5 microseconds of work.
#define CHECK_GRAIN 8192u

typedef struct CheckPass
{
    const cltProxyTable* table;
    const cltProxyId* proxies;
    uint32_t missing; ///< ranges in which something is not so
    uint32_t unordered;
} CheckPass;

static bool AreThere( const cltProxyTable* table, const cltProxyId* proxies, size_t count )
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

/// AreThere of ids that ascend, so that the last one says that all have a slot.
static bool AscendingAreThere( const cltProxyTable* table, const cltProxyId* proxies, size_t count )
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
    const bool areThere = ( ascend ? AscendingAreThere : AreThere )( pass->table, proxies, count );
    __atomic_fetch_or( &pass->missing, !areThere, __ATOMIC_RELAXED );
    __atomic_fetch_or( &pass->unordered, !( ascend && follow ), __ATOMIC_RELAXED );
}

cltProxyCheck cltProxyTable_Check( const cltProxyTable* table, size_t count, const cltProxyId* proxies,
                                   cltWorkerPool* pool )
{
    if ( count < CLT_MOVES_TO_SHARE || count > UINT32_MAX )
    {
        return ( cltProxyCheck ){ .areThere = AreThere( table, proxies, count ) };
    }
    CheckPass pass = { .table = table, .proxies = proxies };
    cltWorkerPool_Run( pool, CheckRange, (uint32_t)count, CHECK_GRAIN, &pass );
    return ( cltProxyCheck ){ .areThere = pass.missing == 0, .ascend = pass.unordered == 0 };
}
