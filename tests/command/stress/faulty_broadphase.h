// SPDX-License-Identifier: Zlib
/// \file faulty_broadphase.h
/// A broadphase that is right for some updates and then has one flaw, to test that the flaw is noticed.
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
    extraPair,   ///< a pair of boxes that do not overlap
    refusedPair, ///< a pair of overlapping boxes that a filter rejects
    missingPair,
    droppedPair,    ///< a pair of overlapping boxes is dropped as soon as an edited filter rejects it
    stalePair,      ///< a pair is kept, although its boxes no longer overlap
    remadePair,     ///< a pair is removed and added again, so that it loses its algorithm
    lostDispatcher, ///< an update gets no dispatcher, so the algorithms of ended pairs are not freed
    lateNewPair,    ///< a pair of a new proxy is missing until calculateOverlappingPairs
    lateMovedPair,  ///< a pair of a moved proxy is missing until calculateOverlappingPairs
    unequalAabb,    ///< getAabb returns a slightly different box
    missedBox,      ///< aabbTest leaves out a box
    repeatedBox,
    extraRay ///< rayTest reports a box that the ray does not meet
};

/// Collects the hits of a query, so that the faulty broadphase can change them before it reports them.
template <typename Callback>
struct CollectingCallback : Callback
{
    explicit CollectingCallback( const Callback& of ) : Callback( of )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        hits.push_back( proxy );
        return true;
    }

    std::vector<const btBroadphaseProxy*> hits;
};

/// \tparam CorrectBroadphase  the broadphase that the flaw is put into
template <typename CorrectBroadphase>
class FaultyBroadphase : public CorrectBroadphase
{
public:
    /// \param goodUpdates  calls of calculateOverlappingPairs before the flaw shows
    template <typename... Arguments>
    FaultyBroadphase( Flaw flaw, int goodUpdates, Arguments... arguments )
        : CorrectBroadphase( arguments... ), m_flaw( flaw ), m_goodUpdates( goodUpdates )
    {
    }

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override
    {
        m_proxies.push_back(
            CorrectBroadphase::createProxy( aabbMin, aabbMax, shapeType, userPtr, group, mask, dispatcher ) );
        if ( has( Flaw::lateNewPair ) )
        {
            removeFirstOf( *m_proxies.back(), dispatcher );
        }
        return m_proxies.back();
    }

    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        m_proxies.erase( std::find( m_proxies.begin(), m_proxies.end(), proxy ) );
        CorrectBroadphase::destroyProxy( proxy, dispatcher );
    }

    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override
    {
        const bool isMove = aabbMin != proxy->m_aabbMin || aabbMax != proxy->m_aabbMax;
        CorrectBroadphase::setAabb( proxy, aabbMin, aabbMax, dispatcher );
        if ( has( Flaw::lateMovedPair ) && isMove )
        {
            removeFirstOf( *proxy, dispatcher );
        }
    }

    void getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const override
    {
        CorrectBroadphase::getAabb( proxy, aabbMin, aabbMax );
        aabbMax += btVector3( 0, 0, has( Flaw::unequalAabb ) ? btScalar( 1 ) : btScalar( 0 ) );
    }

    void rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override
    {
        CollectingCallback<btBroadphaseRayCallback> collected( callback );
        CorrectBroadphase::rayTest( rayFrom, rayTo, collected, aabbMin, aabbMax );
        const auto isMissed = [&collected]( const btBroadphaseProxy* proxy )
        { return std::find( collected.hits.begin(), collected.hits.end(), proxy ) == collected.hits.end(); };
        const auto missed = std::find_if( m_proxies.begin(), m_proxies.end(), isMissed );
        if ( has( Flaw::extraRay ) && missed != m_proxies.end() )
        {
            collected.hits.push_back( *missed );
        }
        forwardHits( collected.hits, 1, callback );
    }

    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override
    {
        CollectingCallback<btBroadphaseAabbCallback> collected( callback );
        CorrectBroadphase::aabbTest( aabbMin, aabbMax, collected );
        forwardHits( collected.hits, has( Flaw::missedBox ) ? 0 : has( Flaw::repeatedBox ) ? 2 : 1, callback );
    }

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override
    {
        m_goodUpdates = std::max( 0, m_goodUpdates - 1 );
        const std::vector<ProxyPair> before = pairs();
        CorrectBroadphase::calculateOverlappingPairs( has( Flaw::lostDispatcher ) ? nullptr : dispatcher );
        applyPairFlaw( before, dispatcher );
    }

private:
    using ProxyPair = std::pair<btBroadphaseProxy*, btBroadphaseProxy*>;

    struct AcceptAllPairs : btOverlapFilterCallback
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
        return *CorrectBroadphase::getOverlappingPairCache();
    }

    bool isPair( const ProxyPair& pair )
    {
        return cache().findPair( pair.first, pair.second ) != nullptr;
    }

    void applyPairFlaw( const std::vector<ProxyPair>& before, btDispatcher* dispatcher )
    {
        if ( has( Flaw::extraPair ) || has( Flaw::refusedPair ) )
        {
            addFirstMissingPair( has( Flaw::refusedPair ) );
        }
        for ( const ProxyPair& pair : before )
        {
            if ( has( Flaw::stalePair ) && !isPair( pair ) )
            {
                return addUnfiltered( pair );
            }
            if ( has( Flaw::droppedPair ) && isPair( pair ) && overlaps( pair ) &&
                 !cache().needsBroadphaseCollision( pair.first, pair.second ) )
            {
                cache().removeOverlappingPair( pair.first, pair.second, dispatcher );
                return;
            }
            if ( ( has( Flaw::missingPair ) || has( Flaw::remadePair ) ) && isPair( pair ) )
            {
                cache().removeOverlappingPair( pair.first, pair.second, dispatcher );
                return has( Flaw::remadePair ) ? addUnfiltered( pair ) : void();
            }
        }
    }

    /// Adds a pair: the first two proxies that are no pair and have overlapping boxes, or separate boxes if
    /// `areOverlapping` is false.
    void addFirstMissingPair( bool areOverlapping )
    {
        for ( std::size_t k = 0; k < m_proxies.size(); ++k )
        {
            for ( std::size_t i = 0; i < k; ++i )
            {
                const ProxyPair pair = { m_proxies[i], m_proxies[k] };
                if ( !isPair( pair ) && overlaps( pair ) == areOverlapping )
                {
                    return addUnfiltered( pair );
                }
            }
        }
    }

    void addUnfiltered( const ProxyPair& pair )
    {
        btOverlapFilterCallback* filter = cache().getOverlapFilterCallback();
        AcceptAllPairs acceptAllPairs;
        cache().setOverlapFilterCallback( &acceptAllPairs );
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

    /// \param times  how often the first hit is reported
    static void forwardHits( const std::vector<const btBroadphaseProxy*>& hits, int times,
                             btBroadphaseAabbCallback& callback )
    {
        for ( const btBroadphaseProxy* hit : hits )
        {
            for ( int left = std::exchange( times, 1 ); left > 0; --left )
            {
                callback.process( hit );
            }
        }
    }

    Flaw m_flaw;
    int m_goodUpdates;
    std::vector<btBroadphaseProxy*> m_proxies; ///< the living ones
};

} // namespace test

#endif
