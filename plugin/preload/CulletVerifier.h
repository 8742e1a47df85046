// SPDX-License-Identifier: Zlib
/// \file CulletVerifier.h
/// Compares the program's pair cache with a btDbvtBroadphase after every calculateOverlappingPairs. The
/// btDbvtBroadphase gets the same boxes, but no filters. It enlarges boxes, so its pairs are a superset. Cullet's pairs
/// are right under two conditions. Each pair is in that superset and its boxes overlap. No overlapping pair that the
/// program's filter accepts is missing.
///
/// A rejected pair appears when one of its boxes changes and the filter then accepts it, not when the filter alone
/// changes its answer. So a pair counts as missing only if one of its boxes was set in this step, or if the pair
/// existed in the last step.
///
/// Callbacks about pairs may make calls within a call. A nested calculateOverlappingPairs is no step, and the pairs of
/// bodies that are set while a step runs are compared after the next one.
///
/// A box with a NaN or an infinity would spoil the tree of btDbvtBroadphase, which then lacks pairs of others. So
/// bodies with such a box are left out of it: of their pairs and hits only those are wrong that do not overlap.
///
/// Queries are run on the btDbvtBroadphase first. Its fat boxes give a superset of the required hits, and cullet must
/// report all required ones. Every box that cullet reports must be hit if enlarged by gDbvtMargin. The program's
/// callback may destroy proxies, so no proxy is read after it ran.
#ifndef CULLET_VERIFIER_H
#define CULLET_VERIFIER_H

#include "CulletForwarder.h"
#include "CulletReport.h"
#include "CulletTwin.h"
#include "broadphase/CulletBox.h"

#include "LinearMath/btAabbUtil2.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

extern btScalar gDbvtMargin;

class CulletVerifier : public CulletForwarder
{
public:
    /// \param number  of the broadphase in the process, for messages
    CulletVerifier( btBroadphaseInterface& inner, const CulletBullet& bullet, int number )
        : CulletForwarder( inner ), m_bullet( bullet ), m_number( number ), m_twin( bullet, CulletArguments() )
    {
    }

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override
    {
        btBroadphaseProxy* proxy = m_inner.createProxy( aabbMin, aabbMax, shapeType, userPtr, group, mask, dispatcher );
        if ( proxy->m_uniqueId != 0 ) // else a callback has destroyed it
        {
            follow( proxy );
        }
        return proxy;
    }

    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        m_twin.destroy( m_twin.forget( proxy ) );
        m_changes.erase( proxy );
        m_inner.destroyProxy( proxy, dispatcher );
    }

    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override
    {
        const bool isSame = culletAreSame( proxy->m_aabbMin, aabbMin ) && culletAreSame( proxy->m_aabbMax, aabbMax );
        const bool isKnown = m_changes.count( proxy ) != 0; // not if it is being created or destroyed
        m_inner.setAabb( proxy, aabbMin, aabbMax, dispatcher );
        if ( !isSame && isKnown && m_changes.count( proxy ) != 0 )
        {
            follow( proxy );
        }
    }

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override
    {
        if ( m_isInStep )
        {
            m_inner.calculateOverlappingPairs( dispatcher );
            return;
        }
        m_isInStep = true;
        m_inner.calculateOverlappingPairs( dispatcher );
        m_isInStep = false;
        m_twin.get().calculateOverlappingPairs( 0 );
        comparePairs();
        ++m_step;
        ++CulletReport::own()->m_steps;
    }

    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override
    {
        compareQuery(
            callback,
            [&]( btBroadphaseInterface& broadphase, btBroadphaseAabbCallback& asking )
            { broadphase.aabbTest( aabbMin, aabbMax, asking ); },
            [&]( const btBroadphaseProxy& proxy, btScalar margin )
            {
                const btVector3 grown( margin, margin, margin );
                return TestAabbAgainstAabb2( aabbMin - grown, aabbMax + grown, proxy.m_aabbMin, proxy.m_aabbMax );
            } );
    }

    void rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override
    {
        const btVector3 inverse = callback.m_rayDirectionInverse;
        const unsigned signs[3] = { callback.m_signs[0], callback.m_signs[1], callback.m_signs[2] };
        const btScalar length = callback.m_lambda_max;
        compareQuery(
            callback,
            [&]( btBroadphaseInterface& broadphase, btBroadphaseRayCallback& asking )
            { broadphase.rayTest( from, to, asking, aabbMin, aabbMax ); },
            [&]( const btBroadphaseProxy& proxy, btScalar margin )
            {
                const btVector3 grown( margin, margin, margin );
                const btVector3 bounds[2] = { proxy.m_aabbMin - ( aabbMax + grown ),
                                              proxy.m_aabbMax - ( aabbMin - grown ) };
                btScalar enter;
                return btRayAabb2( from, inverse, signs, bounds, enter, 0, length );
            } );
    }

private:
    typedef std::pair<const btBroadphaseProxy*, const btBroadphaseProxy*> Pair;

    static bool isFinite( const btVector3& corner )
    {
        const btScalar most = std::numeric_limits<btScalar>::max();
        return std::abs( corner.x() ) <= most && std::abs( corner.y() ) <= most && std::abs( corner.z() ) <= most;
    }

    /// Gives the twin the current box of the proxy, which a callback may have set again.
    void follow( btBroadphaseProxy* proxy )
    {
        const int all = -1; // as group and mask: accepts all
        btBroadphaseProxy* twin = m_twin.of( proxy );
        if ( !isFinite( proxy->m_aabbMin ) || !isFinite( proxy->m_aabbMax ) )
        {
            m_twin.destroy( m_twin.forget( proxy ) );
        }
        else if ( twin )
        {
            m_twin.set( twin, proxy->m_aabbMin, proxy->m_aabbMax );
        }
        else
        {
            m_twin.remember( proxy, m_twin.create( proxy, proxy, all, all ) );
        }
        m_changes[proxy] = m_step + int( m_isInStep );
    }

    /// True if a callback set a body of the pair while the step ran.
    bool wasSetInStep( const btBroadphasePair& pair ) const
    {
        return wasChangedIn( m_step + 1, pair.m_pProxy0 ) || wasChangedIn( m_step + 1, pair.m_pProxy1 );
    }

    /// The number of wrong pairs or hits, and the ids of the first; the second id of a hit is 0.
    struct Wrong
    {
        int m_count = 0;
        int m_ids[2] = { 0, 0 };

        void add( int id, int other = 0 )
        {
            if ( m_count++ == 0 )
            {
                m_ids[0] = id;
                m_ids[1] = other;
            }
        }

        void add( const Pair& pair )
        {
            const auto ids = std::minmax( { pair.first->m_uniqueId, pair.second->m_uniqueId } );
            add( ids.first, ids.second );
        }
    };

    /// Collects the proxies that cullet must report, from the results of Bullet's broadphase (CulletTwin.h). Copies the
    /// program's callback, which contains the direction of a ray.
    template <typename Callback, typename Meets>
    struct RequiredHits : public Callback
    {
        Meets m_meets;
        std::vector<std::pair<const btBroadphaseProxy*, int>> m_required; ///< with their ids

        RequiredHits( const Callback& callback, Meets meets ) : Callback( callback ), m_meets( meets )
        {
        }

        /// Leaves out boxes with a NaN: cullet reports none of them, but Bullet's formulas may.
        bool process( const btBroadphaseProxy* twin ) override
        {
            const btBroadphaseProxy* proxy = originalOf( twin );
            if ( !culletHasNan( proxy->m_aabbMin, proxy->m_aabbMax ) && m_meets( *proxy, btScalar( 0 ) ) )
            {
                m_required.push_back( { proxy, proxy->m_uniqueId } );
            }
            return true;
        }
    };

    /// Checks each reported proxy and forwards it to the program's callback.
    template <typename Callback, typename Meets>
    struct CheckedHits : public Callback
    {
        Callback& m_callback;
        Meets m_meets;
        std::unordered_set<const btBroadphaseProxy*> m_reported;
        Wrong m_extra;

        CheckedHits( Callback& callback, Meets meets ) : Callback( callback ), m_callback( callback ), m_meets( meets )
        {
        }

        bool process( const btBroadphaseProxy* proxy ) override
        {
            if ( !m_reported.insert( proxy ).second || !m_meets( *proxy, gDbvtMargin ) )
            {
                m_extra.add( proxy->m_uniqueId );
            }
            return m_callback.process( proxy );
        }
    };

    static btBroadphaseProxy* originalOf( const btBroadphaseProxy* twin )
    {
        return static_cast<btBroadphaseProxy*>( twin->m_clientObject );
    }

    static Pair pairOf( const btBroadphasePair& pair )
    {
        return std::minmax<const btBroadphaseProxy*>( pair.m_pProxy0, pair.m_pProxy1 );
    }

    static bool hasPair( const std::vector<Pair>& pairs, const btBroadphasePair& pair )
    {
        return std::binary_search( pairs.begin(), pairs.end(), pairOf( pair ) );
    }

    bool isExtra( const btBroadphasePair& pair )
    {
        btBroadphaseProxy* twin0 = m_twin.of( pair.m_pProxy0 );
        btBroadphaseProxy* twin1 = m_twin.of( pair.m_pProxy1 );
        const bool isKnown = twin0 && twin1;
        return !wasSetInStep( pair ) &&
               ( !culletOverlap( pair ) || ( isKnown && !m_twin.getCache().findPair( twin0, twin1 ) ) );
    }

    bool wasChangedIn( int step, const btBroadphaseProxy* proxy ) const
    {
        const auto found = m_changes.find( proxy );
        return found != m_changes.end() && found->second == step;
    }

    bool isMissing( const btBroadphasePair& pair )
    {
        const bool isDue = wasChangedIn( m_step, pair.m_pProxy0 ) || wasChangedIn( m_step, pair.m_pProxy1 ) ||
                           hasPair( m_previousPairs, pair );
        return isDue && !wasSetInStep( pair ) && culletOverlap( pair ) && !hasPair( m_pairs, pair ) &&
               m_inner.getOverlappingPairCache()->needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 );
    }

    /// Finds pairs that cullet has wrongly or twice. Must be called before findMissing, because it sorts m_pairs.
    Wrong findExtra( const btBroadphasePairArray& pairs )
    {
        Wrong extra;
        m_pairs.swap( m_previousPairs );
        m_pairs.clear();
        for ( int i = 0; i < pairs.size(); ++i )
        {
            m_pairs.push_back( pairOf( pairs[i] ) );
            if ( isExtra( pairs[i] ) )
            {
                extra.add( m_pairs.back() );
            }
        }
        std::sort( m_pairs.begin(), m_pairs.end() );
        for ( auto twice = m_pairs.begin(); ( twice = std::adjacent_find( twice, m_pairs.end() ) ) != m_pairs.end();
              ++twice )
        {
            extra.add( *twice );
        }
        return extra;
    }

    Wrong findMissing()
    {
        Wrong missing;
        const btBroadphasePairArray& known = m_twin.getCache().getOverlappingPairArray();
        for ( int i = 0; i < known.size(); ++i )
        {
            const btBroadphasePair pair( *originalOf( known[i].m_pProxy0 ), *originalOf( known[i].m_pProxy1 ) );
            if ( isMissing( pair ) )
            {
                missing.add( pairOf( pair ) );
            }
        }
        return missing;
    }

    void comparePairs()
    {
        btOverlappingPairCache* cache = m_inner.getOverlappingPairCache();
        const Wrong extra = findExtra( cache->getOverlappingPairArray() );
        // A btNullPairCache or a program's own cache may hold no pairs.
        const bool holdsPairs = !cache->hasDeferredRemoval() || dynamic_cast<btSortedOverlappingPairCache*>( cache );
        const Wrong missing = holdsPairs ? findMissing() : Wrong();
        CulletReport::own()->m_wrong += extra.m_count > 0 || missing.m_count > 0;
        complain( "step", m_step + 1, "pairs more than there are", extra );
        complain( "step", m_step + 1, "pairs missing", missing );
    }

    /// \param ask    ( broadphase, callback ): runs the program's query on it
    /// \param meets  ( proxy, margin ): whether the query, enlarged by the margin, hits the proxy's box
    template <typename Callback, typename Ask, typename Meets>
    void compareQuery( Callback& callback, Ask ask, Meets meets )
    {
        RequiredHits<Callback, Meets> hits( callback, meets );
        ask( m_twin.get(), hits );
        CheckedHits<Callback, Meets> checked( callback, meets );
        ask( m_inner, checked );
        Wrong missing;
        for ( const auto& required : hits.m_required )
        {
            if ( checked.m_reported.count( required.first ) == 0 )
            {
                missing.add( required.second );
            }
        }
        const int query = ++m_queryCount;
        CulletReport::own()->m_wrong += checked.m_extra.m_count > 0 || missing.m_count > 0;
        complain( "query", query, "bodies more than it meets", checked.m_extra );
        complain( "query", query, "bodies missing", missing );
        ++CulletReport::own()->m_queries;
    }

    /// Reports only the first error.
    void complain( const char* when, int number, const char* what, const Wrong& wrong )
    {
        if ( wrong.m_count > 0 && !m_hasComplained.exchange( true ) )
        {
            const std::string first = std::to_string( wrong.m_ids[0] );
            const std::string other = std::to_string( wrong.m_ids[1] );
            m_bullet.say( "verify: broadphase %d, %s %d: %d %s, %s for example", m_number, when, number, wrong.m_count,
                          what, ( wrong.m_ids[1] ? "bodies " + first + " and " + other : "body " + first ).c_str() );
        }
    }

    const CulletBullet& m_bullet;
    int m_number;
    int m_step = 0;
    std::atomic<int> m_queryCount{ 0 }; ///< queries may come from several threads at once
    std::atomic<bool> m_hasComplained{ false };
    CulletTwin m_twin;
    bool m_isInStep = false;
    std::unordered_map<const btBroadphaseProxy*, int> m_changes; ///< the step to which the last change of a box counts
    std::vector<Pair> m_pairs;                                   ///< of this step, sorted
    std::vector<Pair> m_previousPairs;
};

#endif
