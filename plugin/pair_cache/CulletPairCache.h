// SPDX-License-Identifier: Zlib
/// \file CulletPairCache.h
/// Bullet's hashed pair cache with an index that stays fast at millions of pairs, lists of each proxy's pairs, and adds
/// and removes in batches. To everyone else it is a btHashedOverlappingPairCache: same results, same pair array in the
/// same order, same calls of filter and ghost callbacks, but for a pair that is there already, of which the filter is
/// not asked again. The broadphase that owns it may exchange pairs, which puts new ones where old ones were. It holds
/// fewer than 2^30 pairs, as Bullet's does.
///
/// Unlike in Bullet's, whoever is called about a pair, ghost callbacks and what hears of contacts that end, may add and
/// remove others: an algorithm leaves its pair before it is destroyed, a pair leaves the array before its ghost
/// callback is told.
#ifndef CULLET_PAIR_CACHE_H
#define CULLET_PAIR_CACHE_H

#include "CulletPairArray.h"

#include <atomic>

/// Who fills a cache, and may put off the search for pairs until somebody looks.
class CulletPairSource
{
public:
    /// Adds the pairs that are pending, then says setPending( false ). Several threads that read the cache may call it
    /// at once.
    virtual void searchPending() = 0;

    /// Somebody else adds or removes the pair.
    virtual void pairEdited( const CulletProxyPair& pair ) = 0;

protected:
    ~CulletPairSource() = default;
};

/// The pairs are kept in the base's array. The base's own hash table stays empty: every base function that would read
/// it is overridden here.
///
/// Every virtual that reads or changes pairs first has the pending ones searched, so that nobody who goes through one
/// can tell when that happened. Three ways to the array do not: btHashedOverlappingPairCache's GetCount() and const
/// getOverlappingPairArray(), called on that class, and a reference to the array from before. They show what was there
/// when somebody last asked; asking the broadphase for its cache is enough. Where nothing is pending, as from
/// calculateOverlappingPairs until the next setAabb, all this is one test of a flag: any number of threads may read.
class CulletPairCache : public btHashedOverlappingPairCache
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

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

    // Pairs that are pending come before the callback, and are none of its business.
    void setOverlapFilterCallback( btOverlapFilterCallback* callback ) override;
    void setInternalGhostPairCallback( btOverlappingPairCallback* callback ) override;

    void cleanOverlappingPair( btBroadphasePair& pair, btDispatcher* dispatcher ) override;

    /// Cost: see CulletPairArray::listPairsOf. NULL: nothing.
    void removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;
    void cleanProxyFromPairs( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;

    // What follows is for the broadphase that owns the cache. Nothing of it searches what is pending, or is an edit.

    void setSource( CulletPairSource* source )
    {
        m_source = source;
    }

    /// Whether the source has pairs to search before anybody looks.
    void setPending( bool isPending )
    {
        m_isPending.store( isPending, std::memory_order_release );
    }

    void searchPending() const
    {
        if ( m_isPending.load( std::memory_order_acquire ) )
        {
            m_source->searchPending();
        }
    }

    CulletPairArray& getPairs()
    {
        return m_pairs;
    }

    bool hasPair( const CulletProxyPair& pair ) const
    {
        return m_pairs.find( pair ) != CulletPairArray::NONE;
    }

    /// \return false if the filter did not let it in
    bool addPair( const CulletProxyPair& pair );

    /// A pair that the filter was asked about already, if it is not there.
    void insertPair( const CulletProxyPair& pair );

    /// addPair on each pair in turn that is alive; the waits for memory overlap each other.
    /// \param rejected  gets those that the filter did not let in
    void addPairs( const CulletProxyPair* pairs, int count, btAlignedObjectArray<CulletProxyPair>& rejected );

    /// removeOverlappingPair on each pair in turn.
    void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    /// Takes out all pairs of a proxy that is about to be destroyed.
    void forgetProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher );

    // Begun pairs for ended ones. Where everything moves, about as many begin in a step as end. Taken out one by one,
    // each pair that ended would be replaced by the last of the array, whose entry in the index lies elsewhere again;
    // put in one by one, each that began would make the array longer again. Here it takes the place of one that ended,
    // what stays is not touched, and so half the memory is. Only for a cache with neither a ghost nor a filter
    // callback, which see single pairs come and go. To be called in the order in which they are listed.

    void startExchange();

    /// Cleans the pairs through the dispatcher, which may call anyone; they stay.
    void cleanEnded( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    /// Takes out what was cleaned, and makes room for so many.
    /// \return false if somebody changed the cache since the start: then nothing is done, and the exchange is over
    bool vacateEnded( int beganCount );

    /// Pairs that are there already stay as they are.
    void putBegan( const CulletProxyPair* pairs, int count );

    void finishExchange();

    bool hasGhostCallback() const
    {
        return m_ghostPairCallback != 0;
    }

    /// The ghost callback is Bullet's, or made from it: then every client object is a btCollisionObject.
    bool hasCollisionObjects() const
    {
        return m_hasCollisionObjects;
    }

private:
    /// Where a pair was that ended.
    struct Vacancy
    {
        int m_place;
        uint32_t m_hash;
    };

    CulletProxyPair edit( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 );
    btBroadphasePair* insertHashed( const CulletProxyPair& pair, uint32_t hash );
    btBroadphasePair* addHashed( const CulletProxyPair& pair, uint32_t hash );
    void* removeHashed( const CulletProxyPair& pair, uint32_t hash, btDispatcher* dispatcher );
    void* removeAt( int place, btDispatcher* dispatcher );

    CulletPairArray m_pairs{ btHashedOverlappingPairCache::getOverlappingPairArray() };
    btAlignedObjectArray<Vacancy> m_vacancies;
    int m_occupied = 0;             ///< the first of them, which have new pairs
    uint32_t m_exchangeVersion = 0; ///< of the pairs when the exchange started
    CulletPairSource* m_source = 0;
    std::atomic<bool> m_isPending{ false };
    bool m_hasCollisionObjects = false;
};

#endif
