// SPDX-License-Identifier: Zlib
/// \file CulletBroadphase.cpp
/// Implements Bullet's interface with the classes of this folder.
///
/// Queries: the core finds the hits, by Bullet's formulas in Bullet's precision. This file passes them to Bullet's
/// callbacks, and tests the few proxies that the core had no memory for. Between steps, a body may have moved out of
/// its box, which dates from the last updateAabbs. btDbvtBroadphase hides this by its margin, and applications rely on
/// that. So queries, unlike pairs, use boxes grown by gDbvtMargin.

#include "CulletBroadphase.h"

#include "CulletPairUpdate.h"
#include "pair_cache/CulletArrays.h"
#include "pair_cache/CulletGivenCache.h"
#include "pair_cache/CulletPairCache.h"

#include "LinearMath/btAabbUtil2.h"

const char CULLET_GUARD = 0;

/// Bullet's library defines it in every version; its headers declare it since 2.88.
extern btScalar gDbvtMargin;

/// Predicts which proxies move next, and prefetches them. Mostly the proxies of the previous step move again, in the
/// same order. In a large world proxies lie far apart in memory: each setAabb would wait for a cache miss.
class CulletMoveOrder
{
public:
    /// Records a move of `proxy`, and prefetches the proxy that is expected AHEAD moves later.
    void note( CulletProxy* proxy )
    {
        if ( m_count + AHEAD < m_lastCount )
        {
            cltPrefetch( m_moved[m_count + AHEAD] ); // prefetching a destroyed proxy is harmless
        }
        if ( m_count < m_moved.size() )
        {
            m_moved[m_count++] = proxy;
        }
        else if ( m_count < MOST_REMEMBERED )
        {
            m_moved.push_back( proxy );
            ++m_count;
        }
    }

    void endStep()
    {
        m_lastCount = m_count;
        m_count = 0;
    }

private:
    /// During a cache miss, about this many calls of setAabb can run.
    static const int AHEAD = 16;

    /// Largest size of m_moved: 1 MiB. If more proxies move, most are adjacent in memory, and the processor prefetches
    /// them without help.
    static const int MOST_REMEMBERED = 1 << 17;

    btAlignedObjectArray<CulletProxy*> m_moved; ///< the first m_count moved in this step, the rest in the previous one
    int m_count = 0;
    int m_lastCount = 0;
};

struct CulletBroadphase::Parts
{
    Parts( const cltBroadphaseDef& def, btOverlappingPairCache* givenCache )
        : m_core( def ), m_store( createStore( givenCache ) ), m_filter( m_core, *m_store ),
          m_search( m_core, *m_store, m_filter ), m_update( m_core, *m_store, m_filter, m_search )
    {
        m_store->setSource( &m_search );
    }

    static CulletPairStore* createStore( btOverlappingPairCache* givenCache )
    {
        if ( givenCache )
        {
            return new CulletGivenCache( *givenCache );
        }
        return new CulletPairCache;
    }

    CulletCore m_core;
    std::unique_ptr<CulletPairStore> m_store; ///< a CulletGivenCache or a CulletPairCache
    CulletPairFilter m_filter;
    CulletPairSearch m_search; ///< makes its pending searches when the cache is read
    CulletPairUpdate m_update;
    CulletMoveOrder m_moveOrder;
};

CulletBroadphase::CulletBroadphase( btOverlappingPairCache* pairCache )
    : CulletBroadphase( cltDefaultBroadphaseDef(), pairCache )
{
}

CulletBroadphase::CulletBroadphase( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache )
    : m_deferedcollide( false ), m_parts( new Parts( def, pairCache ) ), m_velocityPrediction( 0 )
{
}

CulletBroadphase::~CulletBroadphase() = default;

cltBroadphase* CulletBroadphase::getCore() const
{
    return m_parts->m_core.get();
}

btBroadphaseProxy* CulletBroadphase::getProxy( cltProxyId id ) const
{
    return m_parts->m_core.getProxies().get( id );
}

cltStatus CulletBroadphase::getCreationStatus() const
{
    return m_parts->m_core.getCreationStatus();
}

cltStatus CulletBroadphase::getStatus() const
{
    return m_parts->m_core.getStatus();
}

float CulletBroadphase::getCacheMs() const
{
    return m_parts->m_update.getCacheMs();
}

void CulletBroadphase::performDeferredRemoval( btDispatcher* dispatcher )
{
    m_parts->m_update.performDeferredRemoval( dispatcher );
}

void CulletBroadphase::resetPool( btDispatcher* )
{
    Parts& parts = *m_parts;
    if ( !parts.m_search.isChanging() &&
         parts.m_core.reset() ) // during a change, a reset would lose pairs of the running update
    {
        parts.m_filter.clear();
        parts.m_search.clear();
        parts.m_update.clear();
    }
}

btOverlappingPairCache* CulletBroadphase::getOverlappingPairCache()
{
    m_parts->m_search.searchPending();
    return m_parts->m_store->getCache();
}

const btOverlappingPairCache* CulletBroadphase::getOverlappingPairCache() const
{
    m_parts->m_search.searchPending();
    return m_parts->m_store->getCache();
}

btBroadphaseProxy* CulletBroadphase::createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int,
                                                  void* userPtr, int collisionFilterGroup, int collisionFilterMask,
                                                  btDispatcher* )
{
    CulletProxy* proxy = m_parts->m_core.create( aabbMin, aabbMax, userPtr, collisionFilterGroup, collisionFilterMask );
    m_parts->m_filter.noteCreation();
    if ( !m_deferedcollide )
    {
        m_parts->m_search.searchCreated( proxy );
    }
    return proxy;
}

void CulletBroadphase::destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    Parts& parts = *m_parts;
    CulletProxy* own = static_cast<CulletProxy*>( proxy );
    parts.m_search.searchPending(); // while all proxies are alive, and before a dispatcher sees a changing cache
    parts.m_search.change(
        [&]
        {
            parts.m_filter.getRejected().forget( own );
            parts.m_store->removePairsOf( own, dispatcher );
            parts.m_search.forget( own );
            parts.m_core.destroy( own );
        } );
}

/// Bullet calls this for every body in every step, usually with an unchanged box.
void CulletBroadphase::setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                                btDispatcher* )
{
    Parts& parts = *m_parts;
    CulletProxy* own = static_cast<CulletProxy*>( proxy );
    parts.m_filter.beforeSetting( own );
    if ( culletAreSame( own->m_aabbMin, aabbMin ) && culletAreSame( own->m_aabbMax, aabbMax ) )
    {
        return;
    }
    own->m_aabbMin = aabbMin;
    own->m_aabbMax = aabbMax;
    parts.m_moveOrder.note( own );
    if ( own->m_slot != CLT_NULL_PROXY ) // else the core gets the latest box when it has memory for the proxy
    {
        parts.m_core.move( own );
        parts.m_search.afterMoving( own, !m_deferedcollide );
    }
}

void CulletBroadphase::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    Parts& parts = *m_parts;
    if ( !parts.m_search.isChanging() )
    {
        parts.m_update.update( dispatcher );
        parts.m_moveOrder.endStep();
    }
}

// ------------------------------------------------------------------------------------------------------------ queries

namespace
{
/// Receives the hits of a query. The result of process() is ignored, as in Bullet.
template <typename Callback>
struct HitReceiver
{
    Callback& m_callback;
    const CulletProxyPool& m_proxies;
};

bool reportBox( cltProxyId slot, uint64_t, void* context )
{
    const HitReceiver<btBroadphaseAabbCallback>* receiver =
        static_cast<HitReceiver<btBroadphaseAabbCallback>*>( context );
    receiver->m_callback.process( receiver->m_proxies.get( slot ) );
    return true;
}

double reportRay( size_t, cltProxyId slot, uint64_t, double, double length, void* context )
{
    const HitReceiver<btBroadphaseRayCallback>* receiver =
        static_cast<HitReceiver<btBroadphaseRayCallback>*>( context );
    receiver->m_callback.process( receiver->m_proxies.get( slot ) );
    return length; // unchanged even if the callback shortened its own ray, because all proxies must be reported
}

/// Tests the pending proxies, for which the core had no memory, except those with a NaN.
template <typename Meets, typename Callback>
void queryPending( const CulletProxyPool& proxies, Meets meets, Callback& callback )
{
    const btAlignedObjectArray<CulletProxy*>& apart = proxies.getApart();
    for ( int i = 0; i < apart.size(); ++i )
    {
        const CulletProxy& proxy = *apart[i];
        if ( proxy.m_slot == CLT_NULL_PROXY && !culletHasNan( proxy.m_aabbMin, proxy.m_aabbMax ) && meets( proxy ) )
        {
            callback.process( &proxy );
        }
    }
}

/// The box grown by Bullet's margin. Reads m_floats, as in CulletBox.h: in an unoptimised build, the operators of
/// btVector3 would take more time than a query of a small box.
CulletBox grownBox( const btVector3& aabbMin, const btVector3& aabbMax )
{
    const btScalar margin = gDbvtMargin;
    const btScalar* lower = aabbMin.m_floats;
    const btScalar* upper = aabbMax.m_floats;
    return { { lower[0] - margin, lower[1] - margin, lower[2] - margin },
             { upper[0] + margin, upper[1] + margin, upper[2] + margin } };
}

btVector3 cornerOf( const btScalar ( &corner )[3] )
{
    return btVector3( corner[0], corner[1], corner[2] );
}

/// \param swept  the box that moves along the ray, relative to the ray's point
cltRay rayOf( const btVector3& from, const btBroadphaseRayCallback& callback, const CulletBox& swept )
{
    cltRay ray;
    for ( int axis = 0; axis < 3; ++axis )
    {
        ray.from[axis] = from.m_floats[axis];
        ray.inverse[axis] = callback.m_rayDirectionInverse.m_floats[axis];
        ray.swept.lower[axis] = swept.lower[axis];
        ray.swept.upper[axis] = swept.upper[axis];
    }
    ray.length = callback.m_lambda_max;
    return ray;
}
} // namespace

void CulletBroadphase::rayTest( const btVector3& rayFrom, const btVector3&, btBroadphaseRayCallback& rayCallback,
                                const btVector3& aabbMin, const btVector3& aabbMax )
{
    const CulletBox swept = grownBox( aabbMin, aabbMax );
    const cltRay ray = rayOf( rayFrom, rayCallback, swept );
    if ( m_parts->m_core.get() )
    {
        HitReceiver<btBroadphaseRayCallback> receiver = { rayCallback, m_parts->m_core.getProxies() };
        culletExpectOk( cltBroadphase_CastRays( m_parts->m_core.get(), 1, &ray, reportRay, &receiver ) );
    }
    if ( !m_parts->m_core.hasPending() )
    {
        return;
    }
    const btScalar length = btScalar( ray.length );
    const auto meets = [&]( const CulletProxy& proxy )
    {
        const btVector3 bounds[2] = { proxy.m_aabbMin - cornerOf( swept.upper ),
                                      proxy.m_aabbMax - cornerOf( swept.lower ) };
        btScalar enter;
        return btRayAabb2( rayFrom, rayCallback.m_rayDirectionInverse, rayCallback.m_signs, bounds, enter, 0, length );
    };
    queryPending( m_parts->m_core.getProxies(), meets, rayCallback );
}

void CulletBroadphase::aabbTest( const btVector3& aabbMin, const btVector3& aabbMax,
                                 btBroadphaseAabbCallback& callback )
{
    const CulletBox box = grownBox( aabbMin, aabbMax );
    if ( m_parts->m_core.get() )
    {
        HitReceiver<btBroadphaseAabbCallback> receiver = { callback, m_parts->m_core.getProxies() };
        culletExpectOk( culletQueryBox( m_parts->m_core.get(), &box, reportBox, &receiver ) );
    }
    if ( !m_parts->m_core.hasPending() )
    {
        return;
    }
    const btVector3 lower = cornerOf( box.lower );
    const btVector3 upper = cornerOf( box.upper );
    if ( culletHasNan( lower, upper ) ) // a query with a NaN hits nothing, as in the core
    {
        return;
    }
    const auto meets = [&]( const CulletProxy& proxy )
    { return TestAabbAgainstAabb2( lower, upper, proxy.m_aabbMin, proxy.m_aabbMax ); };
    queryPending( m_parts->m_core.getProxies(), meets, callback );
}

void CulletBroadphase::getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const
{
    bool isEmpty = true;
    aabbMin.setValue( 0, 0, 0 );
    aabbMax.setValue( 0, 0, 0 );
    m_parts->m_core.getProxies().forEach(
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
