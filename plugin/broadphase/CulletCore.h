// SPDX-License-Identifier: Zlib
/// \file CulletCore.h
/// The core and Bullet's proxies in it: who has which slot, and with which filter.
#ifndef CULLET_CORE_H
#define CULLET_CORE_H

#include "CulletBox.h"
#include "CulletFilterCensus.h"
#include "CulletProxyPool.h"
#include "CulletUidOrder.h"
#include "pair_cache/CulletPairNote.h"

#include "cullet.h"

class CulletCore
{
public:
    explicit CulletCore( const cltBroadphaseDef& def );
    ~CulletCore();

    /// With no proxies alive: a new core, uids from 1. \return false if there is no memory for it
    bool reset();

    /// Never NULL. Without memory in the core the proxy has no slot until an update can give it one.
    CulletProxy* create( const btVector3& aabbMin, const btVector3& aabbMax, void* userPtr, int group, int mask );

    /// A proxy with a slot has a new box.
    void move( CulletProxy* proxy );

    void destroy( CulletProxy* proxy );

    /// Proxies created since the last update have no pairs in `changes` before the next one.
    /// \return false if there is no memory: then `changes` is not set
    bool update( cltPairChanges& changes );

    /// Some proxy has no slot yet.
    bool hasPending() const
    {
        return m_pendingCount > 0;
    }

    /// All pairs, or clt_hostMemory or the like, which is noted as the status too.
    cltStatus listPairs( const cltPair** pairs, size_t* count );

    /// The proxy's pairs with all whose boxes overlap its own, and whose groups and masks let it in if the core goes by
    /// these, in no order. With `onlyNew` those may be left out that the last update knew.
    void query( CulletProxy* proxy, bool onlyNew, CulletPairNotes& found ) const;

    // -------------------------------------------------------------------------------------------------------- filters

    /// True: it applies group and mask. Else it pairs whatever overlaps.
    bool isFiltering() const
    {
        return m_isFiltering;
    }

    void setFiltering( bool isFiltering );

    /// The proxy's group or mask was edited: it has the new ones from now on.
    void readFilter( CulletProxy* proxy );

    /// True if it counts this pair of overlapping boxes among its own, so that it will say when the pair ends.
    bool holds( const CulletProxyPair& pair ) const
    {
        const CulletProxy* proxy0 = static_cast<const CulletProxy*>( pair.m_pProxy0 );
        const CulletProxy* proxy1 = static_cast<const CulletProxy*>( pair.m_pProxy1 );
        return !m_isFiltering || ( ( proxy0->m_knownGroup & proxy1->m_knownMask ) != 0 &&
                                   ( proxy1->m_knownGroup & proxy0->m_knownMask ) != 0 );
    }

    // ------------------------------------------------------------------------------------------- from slots to proxies

    const CulletProxyPool& getProxies() const
    {
        return m_proxies;
    }

    /// Calls `visit( pairs, count )` for the proxies of so many pairs at a time, ascending by uids, but for those that
    /// are gone before it is their turn.
    template <typename Visit>
    void forBlocks( const cltPair* pairs, size_t count, Visit visit )
    {
        pairs = orderByUid( pairs, count );
        CulletProxyPair block[BLOCK_SIZE];
        for ( size_t first = 0; first < count; first += BLOCK_SIZE )
        {
            visit( block, lookUp( pairs + first, int( btMin( size_t( BLOCK_SIZE ), count - first ) ), block ) );
        }
    }

    /// No proxy was destroyed since the last update.
    bool areAllAlive() const
    {
        return m_destroyedCount == 0;
    }

    // --------------------------------------------------------------------------------------------------------- status

    cltBroadphase* get() const
    {
        return m_core;
    }

    cltStatus getCreationStatus() const
    {
        return m_creationStatus;
    }

    cltStatus getStatus() const
    {
        return m_status;
    }

private:
    CulletCore( const CulletCore& ) = delete;
    CulletCore& operator=( const CulletCore& ) = delete;

    /// Pairs looked up at a time: the list of pointers stays in the cache and off the heap.
    static const int BLOCK_SIZE = 512;

    cltStatus open( cltBroadphase** core );
    cltProxyId takeSlot( const CulletProxy& proxy );
    void settlePending();
    void noteFilter( CulletProxy* proxy );
    int lookUp( const cltPair* pairs, int count, CulletProxyPair* found ) const;
    const cltPair* orderByUid( const cltPair* pairs, size_t count );
    cltFilter filterOf( const CulletProxy& proxy ) const;

    cltBroadphaseDef m_def;
    cltBroadphase* m_core;
    cltStatus m_creationStatus;
    cltStatus m_status;
    CulletProxyPool m_proxies;
    CulletUidOrder m_uidOrder;
    CulletFilterCensus m_census; ///< of the filters that are known
    int m_pendingCount;          ///< proxies without a slot
    int m_lastUid;
    int m_destroyedCount;   ///< since the last update
    cltProxyId m_freshSlot; ///< slots from here on were never used
    bool m_slotsFollowUids; ///< no slot was used twice, so the core's order by slot is the order by uid
    bool m_isFiltering;
};

#endif
