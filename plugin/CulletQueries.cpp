// SPDX-License-Identifier: Zlib
/// \file CulletQueries.cpp
/// The queries of CulletBroadphase. The core walks its trees with the tests given here, which are Bullet's own formulas
/// in Bullet's own precision: what they say of a box is never less than what they say of a smaller one inside it, so
/// that no rounding can hide a proxy. The proxy's box, as it was given last, decides in the end.
///
/// Between steps bodies stick out of their boxes, which are those of the last updateAabbs. btDbvtBroadphase hides that
/// with its margin, and applications came to rely on it; so queries, unlike pairs, use boxes grown by gDbvtMargin.

#include "CulletBroadphase.h"

#include "CulletBox.h"

#include <algorithm>

/// Bullet's library defines it in every version; its headers declare it since 2.88.
extern btScalar gDbvtMargin;

namespace
{
const int LANES = int( CLT_LANE_COUNT );

struct RayQuery
{
    btBroadphaseRayCallback* m_callback;
    const CulletProxyPool* m_proxies;
    btScalar m_from[3];
    btScalar m_inverse[3];
    bool m_backwards[3];
    btScalar m_length;
    btScalar m_growLower[3]; ///< what is taken off lower bounds: the margin, and the upper end of the swept box
    btScalar m_growUpper[3]; ///< what is added to upper bounds
};

/// btRayAabb2 on boxes, grown: the ray is inside all three slabs at once, before its end and after its start.
/// Comparisons are written so that those with a NaN say what they say in Bullet, loops so that compilers turn them into
/// vector instructions.
/// \return a bit for each box that is met
template <int COUNT, typename Scalar>
inline uint32_t lanesMet( const RayQuery& ray, const Scalar ( *lower )[COUNT], const Scalar ( *upper )[COUNT] )
{
    btScalar first[COUNT];
    btScalar last[COUNT];
    int meets[COUNT];
    for ( int axis = 0; axis < 3; ++axis )
    {
        const bool backwards = ray.m_backwards[axis];
        const Scalar* nearer = backwards ? upper[axis] : lower[axis];
        const Scalar* farther = backwards ? lower[axis] : upper[axis];
        const btScalar growNearer = backwards ? ray.m_growUpper[axis] : -ray.m_growLower[axis];
        const btScalar growFarther = backwards ? -ray.m_growLower[axis] : ray.m_growUpper[axis];
        const btScalar from = ray.m_from[axis];
        const btScalar inverse = ray.m_inverse[axis];
        for ( int lane = 0; lane < COUNT; ++lane )
        {
            const btScalar enter = ( nearer[lane] + growNearer - from ) * inverse;
            const btScalar leave = ( farther[lane] + growFarther - from ) * inverse;
            if ( axis == 0 )
            {
                first[lane] = enter;
                last[lane] = leave;
                meets[lane] = 1;
                continue;
            }
            meets[lane] &= int( !( first[lane] > leave ) ) & int( !( enter > last[lane] ) );
            first[lane] = enter > first[lane] ? enter : first[lane];
            last[lane] = leave < last[lane] ? leave : last[lane];
        }
    }
    uint32_t hits = 0;
    for ( int lane = 0; lane < COUNT; ++lane )
    {
        meets[lane] &= int( first[lane] < ray.m_length ) & int( last[lane] > btScalar( 0 ) );
        hits |= uint32_t( meets[lane] ) << lane;
    }
    return hits;
}

struct BoxQuery
{
    btBroadphaseAabbCallback* m_callback;
    const CulletProxyPool* m_proxies;
    btVector3 m_lower;
    btVector3 m_upper;
    btScalar m_margin;
};

template <int COUNT, typename Scalar>
inline uint32_t lanesMet( const BoxQuery& query, const Scalar ( *lower )[COUNT], const Scalar ( *upper )[COUNT] )
{
    int meets[COUNT];
    std::fill( meets, meets + COUNT, 1 );
    for ( int axis = 0; axis < 3; ++axis )
    {
        for ( int lane = 0; lane < COUNT; ++lane )
        {
            meets[lane] &= int( lower[axis][lane] - query.m_margin <= query.m_upper[axis] ) &
                           int( query.m_lower[axis] <= upper[axis][lane] + query.m_margin );
        }
    }
    uint32_t hits = 0;
    for ( int lane = 0; lane < COUNT; ++lane )
    {
        hits |= uint32_t( meets[lane] ) << lane;
    }
    return hits;
}

template <typename Query>
uint32_t touches( const cltBoxLanes* boxes, void* context )
{
    return lanesMet<LANES>( *static_cast<const Query*>( context ), boxes->lower, boxes->upper );
}

template <typename Query>
void askProxy( const Query& query, const btBroadphaseProxy& proxy )
{
    const btScalar lower[3][1] = { { proxy.m_aabbMin.x() }, { proxy.m_aabbMin.y() }, { proxy.m_aabbMin.z() } };
    const btScalar upper[3][1] = { { proxy.m_aabbMax.x() }, { proxy.m_aabbMax.y() }, { proxy.m_aabbMax.z() } };
    if ( !culletHasNan( proxy.m_aabbMin, proxy.m_aabbMax ) && lanesMet<1>( query, lower, upper ) != 0 )
    {
        query.m_callback->process( &proxy );
    }
}

template <typename Query>
bool visit( cltProxyId proxy, uint64_t, void* context )
{
    const Query& query = *static_cast<const Query*>( context );
    askProxy( query, *query.m_proxies->get( proxy ) );
    return true; // whatever process() says: Bullet does not listen either
}

/// Asks the core; and the proxies that it had no memory for.
template <typename Query>
void askAll( const CulletCore& core, Query& query )
{
    if ( core.get() )
    {
        const cltStatus status = cltBroadphase_QueryVolume( core.get(), touches<Query>, visit<Query>, &query );
        btAssert( status == clt_ok );
        (void)status;
    }
    const btAlignedObjectArray<CulletProxy*>& apart = core.getProxies().getApart();
    for ( int i = 0; i < apart.size(); ++i )
    {
        if ( apart[i]->m_slot == CLT_NULL_PROXY )
        {
            askProxy( query, *apart[i] );
        }
    }
}
} // namespace

void CulletBroadphase::rayTest( const btVector3& rayFrom, const btVector3&, btBroadphaseRayCallback& rayCallback,
                                const btVector3& aabbMin, const btVector3& aabbMax )
{
    // Copied before the first process(): a callback that shortens its own ray must lose nothing.
    RayQuery ray;
    ray.m_callback = &rayCallback;
    ray.m_proxies = &m_core.getProxies();
    ray.m_length = rayCallback.m_lambda_max;
    for ( int axis = 0; axis < 3; ++axis )
    {
        ray.m_from[axis] = rayFrom[axis];
        ray.m_inverse[axis] = rayCallback.m_rayDirectionInverse[axis];
        ray.m_backwards[axis] = rayCallback.m_signs[axis] != 0;
        // Moving a box along a ray meets what the ray meets of everything else grown by that box, mirrored.
        ray.m_growLower[axis] = aabbMax[axis] + gDbvtMargin;
        ray.m_growUpper[axis] = gDbvtMargin - aabbMin[axis];
    }
    askAll( m_core, ray );
}

void CulletBroadphase::aabbTest( const btVector3& aabbMin, const btVector3& aabbMax,
                                 btBroadphaseAabbCallback& callback )
{
    BoxQuery query = { &callback, &m_core.getProxies(), aabbMin, aabbMax, gDbvtMargin };
    if ( !culletHasNan( aabbMin, aabbMax ) )
    {
        askAll( m_core, query );
    }
}

void CulletBroadphase::getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const
{
    bool isEmpty = true;
    aabbMin.setValue( 0, 0, 0 );
    aabbMax.setValue( 0, 0, 0 );
    m_core.getProxies().forEach(
        [&]( const CulletProxy& proxy )
        {
            if ( !culletHasNan( proxy.m_aabbMin, proxy.m_aabbMax ) )
            {
                aabbMin = isEmpty ? proxy.m_aabbMin : aabbMin;
                aabbMax = isEmpty ? proxy.m_aabbMax : aabbMax;
                aabbMin.setMin( proxy.m_aabbMin );
                aabbMax.setMax( proxy.m_aabbMax );
                isEmpty = false;
            }
        } );
}
