// SPDX-License-Identifier: Zlib
#include "faulty_broadphase.h"

#include "LinearMath/btAabbUtil2.h"

#include <algorithm>

namespace test
{

namespace
{

class LetAllIn : public btOverlapFilterCallback
{
public:
    bool needBroadphaseCollision( btBroadphaseProxy*, btBroadphaseProxy* ) const override
    {
        return true;
    }
};

/// Hands on what it is told, except the first if it is to be lost; or that one twice.
template <typename Callback>
class Distorting : public Callback
{
public:
    Distorting( btBroadphaseAabbCallback& to, bool losesFirst, bool repeatsFirst )
        : m_to( to ), m_losesFirst( losesFirst ), m_repeatsFirst( repeatsFirst )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        const bool isFirst = m_isFirst;
        m_isFirst = false;
        if ( isFirst && m_losesFirst )
        {
            return true;
        }
        if ( isFirst && m_repeatsFirst )
        {
            m_to.process( proxy );
        }
        return m_to.process( proxy );
    }

private:
    btBroadphaseAabbCallback& m_to;
    bool m_losesFirst;
    bool m_repeatsFirst;
    bool m_isFirst = true;
};

bool overlap( const btBroadphaseProxy& a, const btBroadphaseProxy& b )
{
    return TestAabbAgainstAabb2( a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax );
}

} // namespace

FaultyBroadphase::FaultyBroadphase( std::unique_ptr<btBroadphaseInterface> right, Flaw flaw, int goodUpdates )
    : m_right( std::move( right ) ), m_flaw( flaw ), m_goodUpdates( goodUpdates )
{
}

btBroadphaseProxy* FaultyBroadphase::createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType,
                                                  void* userPtr, int collisionFilterGroup, int collisionFilterMask,
                                                  btDispatcher* dispatcher )
{
    m_proxies.push_back( m_right->createProxy( aabbMin, aabbMax, shapeType, userPtr, collisionFilterGroup,
                                               collisionFilterMask, dispatcher ) );
    if ( has( Flaw::lateNewPair ) )
    {
        removeFirstOf( *m_proxies.back(), dispatcher );
    }
    return m_proxies.back();
}

void FaultyBroadphase::destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    m_proxies.erase( std::find( m_proxies.begin(), m_proxies.end(), proxy ) );
    m_right->destroyProxy( proxy, dispatcher );
}

void FaultyBroadphase::setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                                btDispatcher* dispatcher )
{
    const bool isMove = aabbMin != proxy->m_aabbMin || aabbMax != proxy->m_aabbMax;
    m_right->setAabb( proxy, aabbMin, aabbMax, dispatcher );
    if ( has( Flaw::lateMovedPair ) && isMove && m_isFirstMove )
    {
        removeFirstOf( *proxy, dispatcher );
    }
    m_isFirstMove = m_isFirstMove && !isMove;
}

void FaultyBroadphase::getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const
{
    m_right->getAabb( proxy, aabbMin, aabbMax );
    if ( has( Flaw::unequalAabb ) )
    {
        aabbMax += btVector3( 0, 0, 1 );
    }
}

void FaultyBroadphase::rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& rayCallback,
                                const btVector3& aabbMin, const btVector3& aabbMax )
{
    Distorting<btBroadphaseRayCallback> distorting( rayCallback, has( Flaw::missedRay ), false );
    distorting.m_rayDirectionInverse = rayCallback.m_rayDirectionInverse;
    distorting.m_lambda_max = rayCallback.m_lambda_max;
    std::copy( rayCallback.m_signs, rayCallback.m_signs + 3, distorting.m_signs );
    m_right->rayTest( rayFrom, rayTo, distorting, aabbMin, aabbMax );
    btVector3 lower = rayFrom;
    btVector3 upper = rayFrom;
    lower.setMin( rayTo );
    upper.setMax( rayTo );
    const btBroadphaseProxy* wrong = has( Flaw::extraRay ) ? farFrom( lower - aabbMax, upper - aabbMin ) : nullptr;
    if ( wrong != nullptr )
    {
        rayCallback.process( wrong );
    }
}

void FaultyBroadphase::aabbTest( const btVector3& aabbMin, const btVector3& aabbMax,
                                 btBroadphaseAabbCallback& callback )
{
    Distorting<btBroadphaseAabbCallback> distorting( callback, has( Flaw::missedBox ), has( Flaw::repeatedBox ) );
    m_right->aabbTest( aabbMin, aabbMax, distorting );
    const btBroadphaseProxy* wrong = has( Flaw::extraBox ) ? farFrom( aabbMin, aabbMax ) : nullptr;
    if ( wrong != nullptr )
    {
        callback.process( wrong );
    }
}

void FaultyBroadphase::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    m_goodUpdates = std::max( 0, m_goodUpdates - 1 );
    m_isFirstMove = true;
    const std::vector<ProxyPair> before = pairs();
    m_right->calculateOverlappingPairs( has( Flaw::lostDispatcher ) ? nullptr : dispatcher );
    spoil( before, dispatcher );
}

btOverlappingPairCache* FaultyBroadphase::getOverlappingPairCache()
{
    return m_right->getOverlappingPairCache();
}

const btOverlappingPairCache* FaultyBroadphase::getOverlappingPairCache() const
{
    return m_right->getOverlappingPairCache();
}

void FaultyBroadphase::getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const
{
    m_right->getBroadphaseAabb( aabbMin, aabbMax );
}

void FaultyBroadphase::resetPool( btDispatcher* dispatcher )
{
    m_right->resetPool( dispatcher );
}

void FaultyBroadphase::printStats()
{
    m_right->printStats();
}

bool FaultyBroadphase::has( Flaw flaw ) const
{
    return m_flaw == flaw && m_goodUpdates == 0;
}

void FaultyBroadphase::spoil( const std::vector<ProxyPair>& before, btDispatcher* dispatcher )
{
    if ( has( Flaw::extraPair ) )
    {
        addWhere( false );
    }
    if ( has( Flaw::refusedPair ) )
    {
        addWhere( true );
    }
    const std::vector<ProxyPair> now = pairs();
    const bool drops = has( Flaw::missingPair ) || has( Flaw::remadePair );
    if ( drops && !now.empty() )
    {
        getOverlappingPairCache()->removeOverlappingPair( now[0].first, now[0].second, dispatcher );
    }
    if ( has( Flaw::remadePair ) && !now.empty() )
    {
        addUnfiltered( now[0] );
    }
    for ( const ProxyPair& pair : before )
    {
        if ( has( Flaw::stalePair ) && getOverlappingPairCache()->findPair( pair.first, pair.second ) == nullptr )
        {
            addUnfiltered( pair );
            return;
        }
    }
}

/// The first two proxies that are no pair and do overlap, or do not.
void FaultyBroadphase::addWhere( bool overlaps )
{
    for ( std::size_t k = 0; k < m_proxies.size(); ++k )
    {
        for ( std::size_t i = 0; i < k; ++i )
        {
            const ProxyPair pair = { m_proxies[i], m_proxies[k] };
            const bool isPair = getOverlappingPairCache()->findPair( pair.first, pair.second ) != nullptr;
            if ( !isPair && overlap( *pair.first, *pair.second ) == overlaps )
            {
                addUnfiltered( pair );
                return;
            }
        }
    }
}

void FaultyBroadphase::addUnfiltered( const ProxyPair& pair )
{
    btOverlappingPairCache& cache = *getOverlappingPairCache();
    btOverlapFilterCallback* filter = cache.getOverlapFilterCallback();
    LetAllIn letAllIn;
    cache.setOverlapFilterCallback( &letAllIn );
    cache.addOverlappingPair( pair.first, pair.second );
    cache.setOverlapFilterCallback( filter );
}

void FaultyBroadphase::removeFirstOf( const btBroadphaseProxy& proxy, btDispatcher* dispatcher )
{
    for ( const ProxyPair& pair : pairs() )
    {
        const bool isOfProxy = pair.first == &proxy || pair.second == &proxy;
        if ( isOfProxy && overlap( *pair.first, *pair.second ) )
        {
            getOverlappingPairCache()->removeOverlappingPair( pair.first, pair.second, dispatcher );
            return;
        }
    }
}

std::vector<FaultyBroadphase::ProxyPair> FaultyBroadphase::pairs() const
{
    std::vector<ProxyPair> result;
    const btOverlappingPairCache& cache = *getOverlappingPairCache();
    for ( int k = 0; k < cache.getNumOverlappingPairs(); ++k )
    {
        const btBroadphasePair& pair = cache.getOverlappingPairArrayPtr()[k];
        result.push_back( { pair.m_pProxy0, pair.m_pProxy1 } );
    }
    return result;
}

/// NULL if there is none.
const btBroadphaseProxy* FaultyBroadphase::farFrom( const btVector3& lower, const btVector3& upper ) const
{
    const btVector3 margin( 1, 1, 1 );
    for ( const btBroadphaseProxy* proxy : m_proxies )
    {
        if ( !TestAabbAgainstAabb2( lower - margin, upper + margin, proxy->m_aabbMin, proxy->m_aabbMax ) )
        {
            return proxy;
        }
    }
    return nullptr;
}

} // namespace test
