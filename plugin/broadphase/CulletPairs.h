// SPDX-License-Identifier: Zlib
/// \file CulletPairs.h
/// Keeps Bullet's pair cache in step with the core: what ended leaves, what began enters, in the canonical order; pairs
/// at once for callers who read the cache on the line after createProxy or setAabb, as character controllers do; and
/// who may pair, with who decides it.
///
/// As long as groups and masks alone decide, in our own cache or in a given one, the core applies them, and a crowd
/// that may not pair costs nothing. Once a callback has a say, or a given cache has a rule of its own, the core pairs
/// whatever overlaps, the cache is asked once for each pair that begins, and what it rejected is remembered, to be
/// offered again when a box or a filter of either proxy has changed: answers may change, and Bullet tells nobody.
///
/// As a rule a pair is held by the core and in the cache, or neither. What the core's changes do not tell is due, to be
/// looked at in the next update: pairs that are in the cache, but not held, because the filter would not let them in
/// today; pairs that somebody else put in or took out; pairs that were offered before the core heard of them, and are
/// over.
///
/// The application's callbacks about pairs may destroy, create and move any proxy. While the cache is being changed,
/// searches for what was created and moved are put off until that is done.
#ifndef CULLET_PAIRS_H
#define CULLET_PAIRS_H

#include "CulletCore.h"
#include "CulletRejectedPairs.h"
#include "pair_cache/CulletGivenCache.h"
#include "pair_cache/CulletPairCache.h"

#include <memory>
#include <mutex>

class CulletPairs : private CulletPairSource
{
public:
    /// Changed boxes since the last update whose pairs are there for whoever looks after setAabb.
    static const int EAGER_MOVES = 16;

    /// Proxies whose masks are looked at in an update, in turns, for edits in place, are as many as were set since the
    /// last one, but these at least and at most.
    static const int LOOKS = 256;
    static const int MOST_LOOKS = 4096;

    /// \param givenCache  NULL for one of its own
    CulletPairs( CulletCore& core, btOverlappingPairCache* givenCache );

    /// As if nothing had happened yet. There are no proxies.
    void clear();

    btOverlappingPairCache* getCache() const
    {
        return m_cache;
    }

    /// Whether this is called from within a callback about pairs.
    bool isChanging() const
    {
        return m_changeDepth > 0;
    }

    /// Somebody is about to read the cache.
    void look() const
    {
        if ( m_own )
        {
            m_own->searchPending();
        }
    }

    void searchCreated( CulletProxy* proxy );

    /// To be called for every proxy that is set, changed box or not.
    void beforeSetting( CulletProxy* proxy )
    {
        ++m_setCount;
        if ( proxy->isFilterEdited() )
        {
            readFilter( proxy );
        }
        else if ( m_core.isFiltering() && !m_rejected.isEmpty() ) // by a mask that was edited, and perhaps is as before
        {
            retry( proxy );
        }
    }

    /// The proxy has a slot, and a new box.
    /// \param mayBeSearched  its pairs are wanted before the next update, if it is one of the first or a ghost
    void afterMoving( CulletProxy* proxy, bool mayBeSearched )
    {
        const bool mayBeEager = mayBeSearched && ( m_eagerMoves > 0 || hasGhostCallback() );
        if ( !( mayBeEager && searchIfEager( proxy ) ) && !m_rejected.isEmpty() )
        {
            retry( proxy );
        }
    }

    /// Destroys it. Its pairs leave the cache first.
    void destroy( CulletProxy* proxy, btDispatcher* dispatcher );

    /// \return false if it is called from within an update, where it does nothing
    bool update( btDispatcher* dispatcher );

    void performDeferredRemoval( btDispatcher* dispatcher );

    float getCacheMs() const
    {
        return m_cacheMs;
    }

private:
    /// What `action` does changes the cache. When the outermost change is over, what was put off is searched, or
    /// pending until somebody looks.
    template <typename Action>
    void change( Action action )
    {
        ++m_changeDepth;
        action();
        endChange();
    }

    bool hasGhostCallback() const
    {
        return m_own && m_own->hasGhostCallback();
    }

    bool isCached( const CulletProxyPair& pair ) const
    {
        return m_own ? m_own->hasPair( pair ) : m_given.hasPair( pair );
    }

    // CulletPairs.cpp: pairs at once, and who may pair
    bool isAnyoneAsked() const;
    bool searchIfEager( CulletProxy* proxy );
    void putOff( CulletProxy* proxy );
    void searchPending() override;
    void searchPutOff();
    void endChange();
    void search( CulletProxy* proxy, bool isNew );
    void leaveOutKnown( CulletPairNotes& found );
    void offerFound( const CulletProxyPair& pair );
    bool offer( const CulletProxyPair& pair );
    void remove( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );
    const btOverlapFilterCallback* getFilterCallback() const;
    bool isFilteredByMasks() const;
    void chooseWhoFilters();
    void lookForEdits();
    void readFilter( CulletProxy* proxy );
    void pairEdited( const CulletProxyPair& pair ) override;

    // CulletPairsUpdate.cpp: from the core's changes to the cache
    void handOver( const cltPairChanges& changes, btDispatcher* dispatcher );
    bool canExchange( const cltPairChanges& changes ) const;
    bool exchange( const cltPairChanges& changes, btDispatcher* dispatcher );
    void removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher );
    int keepAllowed( CulletProxyPair* pairs, int count );
    void addBegan( const cltPair* pairs, size_t count );
    void addFresh( const CulletProxyPair* pairs, int count );
    int leaveOutOffered( CulletProxyPair* pairs, int count ) const;

    // CulletPairsDue.cpp: what the changes alone do not tell
    void listDue();
    void removeOver( btDispatcher* dispatcher );
    void settleDue();
    void repair( btDispatcher* dispatcher );

    // CulletPairsRejected.cpp: what the cache did not let in, and may let in later
    void reject( const CulletProxyPair& pair );
    bool wasAsked( const CulletProxyPair& pair ) const;
    void retry( CulletProxy* proxy );
    void askAgain();
    void askAgainAt( int place, CulletPairNotes& settled, CulletPairNotes& letIn );
    void removeRejected( const CulletPairNotes& notes );

    CulletCore& m_core;
    std::unique_ptr<CulletPairCache> m_own; ///< NULL if the application gave one
    btOverlappingPairCache* m_cache;        ///< whichever it is
    CulletGivenCache m_given;
    CulletRejectedPairs m_rejected;

    /// Another number whenever a filter may give another answer: in every step, and when a mask, a group or the
    /// callback is seen to be another.
    uint32_t m_moment;
    const btOverlapFilterCallback* m_knownCallback; ///< of the cache
    bool m_filtersMixed; ///< some proxy's filter changed since the last update: pairs may end that still overlap
    uint32_t m_setCount; ///< proxies that were set since the last update, changed box or not
    cltProxyId m_nextLook;
    int m_eagerMoves; ///< left until the next update

    CulletPairNotes m_due;                   ///< in the next update
    btAlignedObjectArray<cltPair> m_offered; ///< before the core knew them, and taken or held; by slots

    btAlignedObjectArray<CulletProxy*> m_pending; ///< to be searched when somebody looks, or the change is over
    std::mutex m_pendingLock;                     ///< held by the one that searches
    int m_changeDepth;
    float m_cacheMs;

    // Of the update under way.
    bool m_stepMixed;          ///< what m_filtersMixed was
    CulletPairNotes m_stepDue; ///< ascending by uids

    CulletPairNotes m_found;                               ///< scratch of search
    btAlignedObjectArray<CulletProxyPair> m_freshRejected; ///< scratch of addBegan
};

#endif
