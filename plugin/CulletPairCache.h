// SPDX-License-Identifier: Zlib
/// \file CulletPairCache.h
/// Bullet's hashed pair cache with an index that stays fast at millions of pairs, lists of each proxy's pairs, and adds
/// and removes in batches. To everyone else it is a btHashedOverlappingPairCache: same results, same pair array in the
/// same order, same calls of filter and ghost callbacks, but for a pair that is there already, of which the filter is not
/// asked again. The broadphase that owns it may exchange pairs, which puts new ones where old ones were. It holds fewer
/// than 2^30 pairs, as Bullet's does.
#ifndef CULLET_PAIR_CACHE_H
#define CULLET_PAIR_CACHE_H

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include "CulletNeighbours.h"
#include "CulletPairIndex.h"
#include "CulletPairNote.h"

#include <atomic>

/// Who fills a cache, and may put off the search for pairs until somebody looks.
class CulletPairSource
{
public:
    /// Adds the pairs that are owed, then says setOwed( false ). Several threads that read the cache may call it at once.
    virtual void searchOwed() = 0;

protected:
    ~CulletPairSource()
    {
    }
};

/// The pairs are kept in the base's array. The base's own hash table stays empty: every base function that would read
/// it is overridden here.
///
/// Every virtual that reads or changes pairs first has the owed ones searched, so that nobody who goes through one can
/// tell when that happened. Three ways to the array do not: btHashedOverlappingPairCache's GetCount() and const
/// getOverlappingPairArray(), called on that class, and a reference to the array from before. They show what was there when
/// somebody last asked; asking the broadphase for its cache is enough. Where nothing is owed, as from
/// calculateOverlappingPairs until the next setAabb, all this is one test of a flag: any number of threads may read.
class CulletPairCache : public btHashedOverlappingPairCache
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    CulletPairCache();

    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override;
    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override;
    btBroadphasePair* findPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override;

    btBroadphasePair* getOverlappingPairArrayPtr() override;
    const btBroadphasePair* getOverlappingPairArrayPtr() const override;
    btBroadphasePairArray& getOverlappingPairArray() override;
    const btBroadphasePairArray& getOverlappingPairArray() const;
    int getNumOverlappingPairs() const override;
    void processAllOverlappingPairs( btOverlapCallback* callback, btDispatcher* dispatcher ) override;
    using btHashedOverlappingPairCache::processAllOverlappingPairs; // the other one goes through virtuals that ask
    void sortOverlappingPairs( btDispatcher* dispatcher ) override;

    // Pairs that are owed come before the callback, and are none of its business.
    void setOverlapFilterCallback( btOverlapFilterCallback* callback ) override;
    void setInternalGhostPairCallback( btOverlappingPairCallback* callback ) override;

    /// Cost: the number of the proxy's own pairs, and sorting them. At first, and after a step in which an eighth of all
    /// pairs changed, there are no lists of them: then one look at every pair for each of the first SCANS proxies, and
    /// making all lists for the next one. NULL: nothing.
    void removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;
    void cleanProxyFromPairs( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;

    // What follows is for the broadphase that owns the cache. Nothing of it searches what is owed.

    void setSource( CulletPairSource* source )
    {
        m_source = source;
    }

    /// Whether the source has pairs to search before anybody looks.
    void setOwed( bool owed )
    {
        m_isOwed.store( owed, std::memory_order_release );
    }

    void searchOwed() const
    {
        if ( m_isOwed.load( std::memory_order_acquire ) )
        {
            m_source->searchOwed();
        }
    }

    int getPairCount() const
    {
        return array().size();
    }

    /// \param proxy0  has the smaller uid
    bool hasPair( const btBroadphaseProxy* proxy0, const btBroadphaseProxy* proxy1 ) const
    {
        return search( proxy0, proxy1, hashOf( proxy0, proxy1 ) ) != CulletPairIndex::NONE;
    }

    /// Memory for this many pairs, so that adding them does not copy the array. What is not filled is not touched.
    void reservePairs( int count );

    /// So many pairs are about to be added and removed.
    void expectChanges( size_t count );

    /// addOverlappingPair, but not an edit.
    btBroadphasePair* addPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 );

    /// The same on each pair in turn; the waits for memory overlap each other.
    /// \param rejected  gets those that the filter did not let in
    void addPairs( const CulletProxyPair* pairs, int count, btAlignedObjectArray<CulletProxyPair>& rejected );

    /// The same as removeOverlappingPair on each pair in turn, but no edits.
    void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    // Ended for begun: each pair that began is put where one was that ended, and nothing else is moved, so that half the
    // memory is touched. Only while there is neither a ghost nor a filter callback, for they see single pairs come and go.
    // To be called in this order; only noteEnded calls anyone, the dispatcher.

    void startExchange();

    /// Cleans the pairs through the dispatcher; they stay.
    void noteEnded( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    /// Takes out what ended, and makes room for so many.
    /// \return false if the dispatcher let somebody change the cache: then nothing is done, and the exchange is over
    bool openExchange( int beganCount );

    /// Pairs that are there already stay as they are.
    void putBegan( const CulletProxyPair* pairs, int count );

    void finishExchange();

    /// Adds a pair without asking the filter.
    btBroadphasePair* insertPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 );

    /// Takes out all pairs of a proxy that is about to be destroyed.
    void forgetProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher );

    /// The indices of the proxy's pairs, ascending.
    void listPairsOf( const btBroadphaseProxy* proxy, btAlignedObjectArray<int>& indices );

    bool hasPairs( const btBroadphaseProxy* proxy )
    {
        provideNeighbours();
        return m_neighbours.hasAny( proxy->m_uniqueId );
    }

    bool hasGhostCallback() const
    {
        return m_ghostPairCallback != 0;
    }

    /// Pairs that somebody else than the owner added or removed, while this is switched on.
    void noteEdits( bool wanted )
    {
        m_notesEdits = wanted;
    }

    btAlignedObjectArray<CulletPairNote>& getEdits()
    {
        return m_edits;
    }

private:
    /// Where a pair was that ended.
    struct Vacancy
    {
        int m_place; ///< in the pair array
        uint32_t m_hash;
    };

    static void putSmallerUidFirst( btBroadphaseProxy*& proxy0, btBroadphaseProxy*& proxy1 )
    {
        if ( proxy0->m_uniqueId > proxy1->m_uniqueId )
        {
            btSwap( proxy0, proxy1 );
        }
    }

    static uint32_t hashOf( const btBroadphaseProxy* proxy0, const btBroadphaseProxy* proxy1 )
    {
        return CulletPairIndex::hash( proxy0, proxy1 );
    }

    btBroadphasePairArray& array()
    {
        return btHashedOverlappingPairCache::getOverlappingPairArray();
    }

    const btBroadphasePairArray& array() const
    {
        return btHashedOverlappingPairCache::getOverlappingPairArray();
    }

    uint32_t hashAt( int pairIndex ) const
    {
        const btBroadphasePair& pair = array()[pairIndex];
        return hashOf( pair.m_pProxy0, pair.m_pProxy1 );
    }

    uint32_t search( const btBroadphaseProxy* proxy0, const btBroadphaseProxy* proxy1, uint32_t hash ) const;
    btBroadphasePair* append( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash );
    btBroadphasePair* addHashed( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash );
    void* removeHashed( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash, btDispatcher* dispatcher );
    void* removeAt( int pairIndex, btDispatcher* dispatcher );
    void scanPairsOf( const btBroadphaseProxy* proxy, btAlignedObjectArray<int>& indices );
    void takeOut( int pairIndex );
    void moveLastTo( int pairIndex );
    void provideNeighbours();
    void noteEdit( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 );
    void reserveIndex( int count );

    /// Pairs whose memory is asked for together: enough misses under way at once for any processor, few enough that their
    /// lines stay in the first-level cache until they are used.
    enum
    {
        GROUP_SIZE = 32
    };

    /// Scans of the array that together cost about as much as making the lists anew.
    static const int SCANS = 32;

    static void prefetchProxy( const btBroadphaseProxy* proxy )
    {
        culletPrefetch( &proxy->m_uniqueId );
    }

    // CulletPairBatches.cpp
    static void prefetchProxies( const CulletProxyPair* pairs, int count );
    void hashGroup( const CulletProxyPair* pairs, int count, uint32_t* hashes ) const;
    void prefetchLists( const CulletProxyPair* pairs, int count ) const;
    void prefetchFound( const uint32_t* hashes, int count );
    void prefetchLast( int count );

    // CulletPairExchange.cpp
    void noteGroup( const CulletProxyPair* pairs, int count, const uint32_t* hashes, btDispatcher* dispatcher );
    void prefetchVacancies( int count );
    void vacate();
    void occupy( const CulletProxyPair& pair, uint32_t hash );
    void closeVacancies();

    CulletPairSource* m_source;
    std::atomic<bool> m_isOwed;
    CulletPairIndex m_index;
    CulletNeighbours m_neighbours;
    btAlignedObjectArray<CulletPairNote> m_edits;
    bool m_notesEdits;
    uint32_t m_version; ///< another one whenever a pair comes, goes or moves
    int m_scansLeft;    ///< until the lists are made anew

    btAlignedObjectArray<Vacancy> m_vacancies; ///< of the exchange under way
    int m_occupied;                            ///< the first of them, which have new pairs
    uint32_t m_exchangeVersion;                ///< m_version when it started
};

#endif
