// SPDX-License-Identifier: Zlib
/// \file CulletCore.h
/// The core (a cltBroadphase), and the slots and filters that it has for Bullet's proxies.
#ifndef CULLET_CORE_H
#define CULLET_CORE_H

#include "CulletBox.h"
#include "CulletFilterCensus.h"
#include "CulletProxyPool.h"
#include "CulletUidOrder.h"
#include "pair_cache/CulletPairNote.h"

#include "cullet_research.h"

class CulletCore
{
public:
    explicit CulletCore( const cltBroadphaseDef& def );
    ~CulletCore();

    /// If no proxy is alive, replaces the core by a new one; uids start at 1 again. \return false if nothing was
    /// replaced
    bool reset();

    /// \return never NULL; if the core has no memory, the proxy gets its slot in a later update
    CulletProxy* create( const btVector3& aabbMin, const btVector3& aabbMax, void* userPtr, int group, int mask );

    /// Passes the new box of a proxy that has a slot to the core.
    void move( CulletProxy* proxy );

    void destroy( CulletProxy* proxy );

    /// Proxies created since the last update have no pairs in `changes` before the next one.
    /// \return false if there is no memory; `changes` is then not set
    bool update( cltPairChanges& changes );

    /// True if some proxy has no slot yet.
    bool hasPending() const
    {
        return m_pendingCount > 0;
    }

    /// Lists all pairs. A failure also becomes the status.
    cltStatus listPairs( const cltPair** pairs, size_t* count );

    /// Finds the pairs of the proxy with all boxes that overlap its own, in no order; if the core filters, only pairs
    /// that groups and masks accept. With `onlyNew`, pairs that the last update found may be left out.
    void query( CulletProxy* proxy, bool onlyNew, CulletPairNotes& found ) const;

    // -------------------------------------------------------------------------------------------------------- filters

    /// True if the core applies groups and masks; else all overlapping boxes are pairs of the core.
    bool isFiltering() const
    {
        return m_isFiltering;
    }

    void setFiltering( bool isFiltering );

    /// Passes the edited group and mask of a proxy to the core.
    void readFilter( CulletProxy* proxy );

    /// True if these overlapping boxes are a pair of the core, so that the core will report the pair's end.
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

    /// Calls `visit( pairs, count )` for each block of pairs, ascending by uids. Leaves out pairs of proxies that were
    /// destroyed since the update.
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

    /// Whether no proxy was destroyed since the last update.
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

    /// Pairs in a block: few enough that the pointers stay in the processor's cache, and on the stack.
    static const int BLOCK_SIZE = 512;

    cltStatus open( cltBroadphase** core );
    cltProxyId takeSlot( const CulletProxy& proxy );
    void settlePending();
    void noteFilter( CulletProxy* proxy );
    int lookUp( const cltPair* pairs, int count, CulletProxyPair* found ) const;
    const cltPair* orderByUid( const cltPair* pairs, size_t count );
    cltFilter filterOf( const CulletProxy& proxy ) const;

    cltBroadphaseDef m_def;
    cltResearchDef m_research; ///< m_def.research is NULL or points to this
    cltBroadphase* m_core;
    cltStatus m_creationStatus;
    cltStatus m_status;
    CulletProxyPool m_proxies;
    CulletUidOrder m_uidOrder;
    CulletFilterCensus m_census; ///< of the filters that the core has
    int m_pendingCount;          ///< proxies without a slot
    int m_lastUid;
    int m_destroyedCount;   ///< since the last update
    cltProxyId m_freshSlot; ///< this slot and all later ones were never used
    bool m_slotsFollowUids; ///< no slot was reused, so the order by slot is the order by uid
    bool m_isFiltering;
};

#endif
