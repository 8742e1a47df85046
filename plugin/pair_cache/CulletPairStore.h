// SPDX-License-Identifier: Zlib
/// \file CulletPairStore.h
/// The interface of the pair cache that the broadphase fills. CulletPairCache is the broadphase's own; CulletGivenCache
/// wraps a pair cache of the application.
#ifndef CULLET_PAIR_STORE_H
#define CULLET_PAIR_STORE_H

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include "CulletPairNote.h"

#include <atomic>
#include <string.h>

class CulletPairExchange;
class CulletPairMerge;

/// The source of the pairs in the broadphase's own cache. It may delay searches for pairs until the cache is read.
class CulletPairSource
{
public:
    /// Called before the cache is read. Any number of threads may call it at once.
    void searchPending()
    {
        if ( m_isPending.load( std::memory_order_acquire ) )
        {
            searchNow();
        }
    }

    /// Called before the application adds or removes the pair itself.
    virtual void pairEdited( const CulletProxyPair& pair ) = 0;

    /// Finds the pairs that the proxy may have in the cache, in no order.
    /// \return false if the cache may have others, too, if finding them takes long, or if there are more than `most`
    virtual bool findPairsOf( btBroadphaseProxy* proxy, int most, CulletPairNotes& found ) const = 0;

protected:
    ~CulletPairSource() = default;

    void setPending( bool isPending )
    {
        m_isPending.store( isPending, std::memory_order_release );
    }

private:
    /// Makes the pending searches, then calls setPending( false ).
    virtual void searchNow() = 0;

    std::atomic<bool> m_isPending{ false };
};

/// True if the object is of class `Known`. Without run-time types, a class derived from it is not recognized.
template <typename Known, typename Base>
bool culletIs( const Base* object )
{
#if defined( __cpp_rtti ) || defined( __GXX_RTTI ) || defined( _CPPRTTI )
    return dynamic_cast<const Known*>( object ) != 0;
#else
    const Known known;
    return object && memcmp( static_cast<const void*>( object ), static_cast<const void*>( &known ),
                             sizeof( void* ) ) == 0; // both begin with the table of their virtual functions
#endif
}

class CulletPairStore
{
public:
    virtual ~CulletPairStore() = default;

    virtual btOverlappingPairCache* getCache() = 0;

    /// True for a cache with deferred removal, such as Bullet's sorted and null caches: it ignores
    /// removeOverlappingPair and finds no single pair, so pairs that ended are removed together. Such a cache receives
    /// pairs in updates only.
    bool isDeferring() const
    {
        return m_isDeferring;
    }

    /// True if the cache has Bullet's ghost callback, or one derived from it: then every client object is a
    /// btCollisionObject. False for a given cache.
    bool hasCollisionObjects() const
    {
        return m_hasCollisionObjects;
    }

    /// Sets the source, which is called before the cache is read or edited. A given cache calls no source.
    virtual void setSource( CulletPairSource* )
    {
    }

    // -------------------------------------------------------------------------------------------------------- filters

    virtual const btOverlapFilterCallback* getFilterCallback() = 0;

    /// How often a filter callback was installed. Always 0 for a given cache.
    virtual uint32_t getInstallCount() const
    {
        return 0;
    }

    /// True if currently only groups and masks decide which pairs the cache accepts.
    virtual bool isFilteredByMasks() = 0;

    /// True if callbacks or a class of the application observe each addition and removal, and their order.
    virtual bool isObserved() = 0;

    // ---------------------------------------------------------------------------------------------------------- pairs

    virtual bool hasPair( const CulletProxyPair& pair ) const = 0;

    /// Removes from `notes` the pairs that the cache has.
    virtual void leaveOutPresent( CulletPairNotes& notes ) const = 0;

    /// \return false if the filter rejected the pair
    virtual bool addPair( const CulletProxyPair& pair ) = 0;

    /// Calls addPair for each pair that is alive, in array order.
    /// \param rejected  rejected pairs are appended
    virtual void addPairs( const CulletProxyPair* pairs, int count,
                           btAlignedObjectArray<CulletProxyPair>& rejected ) = 0;

    /// Removes the pairs that are present, and ignores the others.
    virtual void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher ) = 0;

    /// Removes pairs from a cache with deferred removal: first their algorithms are destroyed, then all leave the
    /// array.
    /// \param pairs  ascending
    virtual void removeTogether( const CulletPairNotes&, btDispatcher* )
    {
    }

    /// Removes all pairs of a proxy that is about to be destroyed.
    virtual void removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) = 0;

    /// Calls the filter again for a rejected pair. \return true if it accepts. A given cache adds an accepted pair at
    /// once, so that its filter is called only once. To the broadphase's own cache, addAccepted adds the pair.
    virtual bool askAgain( const CulletProxyPair& pair ) = 0;

    /// Adds a pair that askAgain accepted, unless it is present.
    virtual void addAccepted( const CulletProxyPair& )
    {
    }

    // --------------------------------------------------------------------------------------------------------- updates

    /// Called before an update, with the number of pairs that it adds and removes in all.
    virtual void expectChanges( size_t )
    {
    }

    /// Called before an update adds pairs, with their number.
    virtual void expectAdded( size_t )
    {
    }

    /// Moves the pairs that addPairs must receive to the front of the array. Leaves out pairs that are present, unless
    /// addPairs itself skips them.
    /// \return number of pairs at the front
    virtual int selectAbsent( CulletProxyPair* pairs, int count ) const = 0;

    // Objects that add and remove many pairs faster. Both are NULL if pairs must be added and removed one by one.

    virtual CulletPairExchange* getExchange()
    {
        return 0;
    }

    virtual CulletPairMerge* getMerge()
    {
        return 0;
    }

    // A given cache does not report edits to a source. Once it counts as edited, updates compare all its pairs with
    // those of the core.

    virtual bool isEdited()
    {
        return false;
    }

    /// The cache counts as edited from now on, even if its pairs do not show it.
    virtual void countAsEdited()
    {
    }

    /// Makes the current pairs the reference for isEdited.
    virtual void acceptEdits()
    {
    }

    /// Appends all pairs of a given cache, ascending.
    virtual void listPairs( CulletPairNotes& ) const
    {
    }

protected:
    bool m_isDeferring = false;
    bool m_hasCollisionObjects = false;
};

#endif
