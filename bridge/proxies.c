// SPDX-License-Identifier: Zlib
// Creates and destroys proxies. Arguments are checked before the table is changed.

#include "bridge/broadphase.h"

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

/// The arguments of a call by proxy. Either `floats` or `doubles` is NULL.
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
