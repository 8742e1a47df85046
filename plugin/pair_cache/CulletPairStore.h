// SPDX-License-Identifier: Zlib
/// \file CulletPairStore.h
/// Where the broadphase puts its pairs. CulletPairCache is the broadphase's own; CulletGivenCache wraps a pair cache of
/// the application.
#ifndef CULLET_PAIR_STORE_H
#define CULLET_PAIR_STORE_H

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include "CulletPairNote.h"

#include <atomic>

class CulletPairExchange;

/// What fills the broadphase's own cache. It may put off searches for pairs until the cache is read.
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

protected:
    ~CulletPairSource() = default;

    void setPending( bool isPending )
    {
        m_isPending.store( isPending, std::memory_order_release );
    }

private:
    /// Adds the pairs that are pending, then calls setPending( false ).
    virtual void searchNow() = 0;

    std::atomic<bool> m_isPending{ false };
};

class CulletPairStore
{
public:
    virtual ~CulletPairStore() = default;

    virtual btOverlappingPairCache* getCache() = 0;

    /// The cache leaves it to the broadphase to drop pairs that ended, as Bullet's sorted and null caches do. It gets
    /// its pairs in updates only.
    bool isDeferring() const
    {
        return m_isDeferring;
    }

    /// The cache has a ghost callback of Bullet's, or one derived from it: then every client object is a
    /// btCollisionObject. False for a given cache.
    bool hasCollisionObjects() const
    {
        return m_hasCollisionObjects;
    }

    /// The source is called before the cache is read or edited. A given cache calls none.
    virtual void setSource( CulletPairSource* )
    {
    }

    // -------------------------------------------------------------------------------------------------------- filters

    virtual const btOverlapFilterCallback* getFilterCallback() = 0;

    /// At present groups and masks alone decide which pairs the cache takes.
    virtual bool isFilteredByMasks() = 0;

    /// Callbacks, or a class that is not ours, see single pairs come and go, and in which order.
    virtual bool isObserved() = 0;

    // ---------------------------------------------------------------------------------------------------------- pairs

    virtual bool hasPair( const CulletProxyPair& pair ) const = 0;

    /// Removes from `notes` the pairs that the cache has.
    virtual void leaveOutPresent( CulletPairNotes& notes ) const = 0;

    /// \return false if the filter rejected it
    virtual bool addPair( const CulletProxyPair& pair ) = 0;

    /// addPair on each pair in turn that is alive.
    /// \param rejected  rejected pairs are appended
    virtual void addPairs( const CulletProxyPair* pairs, int count,
                           btAlignedObjectArray<CulletProxyPair>& rejected ) = 0;

    /// Removes those pairs that are present; others may be named.
    virtual void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher ) = 0;

    /// Removes all pairs of a proxy that is about to be destroyed.
    virtual void removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) = 0;

    /// Whether the filter accepts a pair that it rejected earlier. A given cache takes an accepted pair at once,
    /// because it would ask its filter a second time; else addAccepted adds it.
    virtual bool askAgain( const CulletProxyPair& pair ) = 0;

    /// Adds a pair that askAgain accepted, unless it is present.
    virtual void addAccepted( const CulletProxyPair& )
    {
    }

    // --------------------------------------------------------------------------------------------------------- updates

    /// An update is about to add and remove this many pairs in all.
    virtual void expectChanges( size_t )
    {
    }

    /// An update is about to add this many pairs.
    virtual void expectAdded( size_t )
    {
    }

    /// Moves to the front those pairs that addPairs has to receive, if some may be present already.
    /// \return how many there are
    virtual int selectAbsent( CulletProxyPair* pairs, int count ) const = 0;

    /// Adds and removes many pairs faster. NULL if pairs have to come and go one by one.
    virtual CulletPairExchange* getExchange()
    {
        return 0;
    }

    /// The application changed the cache, without a call of the source.
    virtual bool isEdited()
    {
        return false;
    }

    /// Compares later edits with the cache as it is now.
    virtual void acceptEdits()
    {
    }

protected:
    bool m_isDeferring = false;
    bool m_hasCollisionObjects = false;
};

#endif
