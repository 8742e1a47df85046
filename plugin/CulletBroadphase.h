// SPDX-License-Identifier: Zlib
/// \file CulletBroadphase.h
/// Cullet as a Bullet broadphase: write `new CulletBroadphase()` where `new btDbvtBroadphase()` stood. It is compiled
/// with the application's own flags, because precision, BT_THREADSAFE, SSE and the Bullet version are its choices; the
/// work is done behind cullet.h.
///
/// After calculateOverlappingPairs the pair cache holds exactly the pairs whose last boxes overlap and that the cache's
/// filter let in when they began to. Queries see the newest boxes, may run on any number of threads at once and inside
/// each other's callbacks, as long as nobody changes the broadphase meanwhile. A box with a NaN meets nothing.
#ifndef CULLET_BROADPHASE_H
#define CULLET_BROADPHASE_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"

#include "CulletProxyPool.h"
#include "cullet.h"

class btOverlappingPairCache;
class CulletPairCache;
struct CulletProxyPair;

class CulletBroadphase : public btBroadphaseInterface
{
public:
    /// \param pairCache  stays the caller's, must outlive the broadphase's use; NULL for one of its own
    explicit CulletBroadphase( btOverlappingPairCache* pairCache = 0 );

    /// \param def  device, algorithm, threads and hooks. Its precision becomes Bullet's; filterMasks becomes false, since
    ///             Bullet's pair cache asks the filter. A def that cannot be had is replaced, see getCreationStatus
    explicit CulletBroadphase( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache = 0 );

    /// Touches neither a given pair cache, nor a dispatcher, nor client objects. Proxies may still be alive.
    ~CulletBroadphase() override;

    /// Never NULL. While the core has no memory, the new proxy is found by queries, but pairs only from the first
    /// calculateOverlappingPairs for which there is memory again; until then getStatus says clt_hostMemory.
    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int collisionFilterGroup, int collisionFilterMask,
                                    btDispatcher* dispatcher ) override;

    /// The proxy's pairs leave the cache at once, while both client objects are still intact.
    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;

    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override;

    /// Exactly the last box given.
    void getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const override;

    /// Every proxy for which btRayAabb2 holds on its box swept by [aabbMin, aabbMax], each once, whatever process()
    /// returns. Like btDbvtBroadphase it takes the inverse direction, signs and length from the callback, as they are
    /// at the call.
    void rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& rayCallback,
                  const btVector3& aabbMin = btVector3( 0, 0, 0 ),
                  const btVector3& aabbMax = btVector3( 0, 0, 0 ) ) override;

    /// Every proxy whose box overlaps the given one, touching included, each once, whatever process() returns.
    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override;

    /// Ended pairs leave the cache, then begun pairs enter it, both ascending by the two uids.
    void calculateOverlappingPairs( btDispatcher* dispatcher ) override;

    btOverlappingPairCache* getOverlappingPairCache() override
    {
        return m_pairCache;
    }

    const btOverlappingPairCache* getOverlappingPairCache() const override
    {
        return m_pairCache;
    }

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

    /// What the core said to the def. clt_ok: it is used as given. clt_noDevice: the best device there is was taken
    /// instead. clt_invalidArgument: the def was replaced by cltDefaultBroadphaseDef().
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

    void setAabbForceUpdate( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                             btDispatcher* dispatcher )
    {
        setAabb( proxy, aabbMin, aabbMax, dispatcher );
    }

private:
    /// A pair and its rank in the canonical order.
    struct KeyedPair
    {
        uint64_t m_uids;
        cltPair m_slots;

        bool operator<( const KeyedPair& other ) const
        {
            return m_uids < other.m_uids;
        }
    };

    CulletBroadphase( const CulletBroadphase& ) = delete;
    CulletBroadphase& operator=( const CulletBroadphase& ) = delete;

    void initialize( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache );
    cltStatus openCore( cltBroadphase** core ) const;
    cltProxyId takeSlot( const btBroadphaseProxy& proxy );
    void settleWaiting();
    void removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher );
    void addBegan( const cltPair* pairs, size_t count );
    const cltPair* orderByUid( const cltPair* pairs, size_t count );
    void lookUp( const cltPair* pairs, int count, CulletProxyPair* found ) const;
    void dropSeparated( btDispatcher* dispatcher );

    cltBroadphaseDef m_def; ///< with what is overruled already overruled
    cltBroadphase* m_core;
    cltStatus m_creationStatus;
    cltStatus m_status;
    btOverlappingPairCache* m_pairCache;
    CulletPairCache* m_ownPairCache; ///< the same cache if it is ours, else NULL

    CulletProxyPool m_proxies;
    int m_waitingCount; ///< proxies without a slot
    int m_lastUid;
    cltProxyId m_freshSlot; ///< slots from here on were never used
    bool m_slotsFollowUids; ///< no slot was used twice, so the core's order by slot is the order by uid

    btAlignedObjectArray<KeyedPair> m_keyedPairs; ///< scratch of orderByUid
    btAlignedObjectArray<cltPair> m_orderedPairs; ///< its result
    btScalar m_velocityPrediction;
};

#endif
