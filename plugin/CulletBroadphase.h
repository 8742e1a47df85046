// SPDX-License-Identifier: Zlib
/// \file CulletBroadphase.h
/// Cullet as a Bullet broadphase: write `new CulletBroadphase()` where `new btDbvtBroadphase()` stood. It is compiled
/// with the application's own flags, because precision, BT_THREADSAFE, SSE and the Bullet version are its choices; the
/// work is done behind cullet.h.
///
/// After calculateOverlappingPairs the pair cache holds exactly the pairs whose last boxes overlap and that the cache's
/// filter let in, now or when they began to overlap: a pair that is there stays while its boxes overlap, whatever becomes
/// of groups, masks and callbacks. One that was not let in is tried again when either proxy is set again, changed box or
/// not. (In worlds of more than LOOKS proxies, a mask that is edited in place may be noticed some steps late, if its own
/// proxy is not set afterwards. A callback that changes its mind about a pair within the step in which it was asked is
/// asked again in the next step in which anything is set.) Pairs that the application itself puts into the cache or takes
/// out are put right again.
///
/// Pairs are there at once, without waiting for calculateOverlappingPairs, for every proxy that is created, for ghosts
/// that are set (if the cache is the broadphase's own and has a ghost callback), and for the first EAGER_MOVES boxes that
/// change after a calculateOverlappingPairs. Whoever sets more sets them all, and gets them searched together. In the
/// broadphase's own cache, without callbacks, the pairs of those boxes are searched when somebody asks the broadphase for
/// the cache or the cache for anything, with the boxes, groups and masks of then; if nobody does before the next
/// calculateOverlappingPairs, that finds them among all others. CulletPairCache says which readers do not ask.
///
/// Queries see the newest boxes, may run on any number of threads at once and inside each other's callbacks, as long as
/// nobody changes the broadphase meanwhile. As in btDbvtBroadphase, what they report may be up to gDbvtMargin away. A box
/// with a NaN meets nothing.
///
/// A ghost callback in the broadphase's own cache, whatever its class, says that every client object is a
/// btCollisionObject.
///
/// Given caches are used pair by pair. One with deferred removal (sorted, null) gets its pairs in
/// calculateOverlappingPairs only, and what its filter did not let in is not tried again.
#ifndef CULLET_BROADPHASE_H
#define CULLET_BROADPHASE_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"

#include "CulletMoveOrder.h"
#include "CulletPairCache.h"
#include "CulletProxyPool.h"
#include "CulletUidOrder.h"
#include "cullet.h"

#include <mutex>

class CulletBroadphase : public btBroadphaseInterface, private CulletPairSource
{
public:
    /// Changed boxes since the last calculateOverlappingPairs whose pairs are there for whoever looks after setAabb.
    static const int EAGER_MOVES = 16;

    /// Proxies whose masks are looked at in a calculateOverlappingPairs, in turns, for edits in place, are as many as were
    /// set since the last one, but these at least and at most.
    static const int LOOKS = 256;
    static const int MOST_LOOKS = 4096;

    /// \param pairCache  stays the caller's, must outlive the broadphase's use; NULL for one of its own
    explicit CulletBroadphase( btOverlappingPairCache* pairCache = 0 );

    /// \param def  device, algorithm, threads and hooks. Its precision becomes Bullet's; filterMasks becomes true. A def
    ///             that cannot be had is replaced, see getCreationStatus
    explicit CulletBroadphase( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache = 0 );

    /// Touches neither a given pair cache, nor a dispatcher, nor client objects. Proxies may still be alive.
    ~CulletBroadphase() override;

    /// Never NULL. While the core has no memory, queries find the new proxy, but pairs come only from the first
    /// calculateOverlappingPairs on for which there is memory again; until then getStatus says clt_hostMemory.
    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int collisionFilterGroup, int collisionFilterMask,
                                    btDispatcher* dispatcher ) override;

    /// The proxy's pairs leave the cache at once, while both client objects are still intact.
    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;

    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override;

    /// Exactly the last box given.
    void getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const override;

    /// Every proxy for which btRayAabb2 holds on its box, grown by gDbvtMargin and swept by [aabbMin, aabbMax], each once,
    /// whatever process() returns. Like btDbvtBroadphase it takes the inverse direction, signs and length from the callback, as they are
    /// at the call.
    void rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& rayCallback,
                  const btVector3& aabbMin = btVector3( 0, 0, 0 ),
                  const btVector3& aabbMax = btVector3( 0, 0, 0 ) ) override;

    /// Every proxy whose box, grown by gDbvtMargin, overlaps the given one, touching included, each once, whatever process() returns.
    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override;

    /// Ended pairs leave the cache, then begun pairs enter it, both ascending by the two uids, for all that is called about
    /// them. Where pairs lie in the array depends on nothing but the calls that were made, of the cache included.
    void calculateOverlappingPairs( btDispatcher* dispatcher ) override;

    /// Whoever asks means to read: pairs that setAabb put off are searched.
    btOverlappingPairCache* getOverlappingPairCache() override;
    const btOverlappingPairCache* getOverlappingPairCache() const override;

    /// The bounds of all boxes without a NaN, (0,0,0) if there are none. Planes of +-BT_LARGE_FLOAT and infinite boxes
    /// count like any other. Looks at every proxy.
    void getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const override;

    /// With no proxies alive, forgets all history: uids start at 1 again and a re-run gives the same bytes; the core is
    /// replaced by a new one. Otherwise does nothing.
    void resetPool( btDispatcher* dispatcher ) override;

    /// Prints nothing, on purpose: ask cltBroadphase_GetStats( getCore(), … ).
    void printStats() override;

    /// For statistics and for reading. Changing it breaks the broadphase. Valid until resetPool; NULL only while there
    /// has not been memory to create one.
    cltBroadphase* getCore() const
    {
        return m_core;
    }

    /// What the core said to the def. clt_ok: it is used as given. clt_noDevice, clt_deviceMemory, clt_deviceFailed: the
    /// CPU was taken instead. clt_invalidArgument: the def was replaced by cltDefaultBroadphaseDef().
    cltStatus getCreationStatus() const
    {
        return m_creationStatus;
    }

    /// clt_ok while the pair set is complete as of the last calculateOverlappingPairs. Otherwise why it is not: the pairs
    /// of before are kept, nothing is lost, and the next calculateOverlappingPairs tries again.
    cltStatus getStatus() const
    {
        return m_status;
    }

    /// Milliseconds of the last calculateOverlappingPairs that went into the pair cache: ended pairs out, begun ones in,
    /// with all that the cache's filter and edits of the cache ask for. 0 if the core could not be updated.
    float getCacheMs() const
    {
        return m_cacheMs;
    }

    // Members of btDbvtBroadphase that applications call by name. Here every box is exact and nothing is predicted, so
    // the first three have no effect.

    void setVelocityPrediction( btScalar prediction )
    {
        m_velocityPrediction = prediction;
    }

    btScalar getVelocityPrediction() const
    {
        return m_velocityPrediction;
    }

    void optimize()
    {
    }

    void collide( btDispatcher* dispatcher )
    {
        calculateOverlappingPairs( dispatcher );
    }

    /// Only caches with deferred removal have any: drops their pairs that no longer overlap.
    void performDeferredRemoval( btDispatcher* dispatcher );

    void setAabbForceUpdate( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                             btDispatcher* dispatcher )
    {
        setAabb( proxy, aabbMin, aabbMax, dispatcher );
    }

    /// True: pairs come in calculateOverlappingPairs only. For applications that never read pairs in between.
    bool m_deferedcollide;

private:
    CulletBroadphase( const CulletBroadphase& ) = delete;
    CulletBroadphase& operator=( const CulletBroadphase& ) = delete;

    // CulletBroadphase.cpp: creation and proxies
    void initialize( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache );
    void clearHistory();
    cltStatus openCore( cltBroadphase** core ) const;
    cltProxyId takeSlot( const CulletProxy& proxy );
    void settleWaiting();

    // CulletSearch.cpp: pairs at once
    bool hasGhostCallback() const
    {
        return m_ownPairCache && m_ownPairCache->hasGhostCallback();
    }

    bool isAnyoneAsked() const;
    void noteMoved( CulletProxy* proxy );
    void searchPairs( CulletProxy* proxy );
    void searchOwed() override;
    void forgetOwed();
    bool isCached( const CulletProxyPair& pair ) const;

    // CulletFilters.cpp: who may pair
    void chooseWhoFilters();
    void lookForEdits();
    void noteFilter( CulletProxy* proxy );
    void tellFilter( const CulletProxy& proxy );
    cltFilter filterOf( const CulletProxy& proxy ) const;
    void noteRareSetting( CulletProxy* proxy );

    /// Called for every proxy that is set, changed box or not.
    void noteSetting( CulletProxy* proxy )
    {
        ++m_setCount;
        if ( proxy->isFilterEdited() || m_turnedDown.getPairCount() > 0 )
        {
            noteRareSetting( proxy );
        }
    }

    bool offer( const CulletProxyPair& pair );
    bool wasAsked( const CulletProxyPair& pair ) const;
    void turnDown( const CulletProxyPair& pair );
    void listTurnedDown( btAlignedObjectArray<int>& indices );
    void offerTurnedDown();
    bool askCache( const CulletProxyPair& pair );
    void forgetTurnedDown( btAlignedObjectArray<CulletPairNote>& notes );
    bool coreHolds( const CulletProxyPair& pair ) const;

    // CulletChanges.cpp: from the core's changes to the pair cache
    bool canExchange( const cltPairChanges& changes ) const;
    bool exchange( const cltPairChanges& changes, btDispatcher* dispatcher );
    void removeAndAdd( const cltPairChanges& changes, btDispatcher* dispatcher );
    template <typename Visit>
    void forBlocks( const cltPair* pairs, size_t count, Visit visit ) const;
    const cltPair* leaveOutOffered( const cltPair* pairs, size_t& count );
    void removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher );
    void removeEndedBlock( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );
    void addBegan( const cltPair* pairs, size_t count );
    const cltPair* orderByUid( const cltPair* pairs, size_t count );
    void lookUp( const cltPair* pairs, int count, CulletProxyPair* found ) const;

    // CulletRepairs.cpp: what the core's changes alone do not tell
    int setAsideKept( CulletProxyPair* pairs, int count );
    void keepOrRemove( const CulletProxyPair& pair, btDispatcher* dispatcher );
    void reviewOffered( btDispatcher* dispatcher );
    void reviewKept( btDispatcher* dispatcher );
    void reviewEdits( btDispatcher* dispatcher );
    void noticeEdits();
    void rememberCache();
    void repairCache( btDispatcher* dispatcher );
    void dropSeparated( btDispatcher* dispatcher );

    cltBroadphaseDef m_def; ///< with what is overruled already overruled
    cltBroadphase* m_core;
    cltStatus m_creationStatus;
    cltStatus m_status;
    btOverlappingPairCache* m_pairCache;
    CulletPairCache* m_ownPairCache; ///< the same cache if it is ours, else NULL
    bool m_cacheDefers;              ///< hasDeferredRemoval() of the cache

    CulletProxyPool m_proxies;
    CulletMoveOrder m_moveOrder;
    int m_waitingCount; ///< proxies without a slot
    int m_lastUid;
    cltProxyId m_freshSlot; ///< slots from here on were never used
    bool m_slotsFollowUids; ///< no slot was used twice, so the core's order by slot is the order by uid

    /// Another even number whenever a filter may give another answer: in every step, and when a mask, a group or the
    /// callback is seen to be another.
    uint32_t m_circumstances;
    const btOverlapFilterCallback* m_knownCallback; ///< of our own cache
    int m_eagerMoves;                               ///< left until the next one
    bool m_coreFilters;    ///< the core applies group and mask; else it pairs whatever overlaps and the cache is asked
    bool m_offerAll;       ///< that was turned down, at the next update
    bool m_filtersMixed;   ///< some proxy's filter changed since the last update: pairs may end that still overlap
    uint32_t m_setCount;   ///< proxies that were set since the last update, changed box or not
    cltProxyId m_nextLook; ///< where lookForEdits goes on
    int m_knownCount;      ///< pairs in a given cache after we last touched it, and the first and the last of them
    CulletProxyPair m_knownFirst;
    CulletProxyPair m_knownLast;
    bool m_cacheEdited; ///< somebody else touched it since
    float m_cacheMs;

    // Where a pair of overlapping boxes is, besides being held by the core or not:
    //
    //     in the cache and held       as it should be. When it ends, the core tells
    //     in the cache, not held      in m_kept: let in once, and the filter would not do so today
    //     held, not in the cache      in m_turnedDown: the cache was asked and said no
    //     neither                     the core filters, and the masks do not meet
    //
    // m_offered and the own cache's edits are pairs of which that has to be found out at the next update.
    btAlignedObjectArray<cltPair> m_offered; ///< to the cache since the last update, with whatever answer
    btAlignedObjectArray<CulletPairNote> m_kept;
    btAlignedObjectArray<CulletProxy*> m_setAgain; ///< since the last update, and some pair of theirs was turned down
    CulletPairCache m_turnedDown; ///< a set; m_internalTmpValue is m_circumstances when a pair was asked about

    CulletProxy* m_owed[EAGER_MOVES]; ///< moved, and their pairs are searched when somebody looks
    int m_owedCount;
    std::mutex m_owedLock; ///< held by the one that searches

    btAlignedObjectArray<cltProxyId> m_found;         ///< scratch of searchPairs
    btAlignedObjectArray<CulletProxyPair> m_rejected; ///< scratch of addBegan
    btAlignedObjectArray<cltPair> m_fresh;            ///< scratch of leaveOutOffered
    CulletUidOrder m_uidOrder;
    btScalar m_velocityPrediction;
};

#endif
