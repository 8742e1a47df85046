// SPDX-License-Identifier: Zlib
/// \file CulletBroadphase.h
/// Cullet as a Bullet broadphase: write `new CulletBroadphase()` where `new btDbvtBroadphase()` stood. It is compiled
/// with the application's own flags, because precision, BT_THREADSAFE, SSE and the Bullet version are its choices; the
/// work is done behind cullet.h.
///
/// After calculateOverlappingPairs the pair cache holds exactly the pairs that overlap by their last boxes and that the
/// cache's filter accepted, now or when they began to overlap. A present pair stays while its boxes overlap, whatever
/// becomes of groups, masks and callbacks. A rejected pair is tried again by the next calculateOverlappingPairs after
/// either proxy got another box, group or mask, and when another callback is installed, but not after a box was set to
/// its current value. (A mask that is edited in place is noticed in a step in which any proxy is created or set; in
/// worlds of more than LOOKS proxies some steps later, if its own proxy is not set afterwards. A callback is asked
/// about a pair at most once a step: if a box of the pair changes after that call, the callback is asked again in the
/// next step in which any proxy is created or set.) Pairs that the application itself adds to the cache or removes from
/// it are corrected. (In a given cache, edits are noticed by the number of pairs, the first pair and the last pair. If
/// the application adds a pair, then removes another one that is neither, they are corrected after the next edit.)
///
/// Without a filter callback, groups and masks decide. Pairs that they reject cost nothing and are not offered to any
/// cache. If a given cache overrides needsBroadphaseCollision, that function is called like a filter callback.
///
/// Some pairs are present at once, without calculateOverlappingPairs: those of every proxy that is created, of ghosts
/// that are set (if the cache is the broadphase's own and has a ghost callback), and of the first EAGER_MOVES boxes
/// that change after a calculateOverlappingPairs. A program that sets more boxes mostly sets all of them, and these are
/// searched together. In the broadphase's own cache, without callbacks, these pairs are searched when the program reads
/// the cache or calls getOverlappingPairCache, by the boxes, groups and masks of that time; else the next
/// calculateOverlappingPairs finds these pairs. CulletPairCache lists the reads that do not cause a search.
///
/// Queries see the newest boxes. They may run on any number of threads at once and inside each other's callbacks, as
/// long as the broadphase is not changed meanwhile. As in btDbvtBroadphase, what they report may be up to gDbvtMargin
/// away. Hits come in no particular order: if several threads query at once, it depends on their timing. A box with a
/// NaN meets nothing.
///
/// Ghosts are recognized if the ghost callback in the broadphase's own cache is a btGhostPairCallback or derived from
/// it. With any other callback, client objects may be anything.
///
/// Callbacks that Bullet calls while pairs come and go (contacts that end or are destroyed, algorithms that are
/// destroyed, ghost callbacks) may create, move and destroy any proxy. The pairs of proxies that they create and move
/// are present after the call in which the callback ran, unless m_deferedcollide is set or the cache defers removal.
/// Pairs that they separate within calculateOverlappingPairs leave in the next one. They must not destroy a proxy that
/// is being destroyed. Ghost callbacks of a given cache of Bullet's must not destroy any proxy. Within all these
/// callbacks, calculateOverlappingPairs does nothing.
///
/// A given cache is called for each pair that begins, and for each pair that ends if the cache still holds it. A cache
/// with deferred removal (sorted, null) receives pairs in calculateOverlappingPairs only. It cannot find single pairs:
/// after a filter was edited, all its pairs are compared in each step while one remains that its filter would reject.
#ifndef CULLET_BROADPHASE_H
#define CULLET_BROADPHASE_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h" // as btDbvtBroadphase.h does

#include "cullet.h"
#include "cullet_bits.h"

#include <memory>

#if CLT_VERSION_MAJOR != 0 || CLT_VERSION_MINOR != 1
#error "cullet.h is of another version than the plugin: install both again, and look for a second cullet.h in the path"
#endif

// A guard against parts of a program that were compiled with other versions of the headers or with another precision of
// Bullet than the plugin's source. Without it they link, and crash. Every file that includes this header refers to a
// symbol that the plugin's source defines. The symbol's name tells version and precision, so the linker reports, for
// example, an undefined reference to cullet_plugin_0_1_0_in_double_precision.
#ifdef BT_USE_DOUBLE_PRECISION
#define CULLET_GUARD_OF( major, minor, patch ) cullet_plugin_##major##_##minor##_##patch##_in_double_precision
#else
#define CULLET_GUARD_OF( major, minor, patch ) cullet_plugin_##major##_##minor##_##patch##_in_single_precision
#endif
#define CULLET_GUARD_FOR( major, minor, patch ) CULLET_GUARD_OF( major, minor, patch )
#define CULLET_GUARD CULLET_GUARD_FOR( CLT_VERSION_MAJOR, CLT_VERSION_MINOR, CLT_VERSION_PATCH )

extern "C" const char CULLET_GUARD;

CLT_USED static const char* const culletGuard = &CULLET_GUARD;

/// Bullet's broadphase interface over cullet.h. The file's description says which pairs exist when.
class CulletBroadphase : public btBroadphaseInterface
{
public:
    static const int EAGER_MOVES = 16; ///< changed boxes a step that are searched before calculateOverlappingPairs
    static const int UNTIMED = 64;     ///< with at most this many proxies, getCacheMs returns 0
    static const int LOOKS = 256; ///< at least this many proxies are checked in each step for masks edited in place

    /// \param pairCache  remains the caller's; must outlive all calls but the destructor, and must not be another
    ///                   broadphase's. NULL: the broadphase's own
    explicit CulletBroadphase( btOverlappingPairCache* pairCache = 0 );

    /// \param def  device, algorithm, threads and hooks. Its precision becomes Bullet's; filterMasks becomes true. A
    ///             def that cannot be fulfilled is replaced, see getCreationStatus
    explicit CulletBroadphase( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache = 0 );

    /// Touches neither a given pair cache, nor a dispatcher, nor client objects. Proxies may still be alive.
    ~CulletBroadphase() override;

    /// Never returns NULL. If the core is out of memory, queries find the new proxy, but it has no pairs. Its pairs are
    /// found by the first calculateOverlappingPairs that has enough memory. Until then, getStatus returns
    /// clt_hostMemory.
    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int collisionFilterGroup, int collisionFilterMask,
                                    btDispatcher* dispatcher ) override;

    /// The proxy's pairs leave the cache at once, while both client objects are still intact.
    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;

    /// Sets the box of a proxy. A box equal to the current one changes nothing.
    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override;

    /// Exactly the last box given.
    void getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const override
    {
        aabbMin = proxy->m_aabbMin;
        aabbMax = proxy->m_aabbMax;
    }

    /// Calls process() once for each proxy that btRayAabb2 hits if the proxy's box is grown by gDbvtMargin and by the
    /// swept box [aabbMin, aabbMax]. What process() returns is ignored. As in btDbvtBroadphase, the inverse direction,
    /// the signs and the length are read from the callback.
    void rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& rayCallback,
                  const btVector3& aabbMin = btVector3( 0, 0, 0 ),
                  const btVector3& aabbMax = btVector3( 0, 0, 0 ) ) override;

    /// Calls process() once for each proxy with a box that, grown by gDbvtMargin, overlaps or touches the given box.
    /// What process() returns is ignored.
    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override;

    /// Ended pairs leave the cache, then begun pairs enter it, both ascending by the two uids. Callbacks are called in
    /// the same order. The order in the pair array depends only on the calls that were made, those of the cache
    /// included.
    void calculateOverlappingPairs( btDispatcher* dispatcher ) override;

    /// Makes the pending searches, because the caller may read the cache.
    btOverlappingPairCache* getOverlappingPairCache() override;
    /// Makes them, too.
    const btOverlappingPairCache* getOverlappingPairCache() const override;

    /// The bounds of all boxes without a NaN, (0,0,0) if there are none. Planes of +-BT_LARGE_FLOAT and infinite boxes
    /// count like any other. Reads every proxy.
    void getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const override;

    /// If no proxy is alive, forgets all history: uids start at 1 again, a re-run gives the same bytes, and the core is
    /// replaced by a new one. Otherwise, and within a callback about pairs, does nothing.
    void resetPool( btDispatcher* dispatcher ) override;

    /// Prints nothing. Use cltBroadphase_GetStats( getCore(), … ) instead.
    void printStats() override
    {
    }

    /// For statistics and other reads; the caller must not change it. Valid until resetPool. NULL only if there was no
    /// memory to create the core.
    cltBroadphase* getCore() const;

    /// The proxy with this id in the core, which queries of the core report: for volumes that Bullet has no query for.
    btBroadphaseProxy* getProxy( cltProxyId id ) const;

    /// The result of creating the core. clt_ok: the def is used as given. clt_noDevice, clt_deviceMemory,
    /// clt_deviceFailed: the CPU is used instead. clt_invalidArgument: the def was replaced by
    /// cltDefaultBroadphaseDef().
    cltStatus getCreationStatus() const;

    /// clt_ok while the pair set is complete as of the last calculateOverlappingPairs. Otherwise the reason why it is
    /// not: the previous pairs are kept, nothing is lost, and the next calculateOverlappingPairs tries again.
    cltStatus getStatus() const;

    /// Milliseconds that the last calculateOverlappingPairs spent on the pair cache: ended pairs out, begun pairs in,
    /// filter callbacks, and edits of the cache. 0 if there was nothing to do, if the core could not be updated, and
    /// with at most UNTIMED proxies: to read the clock would take as long.
    float getCacheMs() const;

    // Members of btDbvtBroadphase that applications call by name. Here every box is exact and nothing is predicted.

    /// No effect.
    void setVelocityPrediction( btScalar prediction )
    {
        m_velocityPrediction = prediction;
    }

    /// The value last set.
    btScalar getVelocityPrediction() const
    {
        return m_velocityPrediction;
    }

    /// No effect.
    void optimize()
    {
    }

    /// As calculateOverlappingPairs.
    void collide( btDispatcher* dispatcher )
    {
        calculateOverlappingPairs( dispatcher );
    }

    /// Removes pairs that no longer overlap from a cache with deferred removal. Other caches have no such pairs.
    void performDeferredRemoval( btDispatcher* dispatcher );

    /// As setAabb.
    void setAabbForceUpdate( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                             btDispatcher* dispatcher )
    {
        setAabb( proxy, aabbMin, aabbMax, dispatcher );
    }

    /// True: pairs come in calculateOverlappingPairs only, even if the cache is read in between. With a given cache or
    /// callbacks a world is then filled several times as fast; with the broadphase's own cache, without callbacks, it
    /// saves nothing.
    bool m_deferedcollide;

private:
    struct Parts;

    std::unique_ptr<Parts> m_parts;
    btScalar m_velocityPrediction;
};

#endif
