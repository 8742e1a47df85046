// SPDX-License-Identifier: Zlib
/// \file CulletPairCache.h
/// The broadphase's own pair cache: Bullet's hashed cache with an index that stays fast at millions of pairs, lists of
/// each proxy's pairs, and adds and removes in batches. Programs can use it as a btHashedOverlappingPairCache: same
/// results, same pair array in the same order, same calls of filter and ghost callbacks. There are three differences:
/// the filter is not called again for a pair that is present; a proxy is no pair with itself; and an exchange
/// (CulletPairExchange.h) puts new pairs in the places of old ones, a merge (CulletPairMerge.h) puts all pairs in the
/// order of their uids. The cache holds fewer than 2^30 pairs, as Bullet's does.
///
/// Ghost callbacks, and callbacks for contacts that end, may add and remove other pairs. Bullet's cache does not allow
/// this. Here a pair's algorithm is detached before it is destroyed, and a pair is removed from the array before its
/// ghost callback is called.
///
/// First come the functions of Bullet's interface, then those for the broadphase that owns the cache.
#ifndef CULLET_PAIR_CACHE_H
#define CULLET_PAIR_CACHE_H

#include "BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h"
#include "BulletCollision/BroadphaseCollision/btDispatcher.h"
#include "BulletCollision/CollisionDispatch/btGhostObject.h"
#include "CulletPairExchange.h"
#include "CulletPairMerge.h"
#include "CulletPairStore.h"

/// The pairs are kept in the base's array. The base's own hash table stays empty: every base function that would read
/// it is overridden here.
///
/// Every virtual function that reads or changes pairs first makes the pending searches. Three reads of the array do
/// not: btHashedOverlappingPairCache's GetCount() and const getOverlappingPairArray(), called on that class, and a
/// reference to the array that was obtained earlier. They show the pairs as of the last pending searches. The
/// broadphase's getOverlappingPairCache makes the pending searches. From calculateOverlappingPairs until the next
/// setAabb no search is pending, so a read only tests a flag, and any number of threads may read.
class CulletPairCache : public btHashedOverlappingPairCache, public CulletPairStore
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        if ( proxy0 == proxy1 )
        {
            return 0;
        }
        const CulletProxyPair pair = edit( proxy0, proxy1 );
        const uint32_t hash = CulletPairArray::hashOf( pair );
        addHashed( pair, hash );
        noteEdit( pair ); // again: a callback may have run an update, for which the pair was not there yet
        const int place = m_pairs.find( pair, hash );
        return place == CulletPairArray::NONE ? 0 : &m_pairs.at( place );
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override
    {
        const CulletProxyPair pair = edit( proxy0, proxy1 );
        void* const userInfo = removeHashed( pair, CulletPairArray::hashOf( pair ), dispatcher );
        noteEdit( pair ); // again: a callback may have run an update, for which the pair was still there
        return userInfo;
    }

    btBroadphasePair* findPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        searchPending();
        const int place = m_pairs.find( culletPairOf( proxy0, proxy1 ) );
        return place == CulletPairArray::NONE ? 0 : &m_pairs.at( place );
    }

    btBroadphasePair* getOverlappingPairArrayPtr() override
    {
        searchPending();
        return btHashedOverlappingPairCache::getOverlappingPairArrayPtr();
    }

    const btBroadphasePair* getOverlappingPairArrayPtr() const override
    {
        searchPending();
        return btHashedOverlappingPairCache::getOverlappingPairArrayPtr();
    }

    btBroadphasePairArray& getOverlappingPairArray() override
    {
        searchPending();
        return btHashedOverlappingPairCache::getOverlappingPairArray();
    }

    const btBroadphasePairArray& getOverlappingPairArray() const
    {
        searchPending();
        return btHashedOverlappingPairCache::getOverlappingPairArray();
    }

    int getNumOverlappingPairs() const override
    {
        searchPending();
        return m_pairs.getCount();
    }

    void processAllOverlappingPairs( btOverlapCallback* callback, btDispatcher* dispatcher ) override
    {
        searchPending();
        btHashedOverlappingPairCache::processAllOverlappingPairs( callback, dispatcher );
    }

    using btHashedOverlappingPairCache::processAllOverlappingPairs; // the overload with a btDispatcherInfo ends here

    /// Removes all pairs and adds them again, as Bullet does, so each pair gets a new m_algorithm.
    void sortOverlappingPairs( btDispatcher* dispatcher ) override
    {
        searchPending();
        btBroadphasePairArray sorted( btHashedOverlappingPairCache::getOverlappingPairArray() );
        for ( int i = 0; i < sorted.size(); ++i )
        {
            removeOverlappingPair( sorted[i].m_pProxy0, sorted[i].m_pProxy1, dispatcher );
        }
        sorted.quickSort( btBroadphasePairSortPredicate() );
        for ( int i = 0; i < sorted.size(); ++i )
        {
            if ( !m_source || culletPairOf( sorted[i].m_pProxy0, sorted[i].m_pProxy1 ).isAlive() )
            {
                addOverlappingPair( sorted[i].m_pProxy0, sorted[i].m_pProxy1 );
            }
        }
    }

    // The pending searches are made first, so the new callback is not called for their pairs.

    void setOverlapFilterCallback( btOverlapFilterCallback* callback ) override
    {
        searchPending();
        ++m_installCount;
        btHashedOverlappingPairCache::setOverlapFilterCallback( callback );
    }

    void setInternalGhostPairCallback( btOverlappingPairCallback* callback ) override
    {
        searchPending();
        m_ghostPairCallback = callback;
        m_hasCollisionObjects = culletIs<btGhostPairCallback>( callback );
    }

    /// As in Bullet, except that the pair's algorithm is detached first: its destructor may move or remove the pair.
    void cleanOverlappingPair( btBroadphasePair& pair, btDispatcher* dispatcher ) override
    {
        btCollisionAlgorithm* algorithm = pair.m_algorithm;
        if ( algorithm && dispatcher )
        {
            pair.m_algorithm = 0;
            algorithm->~btCollisionAlgorithm();
            dispatcher->freeCollisionAlgorithm( algorithm );
        }
    }

    /// Does nothing if `proxy` is NULL. Cost: see listPlaces.
    void removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        if ( !proxy )
        {
            return;
        }
        searchPending();
        removeAllOf( proxy, dispatcher, [this]( const CulletProxyPair& pair ) { noteEdit( pair ); } );
    }

    /// The destructor of an algorithm may change the cache. In that case the function starts again; pairs that were
    /// cleaned already have no algorithm.
    void cleanProxyFromPairs( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        searchPending();
        if ( !proxy || !dispatcher ) // without a dispatcher nothing can be freed
        {
            return;
        }
        const auto cleanAll = [&]( const btAlignedObjectArray<int>& places, uint32_t version )
        {
            for ( int i = 0; i < places.size() && m_pairs.getVersion() == version; ++i )
            {
                cleanOverlappingPair( m_pairs.at( places[i] ), dispatcher );
            }
        };
        listUntilUnchanged( proxy, dispatcher, cleanAll );
    }

    // For the broadphase that owns the cache. These functions neither make pending searches nor count as edits.

    btOverlappingPairCache* getCache() final
    {
        return this;
    }

    void setSource( CulletPairSource* source ) final
    {
        m_source = source;
    }

    CulletPairArray& getPairs()
    {
        return m_pairs;
    }

    const btOverlapFilterCallback* getFilterCallback() final
    {
        return getOverlapFilterCallback();
    }

    uint32_t getInstallCount() const final
    {
        return m_installCount;
    }

    bool isFilteredByMasks() final
    {
        return !getOverlapFilterCallback();
    }

    bool isObserved() final
    {
        return m_ghostPairCallback || getOverlapFilterCallback();
    }

    bool hasPair( const CulletProxyPair& pair ) const final
    {
        return m_pairs.find( pair ) != CulletPairArray::NONE;
    }

    void leaveOutPresent( CulletPairNotes& notes ) const final
    {
        culletRemoveIf( notes, [this]( const CulletPairNote& note ) { return hasPair( note.m_pair ); } );
    }

    bool addPair( const CulletProxyPair& pair ) final
    {
        return addHashed( pair, CulletPairArray::hashOf( pair ) );
    }

    void addPairs( const CulletProxyPair* pairs, int count, btAlignedObjectArray<CulletProxyPair>& rejected ) final
    {
        const auto addGroup = [&]( int first, int size, const uint32_t* hashes )
        {
            CulletPairArray::prefetchProxies( pairs, first + size, count );
            m_pairs.prefetchLists( pairs + first, size );
            for ( int i = 0; i < size; ++i )
            {
                if ( pairs[first + i].isAlive() && !addHashed( pairs[first + i], hashes[i] ) )
                {
                    rejected.push_back( pairs[first + i] );
                }
            }
        };
        m_pairs.forGroups( pairs, count, addGroup );
    }

    void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher ) final
    {
        const auto removeGroup = [&]( int first, int size, const uint32_t* hashes )
        {
            CulletPairArray::prefetchProxies( pairs, first + size, count );
            int likely[CulletPairArray::GROUP_SIZE];
            m_pairs.prefetchFound( hashes, size, likely );
            m_pairs.prefetchLast( size );
            for ( int i = 0; i < size; ++i )
            {
                removeHashed( pairs[first + i], hashes[i], dispatcher );
            }
        };
        m_pairs.forGroups( pairs, count, removeGroup );
    }

    void removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) final
    {
        removeAllOf( proxy, dispatcher, []( const CulletProxyPair& ) {} );
        m_pairs.forget( proxy );
    }

    bool askAgain( const CulletProxyPair& pair ) final
    {
        return needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 );
    }

    void addAccepted( const CulletProxyPair& pair ) final
    {
        if ( !hasPair( pair ) )
        {
            insertHashed( pair, CulletPairArray::hashOf( pair ) );
        }
    }

    void expectChanges( size_t count ) final
    {
        m_pairs.expectChanges( count );
        m_merge.giveBack();
    }

    void expectAdded( size_t count ) final
    {
        if ( !getOverlapFilterCallback() ) // a filter may reject all of these pairs
        {
            m_pairs.reserveFor( count, 0 );
        }
    }

    /// Keeps all pairs: addPairs itself skips pairs that are present.
    int selectAbsent( CulletProxyPair*, int count ) const final
    {
        return count;
    }

    CulletPairExchange* getExchange() final
    {
        return isObserved() ? 0 : &m_exchange;
    }

    CulletPairMerge* getMerge() final
    {
        return isObserved() ? 0 : &m_merge;
    }

private:
    void searchPending() const
    {
        if ( m_source )
        {
            m_source->searchPending();
        }
    }

    /// Makes the pending searches, then tells m_source that the application adds or removes the pair. \return the pair
    CulletProxyPair edit( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
    {
        searchPending();
        const CulletProxyPair pair = culletPairOf( proxy0, proxy1 );
        noteEdit( pair );
        return pair;
    }

    void noteEdit( const CulletProxyPair& pair )
    {
        if ( m_source )
        {
            m_source->pairEdited( pair );
        }
    }

    /// Adds the pair. The ghost callback is called last, so that it may read and change the cache. Bullet calls it
    /// before the pair is written.
    void insertHashed( const CulletProxyPair& pair, uint32_t hash )
    {
        m_pairs.append( pair, hash );
        if ( m_ghostPairCallback )
        {
            m_ghostPairCallback->addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
        }
    }

    /// \return false if the filter rejected the pair. Else its ghost callback may have removed it again
    bool addHashed( const CulletProxyPair& pair, uint32_t hash )
    {
        if ( m_pairs.find( pair, hash ) != CulletPairArray::NONE )
        {
            return true;
        }
        const uint32_t version = m_pairs.getVersion();
        const bool isLetIn = needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 );
        const bool isAlive = !m_source || pair.isAlive(); // the filter callback may have removed a body
        if ( !isLetIn || !isAlive )
        {
            return false;
        }
        if ( version == m_pairs.getVersion() || m_pairs.find( pair, hash ) == CulletPairArray::NONE )
        {
            insertHashed( pair, hash );
        }
        return true;
    }

    void* removeHashed( const CulletProxyPair& pair, uint32_t hash, btDispatcher* dispatcher )
    {
        const int place = m_pairs.find( pair, hash );
        return place == CulletPairArray::NONE ? 0 : removeAt( place, dispatcher );
    }

    void* removeAt( int place, btDispatcher* dispatcher )
    {
        const CulletProxyPair pair = m_pairs.proxiesAt( place );
        const uint32_t version = m_pairs.getVersion();
        cleanOverlappingPair( m_pairs.at( place ), dispatcher );
        if ( version != m_pairs.getVersion() )
        {
            return removeHashed( pair, CulletPairArray::hashOf( pair ),
                                 dispatcher ); // the pair may have moved, or be gone
        }
        void* userInfo = m_pairs.at( place ).m_internalInfo1;
        m_pairs.takeOut( place );
        if ( m_ghostPairCallback )
        {
            m_ghostPairCallback->removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, dispatcher );
        }
        return userInfo;
    }

    /// Calls `visit( places, version )` with the places of the proxy's pairs, and again while callbacks change the
    /// array: while its version is not `version`, which `visit` counts up for its own changes.
    template <typename Visit>
    void listUntilUnchanged( btBroadphaseProxy* proxy, btDispatcher* dispatcher, Visit visit )
    {
        m_merge.cleanDetachedOf( proxy, dispatcher );
        btAlignedObjectArray<int> places;
        uint32_t version;
        do
        {
            version = m_pairs.getVersion();
            places.resize( 0 );
            listPlaces( proxy, places );
            visit( places, version );
        } while ( m_pairs.getVersion() != version );
    }

    /// Appends the places of the proxy's pairs, ascending. To query the core, and to look up what it finds, takes
    /// microseconds; to scan a million pairs takes a millisecond.
    void listPlaces( btBroadphaseProxy* proxy, btAlignedObjectArray<int>& places )
    {
        CulletPairNotes found;
        const bool isQueried =
            m_source && m_pairs.isQueryFaster() && m_source->findPairsOf( proxy, m_pairs.getMostFound(), found );
        isQueried ? m_pairs.listFound( proxy, found, places ) : m_pairs.listPairsOf( proxy, places );
    }

    /// Removes the pairs in Bullet's order, so that the array and the calls of callbacks are the same. Bullet walks the
    /// array from the front. After a removal it visits the same index again. If the pair that was moved there from the
    /// end contains the proxy too, it is removed next. If a callback changes the cache meanwhile, the remaining pairs
    /// are listed again.
    /// \param noteRemoved  called for each removed pair
    template <typename NoteRemoved>
    void removeAllOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher, NoteRemoved noteRemoved )
    {
        const auto removeEach = [&]( const btAlignedObjectArray<int>& places, uint32_t& version )
        {
            int last = places.size() - 1;
            for ( int first = 0; first <= last && m_pairs.getVersion() == version; ++version )
            {
                const CulletProxyPair pair = m_pairs.proxiesAt( places[first] );
                removeAt( places[first], dispatcher );
                noteRemoved( pair );
                const bool refilled = first < last && places[last] == m_pairs.getCount();
                first += refilled ? 0 : 1;
                last -= refilled ? 1 : 0;
            }
        };
        listUntilUnchanged( proxy, dispatcher, removeEach );
    }

    CulletPairArray m_pairs{ btHashedOverlappingPairCache::getOverlappingPairArray() };
    CulletPairExchange m_exchange{ m_pairs, *this };
    CulletPairMerge m_merge{ m_pairs, *this };
    CulletPairSource* m_source = 0;
    uint32_t m_installCount = 0; ///< of filter callbacks
};

#endif
