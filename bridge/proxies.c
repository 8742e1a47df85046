// SPDX-License-Identifier: Zlib
// Creates, changes, reads and destroys proxies. Arguments are checked before the table is changed.

#include "bridge/broadphase.h"
#include "bridge/proxy_moves.h"
#include "gpu/core/aabb.h"

static const cltFilter defaultFilter = { 1, -1 };

/// A float box in the table's precision; `wide` is storage for the result.
static const void* InTablePrecision( const cltBroadphase* broadphase, const cltAabb* box, cltAabbD* wide )
{
    if ( broadphase->def.precision == clt_precisionFloat )
    {
        return box;
    }
    *wide = cltAabb_ToDouble( box );
    return wide;
}

/// The arguments of a call that creates proxies. Either `floats` or `doubles` is NULL.
typedef struct NewProxies
{
    const cltAabb* floats;
    const cltAabbD* doubles;
    const cltFilter* filters;
    size_t filterStep; ///< 0: the first filter applies to all proxies
    const uint64_t* userData;
} NewProxies;

static cltStatus CreateProxies( cltBroadphase* broadphase, size_t count, NewProxies given, cltProxyId* proxies )
{
    if ( broadphase == NULL || ( count > 0 && given.floats == NULL && given.doubles == NULL ) )
    {
        return clt_invalidArgument;
    }
    if ( given.filters == NULL )
    {
        given.filters = &defaultFilter;
        given.filterStep = 0;
    }
    cltBroadphase_BeforeChange( broadphase );
    CLT_TRY( cltProxyTable_Reserve( &broadphase->table, count ) );
    for ( size_t i = 0; i < count; ++i )
    {
        cltAabbD wide;
        const void* box = given.doubles != NULL ? (const void*)( given.doubles + i )
                                                : InTablePrecision( broadphase, given.floats + i, &wide );
        cltProxyId proxy = cltProxyTable_Create( &broadphase->table, box, given.filters[i * given.filterStep],
                                                 given.userData != NULL ? given.userData[i] : 0 );
        if ( proxies != NULL )
        {
            proxies[i] = proxy;
        }
    }
    return clt_ok;
}

cltStatus cltBroadphase_CreateProxies( cltBroadphase* broadphase, size_t count, const cltAabb* boxes,
                                       const cltFilter* filters, const uint64_t* userData, cltProxyId* proxies )
{
    return CreateProxies( broadphase, count, ( NewProxies ){ boxes, NULL, filters, 1, userData }, proxies );
}

cltStatus cltBroadphase_CreateProxiesD( cltBroadphase* broadphase, size_t count, const cltAabbD* boxes,
                                        const cltFilter* filters, const uint64_t* userData, cltProxyId* proxies )
{
    CLT_TRY( cltBroadphase_CheckDouble( broadphase ) );
    return CreateProxies( broadphase, count, ( NewProxies ){ NULL, boxes, filters, 1, userData }, proxies );
}

cltStatus cltBroadphase_CreateProxiesAlike( cltBroadphase* broadphase, size_t count, const cltAabb* boxes,
                                            const cltFilter* filter, const uint64_t* userData, cltProxyId* proxies )
{
    return CreateProxies( broadphase, count, ( NewProxies ){ boxes, NULL, filter, 0, userData }, proxies );
}

cltStatus cltBroadphase_CreateProxiesAlikeD( cltBroadphase* broadphase, size_t count, const cltAabbD* boxes,
                                             const cltFilter* filter, const uint64_t* userData, cltProxyId* proxies )
{
    CLT_TRY( cltBroadphase_CheckDouble( broadphase ) );
    return CreateProxies( broadphase, count, ( NewProxies ){ NULL, boxes, filter, 0, userData }, proxies );
}

cltStatus cltBroadphase_CreateProxy( cltBroadphase* broadphase, const cltAabb* box, const cltFilter* filter,
                                     uint64_t userData, cltProxyId* proxy )
{
    return proxy == NULL ? clt_invalidArgument
                         : cltBroadphase_CreateProxies( broadphase, 1, box, filter, &userData, proxy );
}

cltStatus cltBroadphase_CreateProxyD( cltBroadphase* broadphase, const cltAabbD* box, const cltFilter* filter,
                                      uint64_t userData, cltProxyId* proxy )
{
    return proxy == NULL ? clt_invalidArgument
                         : cltBroadphase_CreateProxiesD( broadphase, 1, box, filter, &userData, proxy );
}

cltStatus cltBroadphase_DestroyProxy( cltBroadphase* broadphase, cltProxyId proxy )
{
    return cltBroadphase_DestroyProxies( broadphase, 1, &proxy );
}

cltStatus cltBroadphase_DestroyProxies( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies )
{
    if ( broadphase == NULL || ( count > 0 && proxies == NULL ) )
    {
        return clt_invalidArgument;
    }
    cltBroadphase_BeforeChange( broadphase );
    return cltProxyTable_DestroyAll( &broadphase->table, count, proxies ) ? clt_ok : clt_unknownProxy;
}

// ----------------------------------------------------------------------------------------------------------- values

static cltStatus CheckProxy( const cltBroadphase* broadphase, cltProxyId proxy, const void* argument )
{
    if ( broadphase == NULL || argument == NULL )
    {
        return clt_invalidArgument;
    }
    return cltProxyTable_Has( &broadphase->table, proxy ) ? clt_ok : clt_unknownProxy;
}

cltStatus cltBroadphase_MoveProxy( cltBroadphase* broadphase, cltProxyId proxy, const cltAabb* box )
{
    CLT_TRY( CheckProxy( broadphase, proxy, box ) );
    cltBroadphase_BeforeChange( broadphase );
    cltProxyTable_Move( &broadphase->table, proxy, box );
    return clt_ok;
}

cltStatus cltBroadphase_MoveProxyD( cltBroadphase* broadphase, cltProxyId proxy, const cltAabbD* box )
{
    CLT_TRY( cltBroadphase_CheckDouble( broadphase ) );
    CLT_TRY( CheckProxy( broadphase, proxy, box ) );
    cltBroadphase_BeforeChange( broadphase );
    cltProxyTable_MoveD( &broadphase->table, proxy, box );
    return clt_ok;
}

// ---------------------------------------------------------------------------------------------------------- arrays

/// Checks that all ids have a proxy.
/// \param proxies  NULL: there is nothing to check
/// \param values   the caller's array of values
static cltStatus CheckProxies( const cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                               const void* values )
{
    if ( broadphase == NULL || ( count > 0 && values == NULL ) )
    {
        return clt_invalidArgument;
    }
    for ( size_t i = 0; i < count && proxies != NULL; ++i )
    {
        if ( !cltProxyTable_Has( &broadphase->table, proxies[i] ) )
        {
            return clt_unknownProxy;
        }
    }
    return clt_ok;
}

/// An index into the caller's array, and its proxy.
typedef struct Entry
{
    size_t index;
    cltProxyId proxy;
} Entry;

/// Finds the first entry from `entry->index` on that has a proxy. Without ids, the index is the id.
static inline bool FindEntry( const cltBroadphase* broadphase, size_t count, const cltProxyId* proxies, Entry* entry )
{
    const cltProxyTable* table = &broadphase->table;
    const size_t end = proxies != NULL || count < table->slotCount ? count : table->slotCount;
    for ( ; entry->index < end; ++entry->index )
    {
        entry->proxy = proxies != NULL ? proxies[entry->index] : (cltProxyId)entry->index;
        if ( proxies != NULL || cltProxyTable_Has( table, entry->proxy ) )
        {
            return true;
        }
    }
    return false;
}

static cltStatus MoveListed( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies, const cltAabb* boxes )
{
    if ( broadphase == NULL || ( count > 0 && boxes == NULL ) )
    {
        return clt_invalidArgument;
    }
    cltWorkerPool* pool = broadphase->backend->pool;
    const cltProxyCheck check = cltProxyTable_Check( &broadphase->table, count, proxies, pool );
    if ( !check.allExist )
    {
        return clt_unknownProxy;
    }
    cltBroadphase_BeforeChange( broadphase );
    cltProxyTable_MoveAll( &broadphase->table, count, proxies, boxes, check, pool );
    return clt_ok;
}

cltStatus cltBroadphase_MoveProxies( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                     const cltAabb* boxes )
{
    if ( proxies != NULL )
    {
        return MoveListed( broadphase, count, proxies, boxes );
    }
    CLT_TRY( CheckProxies( broadphase, count, proxies, boxes ) );
    cltBroadphase_BeforeChange( broadphase );
    for ( Entry entry = { 0 }; FindEntry( broadphase, count, proxies, &entry ); ++entry.index )
    {
        cltProxyTable_Move( &broadphase->table, entry.proxy, boxes + entry.index );
    }
    return clt_ok;
}

cltStatus cltBroadphase_MoveProxiesD( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                      const cltAabbD* boxes )
{
    CLT_TRY( cltBroadphase_CheckDouble( broadphase ) );
    CLT_TRY( CheckProxies( broadphase, count, proxies, boxes ) );
    cltBroadphase_BeforeChange( broadphase );
    for ( Entry entry = { 0 }; FindEntry( broadphase, count, proxies, &entry ); ++entry.index )
    {
        cltProxyTable_MoveD( &broadphase->table, entry.proxy, boxes + entry.index );
    }
    return clt_ok;
}

cltStatus cltBroadphase_SetFilter( cltBroadphase* broadphase, cltProxyId proxy, const cltFilter* filter )
{
    return cltBroadphase_SetFilters( broadphase, 1, &proxy, filter );
}

cltStatus cltBroadphase_SetFilters( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                    const cltFilter* filters )
{
    CLT_TRY( CheckProxies( broadphase, count, proxies, filters ) );
    cltBroadphase_BeforeChange( broadphase );
    for ( Entry entry = { 0 }; FindEntry( broadphase, count, proxies, &entry ); ++entry.index )
    {
        cltProxyTable_SetFilter( &broadphase->table, entry.proxy, filters[entry.index] );
    }
    return clt_ok;
}

cltStatus cltBroadphase_GetBoxD( const cltBroadphase* broadphase, cltProxyId proxy, cltAabbD* box )
{
    CLT_TRY( CheckProxy( broadphase, proxy, box ) );
    *box = cltProxyTable_BoxD( &broadphase->table, proxy );
    return clt_ok;
}

cltStatus cltBroadphase_GetBox( const cltBroadphase* broadphase, cltProxyId proxy, cltAabb* box )
{
    CLT_TRY( CheckProxy( broadphase, proxy, box ) );
    if ( broadphase->def.precision == clt_precisionDouble )
    {
        return clt_wrongPrecision;
    }
    *box = ( (const cltAabb*)broadphase->table.boxes.data )[proxy];
    return clt_ok;
}

cltStatus cltBroadphase_GetFilter( const cltBroadphase* broadphase, cltProxyId proxy, cltFilter* filter )
{
    CLT_TRY( CheckProxy( broadphase, proxy, filter ) );
    *filter = ( (const cltFilter*)broadphase->table.filters.data )[proxy];
    return clt_ok;
}

cltStatus cltBroadphase_GetUserData( const cltBroadphase* broadphase, cltProxyId proxy, uint64_t* userData )
{
    return cltBroadphase_GetUserDataOf( broadphase, 1, &proxy, userData );
}

cltStatus cltBroadphase_GetUserDataOf( const cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                       uint64_t* userData )
{
    CLT_TRY( CheckProxies( broadphase, count, proxies, userData ) );
    const uint64_t* known = broadphase->table.userData.data;
    for ( Entry entry = { 0 }; FindEntry( broadphase, count, proxies, &entry ); ++entry.index )
    {
        userData[entry.index] = known[entry.proxy];
    }
    return clt_ok;
}
