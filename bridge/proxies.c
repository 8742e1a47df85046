// SPDX-License-Identifier: Zlib
// The public calls on proxies: check what was given, then let the table do it. Arrays are checked whole before anything
// is changed.

#include "bridge/broadphase.h"

#include "gpu/core/aabb.h"

static const cltFilter defaultFilter = { 1, -1 };

/// A float box in the table's precision, which `wide` makes room for.
static const void* InTablePrecision( const cltBroadphase* broadphase, const cltAabb* box, cltAabbD* wide )
{
    if ( broadphase->def.precision == clt_precisionFloat )
    {
        return box;
    }
    *wide = cltAabb_ToDouble( box );
    return wide;
}

static cltStatus CheckDouble( const cltBroadphase* broadphase )
{
    return broadphase == NULL || broadphase->def.precision == clt_precisionDouble ? clt_ok : clt_wrongPrecision;
}

/// `floats` or `doubles` is NULL, whichever was not given.
static cltStatus CreateProxies( cltBroadphase* broadphase, size_t count, const cltAabb* floats, const cltAabbD* doubles,
                                const cltFilter* filters, const uint64_t* userData, cltProxyId* proxies )
{
    if ( broadphase == NULL || ( count > 0 && floats == NULL && doubles == NULL ) )
    {
        return clt_invalidArgument;
    }
    cltBroadphase_BeforeChange( broadphase );
    CLT_TRY( cltProxyTable_MakeRoom( &broadphase->table, count ) );
    for ( size_t i = 0; i < count; ++i )
    {
        cltAabbD wide;
        const void* box =
            doubles != NULL ? (const void*)( doubles + i ) : InTablePrecision( broadphase, floats + i, &wide );
        cltProxyId proxy = cltProxyTable_Create( &broadphase->table, box, filters != NULL ? filters[i] : defaultFilter,
                                                 userData != NULL ? userData[i] : 0 );
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
    return CreateProxies( broadphase, count, boxes, NULL, filters, userData, proxies );
}

cltStatus cltBroadphase_CreateProxiesD( cltBroadphase* broadphase, size_t count, const cltAabbD* boxes,
                                        const cltFilter* filters, const uint64_t* userData, cltProxyId* proxies )
{
    CLT_TRY( CheckDouble( broadphase ) );
    return CreateProxies( broadphase, count, NULL, boxes, filters, userData, proxies );
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
    CLT_TRY( CheckProxy( broadphase, proxy, box ) );
    CLT_TRY( CheckDouble( broadphase ) );
    cltBroadphase_BeforeChange( broadphase );
    cltProxyTable_MoveD( &broadphase->table, proxy, box );
    return clt_ok;
}

/// `floats` or `doubles` is NULL, whichever was not given.
static cltStatus MoveProxies( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies, const cltAabb* floats,
                              const cltAabbD* doubles )
{
    if ( broadphase == NULL || ( count > 0 && ( proxies == NULL || ( floats == NULL && doubles == NULL ) ) ) )
    {
        return clt_invalidArgument;
    }
    for ( size_t i = 0; i < count; ++i )
    {
        if ( !cltProxyTable_Has( &broadphase->table, proxies[i] ) )
        {
            return clt_unknownProxy;
        }
    }
    cltBroadphase_BeforeChange( broadphase );
    for ( size_t i = 0; i < count && floats != NULL; ++i )
    {
        cltProxyTable_Move( &broadphase->table, proxies[i], floats + i );
    }
    for ( size_t i = 0; i < count && doubles != NULL; ++i )
    {
        cltProxyTable_MoveD( &broadphase->table, proxies[i], doubles + i );
    }
    return clt_ok;
}

cltStatus cltBroadphase_MoveProxies( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                     const cltAabb* boxes )
{
    return MoveProxies( broadphase, count, proxies, boxes, NULL );
}

cltStatus cltBroadphase_MoveProxiesD( cltBroadphase* broadphase, size_t count, const cltProxyId* proxies,
                                      const cltAabbD* boxes )
{
    CLT_TRY( CheckDouble( broadphase ) );
    return MoveProxies( broadphase, count, proxies, NULL, boxes );
}

cltStatus cltBroadphase_SetFilter( cltBroadphase* broadphase, cltProxyId proxy, const cltFilter* filter )
{
    CLT_TRY( CheckProxy( broadphase, proxy, filter ) );
    cltBroadphase_BeforeChange( broadphase );
    cltProxyTable_SetFilter( &broadphase->table, proxy, *filter );
    return clt_ok;
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
    CLT_TRY( CheckProxy( broadphase, proxy, userData ) );
    *userData = ( (const uint64_t*)broadphase->table.userData.data )[proxy];
    return clt_ok;
}
