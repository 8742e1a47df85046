// SPDX-License-Identifier: Zlib
// Loops that would be slow in Python. All other functions of the C API are called through ctypes (cullet/library.py).
// Queries write up to `capacity` hits, in no particular order, and count all of them: if there are more, the caller
// repeats the query with larger arrays.

#include "cullet_mesh.h"
#include "cullet_queries.h"
#include "cullet_research.h"

#include <math.h>
#include <stdlib.h>

#if defined( __GNUC__ )
#pragma GCC diagnostic ignored "-Wmissing-prototypes" // only Python calls these functions
#endif

/// Sizes of the structs that Python reads and writes, in the order of library.py, to detect a mismatch.
CLT_API const size_t cltPython_sizes[] = { sizeof( cltBroadphaseDef ), sizeof( cltStats ),
                                           sizeof( cltResearchStats ), sizeof( cltMeshDef ),
                                           sizeof( cltMeshStats ),     sizeof( cltDeviceReport ) };

/// \param[out] boxes  `count` boxes
CLT_API cltStatus cltPython_GetBoxes( const cltBroadphase* broadphase, size_t count, const cltProxyId* ids,
                                      cltAabbD* boxes )
{
    cltStatus status = clt_ok;
    for ( size_t i = 0; i < count && status == clt_ok; ++i )
    {
        status = cltBroadphase_GetBoxD( broadphase, ids[i], boxes + i );
    }
    return status;
}

typedef struct BoxHits
{
    uint64_t* hits;
    size_t capacity;
    size_t count;
    uint64_t box;
} BoxHits;

static bool AddOverlap( cltProxyId proxy, uint64_t userData, void* context )
{
    (void)userData;
    BoxHits* found = context;
    if ( found->count < found->capacity )
    {
        found->hits[found->count] = found->box << 32 | proxy;
    }
    ++found->count;
    return true;
}

/// \param[out] hits  the index of the box in the upper half, the id in the lower
CLT_API cltStatus cltPython_QueryBoxes( const cltBroadphase* broadphase, size_t count, const cltAabbD* boxes,
                                        size_t capacity, size_t* hitCount, uint64_t* hits )
{
    BoxHits found = { .hits = hits, .capacity = capacity };
    cltStatus status = clt_ok;
    for ( ; found.box < count && status == clt_ok; ++found.box )
    {
        status = cltBroadphase_QueryBoxD( broadphase, boxes + found.box, AddOverlap, &found );
    }
    *hitCount = found.count;
    return status;
}

typedef struct SegmentHits
{
    cltProxyId* ids;
    double* fractions;
    size_t capacity;
    size_t count;
} SegmentHits;

static double AddHit( cltProxyId proxy, uint64_t userData, double fraction, double maxFraction, void* context )
{
    (void)userData;
    SegmentHits* found = context;
    if ( found->count < found->capacity )
    {
        found->ids[found->count] = proxy;
        found->fractions[found->count] = fraction;
    }
    ++found->count;
    return maxFraction;
}

/// All proxies that the segment meets.
CLT_API cltStatus cltPython_CastRay( const cltBroadphase* broadphase, const double from[3], const double to[3],
                                     size_t capacity, size_t* hitCount, cltProxyId* ids, double* fractions )
{
    SegmentHits found = { ids, fractions, capacity, 0 };
    const cltStatus status = cltBroadphase_CastRay( broadphase, from, to, AddHit, &found );
    *hitCount = found.count;
    return status;
}

typedef struct FirstHits
{
    int64_t* ids;
    double* fractions;
} FirstHits;

/// Returns a length slightly beyond the hit, so that the ray also hits other boxes at the same distance. The order of
/// hits depends on the algorithm; the result must not.
static double KeepFirst( size_t ray, cltProxyId proxy, uint64_t userData, double enter, double length, void* context )
{
    (void)userData;
    const FirstHits* hits = context;
    if ( enter < hits->fractions[ray] || ( enter == hits->fractions[ray] && (int64_t)proxy < hits->ids[ray] ) )
    {
        hits->fractions[ray] = enter;
        hits->ids[ray] = proxy;
    }
    return fmin( nextafter( hits->fractions[ray], INFINITY ), length );
}

/// The first proxy that each ray hits; of several at the same distance, the one with the smallest id.
/// \param from, to        `count` points each, x y z
/// \param[out] ids        `count` ids; -1 without a hit
/// \param[out] fractions  `count` fractions; infinite without a hit
CLT_API cltStatus cltPython_CastRays( const cltBroadphase* broadphase, size_t count, const double* from,
                                      const double* to, int64_t* ids, double* fractions )
{
    FirstHits hits = { ids, fractions };
    cltRay* rays = malloc( count * sizeof *rays + 1 ); // malloc( 0 ) may return NULL
    if ( rays == NULL )
    {
        return clt_hostMemory;
    }
    for ( size_t i = 0; i < count; ++i )
    {
        rays[i] = cltRayBetween( from + 3 * i, to + 3 * i );
        ids[i] = -1;
        fractions[i] = INFINITY;
    }
    const cltStatus status = cltBroadphase_CastRays( broadphase, count, rays, KeepFirst, &hits );
    free( rays );
    return status;
}
