// SPDX-License-Identifier: Zlib
/// \file faulty_broadphase.h
/// A broadphase that is right for a while and then wrong in one way, so that it can be seen whether that is noticed.
#ifndef CULLET_TESTS_STRESS_FAULTY_BROADPHASE_H
#define CULLET_TESTS_STRESS_FAULTY_BROADPHASE_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"
#include "LinearMath/btAabbUtil2.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace test
{

enum class Flaw
{
    none,
    extraPair,   ///< of boxes that do not overlap
    refusedPair, ///< of boxes that overlap, but may not pair
    missingPair,
    stalePair,      ///< kept although its boxes overlap no more
    remadePair,     ///< dropped and made anew, so that it loses its algorithm
    lostDispatcher, ///< ended pairs leave their algorithms behind
    lateNewPair,    ///< a pair of a new proxy appears only with the update
    lateMovedPair,  ///< of the first box that changes after an update
    unequalAabb,    ///< getAabb is a little off
    missedBox,      ///< aabbTest leaves one out
    extraBox,
    repeatedBox,
    missedRay, ///< rayTest leaves one out
    extraRay
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
        if ( std::exchange( m_losesFirst, false ) )
        {
            return true;
        }
        if ( std::exchange( m_repeatsFirst, false ) )
        {
            m_to.process( proxy );
        }
        return m_to.process( proxy );
    }

private:
    btBroadphaseAabbCallback& m_to;
    bool m_losesFirst;
    bool m_repeatsFirst;
};

/// \tparam Right  the broadphase that the flaw is put into
template <typename Right>
class FaultyBroadphase : public Right
{
public:
    /// \param goodUpdates  calls of calculateOverlappingPairs before the flaw shows
    /// \param arguments    of Right's constructor
    template <typename... Arguments>
    FaultyBroadphase( Flaw flaw, int goodUpdates, Arguments... arguments )
        : Right( arguments... ), m_flaw( flaw ), m_goodUpdates( goodUpdates )
    {
    }

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override
    {
        m_proxies.push_back( Right::createProxy( aabbMin, aabbMax, shapeType, userPtr, group, mask, dispatcher ) );
        if ( has( Flaw::lateNewPair ) )
        {
            removeFirstOf( *m_proxies.back(), dispatcher );
        }
        return m_proxies.back();
    }

    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        m_proxies.erase( std::find( m_proxies.begin(), m_proxies.end(), proxy ) );
        Right::destroyProxy( proxy, dispatcher );
    }

    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override
    {
        const bool isMove = aabbMin != proxy->m_aabbMin || aabbMax != proxy->m_aabbMax;
        Right::setAabb( proxy, aabbMin, aabbMax, dispatcher );
        if ( has( Flaw::lateMovedPair ) && isMove && m_isFirstMove )
        {
            removeFirstOf( *proxy, dispatcher );
        }
        m_isFirstMove = m_isFirstMove && !isMove;
    }

    void getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const override
    {
        Right::getAabb( proxy, aabbMin, aabbMax );
        aabbMax += btVector3( 0, 0, has( Flaw::unequalAabb ) ? btScalar( 1 ) : btScalar( 0 ) );
    }

    void rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override
    {
        Distorting<btBroadphaseRayCallback> distorting( callback, has( Flaw::missedRay ), false );
        distorting.m_rayDirectionInverse = callback.m_rayDirectionInverse;
        distorting.m_lambda_max = callback.m_lambda_max;
        std::copy( callback.m_signs, callback.m_signs + 3, distorting.m_signs );
        Right::rayTest( rayFrom, rayTo, distorting, aabbMin, aabbMax );
        btVector3 lower = rayFrom;
        btVector3 upper = rayFrom;
        lower.setMin( rayTo );
        upper.setMax( rayTo );
        reportOneFarFrom( lower - aabbMax, upper - aabbMin, has( Flaw::extraRay ), callback );
    }

    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override
    {
        Distorting<btBroadphaseAabbCallback> distorting( callback, has( Flaw::missedBox ), has( Flaw::repeatedBox ) );
        Right::aabbTest( aabbMin, aabbMax, distorting );
        reportOneFarFrom( aabbMin, aabbMax, has( Flaw::extraBox ), callback );
    }

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override
    {
        m_goodUpdates = std::max( 0, m_goodUpdates - 1 );
        m_isFirstMove = true;
        const std::vector<ProxyPair> before = pairs();
        Right::calculateOverlappingPairs( has( Flaw::lostDispatcher ) ? nullptr : dispatcher );
        spoil( before, dispatcher );
    }

private:
    using ProxyPair = std::pair<btBroadphaseProxy*, btBroadphaseProxy*>;

    struct LetAllIn : btOverlapFilterCallback
    {
        bool needBroadphaseCollision( btBroadphaseProxy*, btBroadphaseProxy* ) const override
        {
            return true;
        }
    };

    static bool overlaps( const ProxyPair& pair )
    {
        return TestAabbAgainstAabb2( pair.first->m_aabbMin, pair.first->m_aabbMax, pair.second->m_aabbMin,
                                     pair.second->m_aabbMax );
    }

    bool has( Flaw flaw ) const
    {
        return m_flaw == flaw && m_goodUpdates == 0;
    }

    btOverlappingPairCache& cache()
    {
        return *Right::getOverlappingPairCache();
    }

    bool isPair( const ProxyPair& pair )
    {
        return cache().findPair( pair.first, pair.second ) != nullptr;
    }

    void spoil( const std::vector<ProxyPair>& before, btDispatcher* dispatcher )
    {
        if ( has( Flaw::extraPair ) || has( Flaw::refusedPair ) )
        {
            addWhere( has( Flaw::refusedPair ) );
        }
        const std::vector<ProxyPair> now = pairs();
        if ( ( has( Flaw::missingPair ) || has( Flaw::remadePair ) ) && !now.empty() )
        {
            cache().removeOverlappingPair( now[0].first, now[0].second, dispatcher );
        }
        if ( has( Flaw::remadePair ) && !now.empty() )
        {
            addUnfiltered( now[0] );
        }
        const auto ended =
            std::find_if( before.begin(), before.end(), [this]( auto& pair ) { return !isPair( pair ); } );
        if ( has( Flaw::stalePair ) && ended != before.end() )
        {
            addUnfiltered( *ended );
        }
    }

    /// The first two proxies that are no pair and do overlap, or do not.
    void addWhere( bool areOverlapping )
    {
        for ( std::size_t k = 0; k < m_proxies.size(); ++k )
        {
            for ( std::size_t i = 0; i < k; ++i )
            {
                const ProxyPair pair = { m_proxies[i], m_proxies[k] };
                if ( !isPair( pair ) && overlaps( pair ) == areOverlapping )
                {
                    addUnfiltered( pair );
                    return;
                }
            }
        }
    }

    void addUnfiltered( const ProxyPair& pair )
    {
        btOverlapFilterCallback* filter = cache().getOverlapFilterCallback();
        LetAllIn letAllIn;
        cache().setOverlapFilterCallback( &letAllIn );
        cache().addOverlappingPair( pair.first, pair.second );
        cache().setOverlapFilterCallback( filter );
    }

    void removeFirstOf( const btBroadphaseProxy& proxy, btDispatcher* dispatcher )
    {
        for ( const ProxyPair& pair : pairs() )
        {
            if ( ( pair.first == &proxy || pair.second == &proxy ) && overlaps( pair ) )
            {
                cache().removeOverlappingPair( pair.first, pair.second, dispatcher );
                return;
            }
        }
    }

    std::vector<ProxyPair> pairs()
    {
        std::vector<ProxyPair> result;
        for ( int k = 0; k < cache().getNumOverlappingPairs(); ++k )
        {
            const btBroadphasePair& pair = cache().getOverlappingPairArrayPtr()[k];
            result.push_back( { pair.m_pProxy0, pair.m_pProxy1 } );
        }
        return result;
    }

    void reportOneFarFrom( const btVector3& lower, const btVector3& upper, bool reports,
                           btBroadphaseAabbCallback& callback )
    {
        const btVector3 margin( 1, 1, 1 );
        const auto isFar = [&]( const btBroadphaseProxy* proxy )
        { return !TestAabbAgainstAabb2( lower - margin, upper + margin, proxy->m_aabbMin, proxy->m_aabbMax ); };
        const auto far = std::find_if( m_proxies.begin(), m_proxies.end(), isFar );
        if ( reports && far != m_proxies.end() )
        {
            callback.process( *far );
        }
    }

    Flaw m_flaw;
    int m_goodUpdates;
    bool m_isFirstMove = true;                 ///< no box has changed since the last update
    std::vector<btBroadphaseProxy*> m_proxies; ///< the living ones
};

} // namespace test

#endif
