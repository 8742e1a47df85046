// SPDX-License-Identifier: Zlib
/// \file CulletCore.h
/// The core (a cltBroadphase), and the slots and filters that it has for Bullet's proxies.
///
/// A call that needs memory may fail; any other error of the core is a bug in this file.
#ifndef CULLET_CORE_H
#define CULLET_CORE_H

#include "CulletBox.h"
#include "CulletBroadphase.h"
#include "CulletFilterCensus.h"
#include "CulletProxyPool.h"
#include "CulletUidOrder.h"
#include "pair_cache/CulletArrays.h"
#include "pair_cache/CulletPairNote.h"

#include "cullet_queries.h"
#include "cullet_research.h"

#include <limits.h>

class CulletCore
{
public:
    explicit CulletCore( const cltBroadphaseDef& def )
        : m_def( def ), m_pendingCount( 0 ), m_lastUid( 0 ), m_destroyedCount( 0 ), m_slotsFollowUids( true ),
          m_isFiltering( true )
    {
        m_creationStatus = open( &m_core );
        if ( m_creationStatus == clt_invalidArgument )
        {
            m_def = cltDefaultBroadphaseDef();
        }
        else if ( m_creationStatus == clt_noDevice || m_creationStatus == clt_deviceMemory ||
                  m_creationStatus == clt_deviceFailed )
        {
            m_def.device = clt_deviceCpu;
        }
        if ( m_def.research )
        {
            m_research = *m_def.research;
            m_def.research = &m_research;
        }
        m_status = m_core ? clt_ok : open( &m_core );
    }

    ~CulletCore()
    {
        cltDestroyBroadphase( m_core );
    }

    /// If no proxy is alive, replaces the core by a new one; uids start at 1 again. \return false if nothing was
    /// replaced
    bool reset()
    {
        cltBroadphase* core;
        if ( m_proxies.getCount() > 0 || open( &core ) != clt_ok )
        {
            return false;
        }
        cltDestroyBroadphase( m_core ); // a new core assigns slots in order again, which saves the sort by uid
        m_core = core;
        m_pendingCount = 0;
        m_lastUid = 0;
        m_slotsFollowUids = true;
        return true;
    }

    /// \return never NULL; if the core has no memory, the proxy gets its slot in a later update
    CulletProxy* create( const btVector3& aabbMin, const btVector3& aabbMax, void* userPtr, int group, int mask )
    {
        const cltProxyId slot = takeSlot( culletBox( aabbMin, aabbMax ), filterOf( group, mask ) );
        m_pendingCount += slot == CLT_NULL_PROXY;
        m_census.add( group, mask );
        m_slotsFollowUids = m_slotsFollowUids && slot == cltProxyId( m_lastUid );
        CulletProxy* proxy = new ( m_proxies.add( ++m_lastUid, slot ) )
            CulletProxy( aabbMin, aabbMax, userPtr, group, mask ); // in place: reading a copy would wait for its stores
        proxy->m_uniqueId = m_lastUid;
        proxy->m_slot = slot;
        return proxy;
    }

    /// Passes the new box of a proxy that has a slot to the core.
    void move( CulletProxy* proxy )
    {
        const CulletBox box = culletBox( proxy->m_aabbMin, proxy->m_aabbMax );
        culletExpectOk( culletMoveProxy( m_core, proxy->m_slot, &box ) );
    }

    void destroy( CulletProxy* proxy )
    {
        if ( proxy->m_slot == CLT_NULL_PROXY )
        {
            --m_pendingCount;
        }
        else
        {
            culletExpectOk( cltBroadphase_DestroyProxy( m_core, proxy->m_slot ) );
        }
        m_census.remove( proxy->m_knownGroup, proxy->m_knownMask );
        m_proxies.remove( proxy );
        ++m_destroyedCount;
    }

    /// Creates the pending proxies in the core, then updates the core.
    /// \return false if there is no memory; `changes` is then not set
    bool update( cltPairChanges& changes )
    {
        settlePending();
        if ( !m_core )
        {
            return false;
        }
        m_proxies.reuseRemoved();
        if ( areAllAlive() ) // else pair notes may still read destroyed proxies
        {
            m_proxies.giveBack();
        }
        const cltStatus status = cltBroadphase_Update( m_core, &changes );
        m_destroyedCount = status == clt_ok ? 0 : m_destroyedCount; // after a failure, pair notes stay as they are
        m_uidOrder.expectChanges( changes.beganCount + changes.endedCount );
        m_status = status != clt_ok ? status : m_status;
        return status == clt_ok;
    }

    /// True if some proxy has no slot yet.
    bool hasPending() const
    {
        return m_pendingCount > 0;
    }

    /// Lists all pairs. A failure also becomes the status.
    cltStatus listPairs( const cltPair** pairs, size_t* count )
    {
        const cltStatus status = cltBroadphase_GetPairs( m_core, pairs, count );
        m_status = status != clt_ok ? status : m_status;
        return status;
    }

    /// Finds the pairs of the proxy with all boxes that overlap its own, in no order; if the core filters, only pairs
    /// that groups and masks accept. With `onlyNew`, pairs that the last update found may be left out.
    void query( CulletProxy* proxy, bool onlyNew, CulletPairNotes& found ) const
    {
        found.resize( 0 );
        if ( hasNoPartner( *proxy ) )
        {
            return;
        }
        if ( !onlyNew )
        {
            queryBoxOf( proxy, m_isFiltering, INT_MAX, found );
            return;
        }
        Collector collector = { m_proxies, proxy, found, m_isFiltering, INT_MAX };
        culletExpectOk( cltBroadphase_QueryNew( m_core, proxy->m_slot, collectPair, &collector ) );
    }

    /// True if the last update left a tree that queries use. Else they test each box, or build a tree. False also
    /// without a core.
    bool hasTree() const
    {
        cltStats stats;
        return cltBroadphase_GetStats( m_core, &stats ) == clt_ok && stats.algorithm == clt_algorithmWide;
    }

    /// As query, but whatever groups and masks say. \return false if there are more than `most` pairs
    bool queryAll( CulletProxy* proxy, int most, CulletPairNotes& found ) const
    {
        found.resize( 0 );
        queryBoxOf( proxy, false, most, found );
        return found.size() <= most;
    }

    // -------------------------------------------------------------------------------------------------------- filters

    /// True if the core applies groups and masks; else all overlapping boxes are pairs of the core.
    bool isFiltering() const
    {
        return m_isFiltering;
    }

    void setFiltering( bool isFiltering )
    {
        m_isFiltering = isFiltering;
        for ( cltProxyId slot = m_proxies.nextInUse( 0 ); slot != CLT_NULL_PROXY;
              slot = m_proxies.nextInUse( slot + 1 ) )
        {
            readFilter( m_proxies.get( slot ) );
        }
    }

    /// Passes the edited group and mask of a proxy to the core.
    void readFilter( CulletProxy* proxy )
    {
        noteFilter( proxy );
        const cltFilter filter = filterOf( proxy->m_knownGroup, proxy->m_knownMask );
        culletExpectOk( cltBroadphase_SetFilter( m_core, proxy->m_slot, &filter ) );
    }

    /// True if these overlapping boxes are a pair of the core, so that the core will report the pair's end. A proxy
    /// that the core has no memory for has no pairs.
    bool holds( const CulletProxyPair& pair ) const
    {
        const CulletProxy* proxy0 = static_cast<const CulletProxy*>( pair.m_pProxy0 );
        const CulletProxy* proxy1 = static_cast<const CulletProxy*>( pair.m_pProxy1 );
        const bool isAccepted = !m_isFiltering || doFiltersAllow( { proxy0->m_knownGroup, proxy0->m_knownMask },
                                                                  { proxy1->m_knownGroup, proxy1->m_knownMask } );
        return isAccepted && proxy0->m_slot != CLT_NULL_PROXY && proxy1->m_slot != CLT_NULL_PROXY;
    }

    // ------------------------------------------------------------------------------------------- from slots to proxies

    const CulletProxyPool& getProxies() const
    {
        return m_proxies;
    }

    /// \return the changes ascending by uids, with the smaller uid first in each pair; valid until the next call
    cltPairChanges orderByUid( const cltPairChanges& changes )
    {
        return m_slotsFollowUids ? changes : m_uidOrder.sort( m_proxies, changes, m_lastUid );
    }

    /// Calls `visit( pairs, count )` for each block of pairs. Leaves out pairs of proxies that were destroyed since the
    /// update.
    template <typename Visit>
    void forBlocks( const cltPair* pairs, size_t count, Visit visit ) const
    {
        CulletProxyPair block[BLOCK_SIZE];
        for ( size_t first = 0; first < count; first += BLOCK_SIZE )
        {
            visit( block, lookUpAlive( pairs + first, int( btMin( size_t( BLOCK_SIZE ), count - first ) ), block ) );
        }
    }

    /// The proxies of a pair of the last update, which must be alive. Reads neither proxy.
    CulletProxyPair lookUp( const cltPair& pair ) const
    {
        return { m_proxies.get( pair.proxyA ), m_proxies.get( pair.proxyB ) };
    }

    /// The uids of a pair of the last update, in the pair's order. Reads neither proxy.
    uint64_t getUids( const cltPair& pair ) const
    {
        return m_slotsFollowUids ? culletUidsOf( int( pair.proxyA ) + 1, int( pair.proxyB ) + 1 )
                                 : culletUidsOf( m_proxies.getUid( pair.proxyA ), m_proxies.getUid( pair.proxyB ) );
    }

    void prefetchUids( const cltPair& pair ) const
    {
        if ( !m_slotsFollowUids )
        {
            m_proxies.prefetchUid( pair.proxyA );
            m_proxies.prefetchUid( pair.proxyB );
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
    struct Collector
    {
        const CulletProxyPool& m_proxies;
        CulletProxy* m_proxy;
        CulletPairNotes& m_found;
        bool m_isFiltering;
        int m_most; ///< the query ends when it has found more
    };

    static bool doFiltersAllow( const cltFilter& a, const cltFilter& b )
    {
        return ( a.group & b.mask ) != 0 && ( b.group & a.mask ) != 0;
    }

    /// Compares the current groups and masks of the proxies, which the core may not have yet.
    static bool doFiltersAllow( const CulletProxy& a, const CulletProxy& b )
    {
        return doFiltersAllow( { a.m_collisionFilterGroup, a.m_collisionFilterMask },
                               { b.m_collisionFilterGroup, b.m_collisionFilterMask } );
    }

    /// Adds the pair of the queried proxy and the one in `slot`. Without filtering, the latter is only prefetched.
    static bool collectPair( cltProxyId slot, uint64_t, void* context )
    {
        const Collector& collector = *static_cast<const Collector*>( context );
        CulletProxy* proxy = collector.m_proxy;
        CulletProxy* other = collector.m_proxies.get( slot );
        if ( other != proxy && ( !collector.m_isFiltering || doFiltersAllow( *proxy, *other ) ) )
        {
            cltPrefetch( other );
            culletAppend( collector.m_found,
                          culletNoteOf( proxy, proxy->m_uniqueId, other, collector.m_proxies.getUid( slot ) ) );
        }
        return collector.m_found.size() <= collector.m_most;
    }

    void queryBoxOf( CulletProxy* proxy, bool isFiltering, int most, CulletPairNotes& found ) const
    {
        Collector collector = { m_proxies, proxy, found, isFiltering, most };
        const CulletBox box = culletBox( proxy->m_aabbMin, proxy->m_aabbMax );
        culletExpectOk( culletQueryBox( m_core, &box, collectPair, &collector ) );
    }

    /// True if groups and masks keep the proxy from every pair. The census does not have groups and masks that were
    /// edited in place since the last update, so small worlds, which promise to notice them, do not ask it.
    bool hasNoPartner( const CulletProxy& proxy ) const
    {
        return m_isFiltering && m_proxies.getCount() > CulletBroadphase::LOOKS &&
               !m_census.hasPartner( proxy.m_knownGroup, proxy.m_knownMask );
    }

    CulletCore( const CulletCore& ) = delete;
    CulletCore& operator=( const CulletCore& ) = delete;

    /// Pairs in a block. Their pointers are on the stack, and few enough to stay in the processor's cache.
    static const int BLOCK_SIZE = 512;

    cltStatus open( cltBroadphase** core )
    {
        m_def.precision = CULLET_PRECISION;
        m_def.filterMasks = true;
        *core = 0;
        return cltCreateBroadphase( &m_def, core );
    }

    /// Creates a proxy in the core. \return its slot, or CLT_NULL_PROXY if there is no memory
    cltProxyId takeSlot( const CulletBox& box, const cltFilter& filter )
    {
        cltProxyId slot = CLT_NULL_PROXY;
        const cltStatus status = m_core ? culletCreateProxy( m_core, &box, &filter, 0, &slot ) : clt_hostMemory;
        if ( status != clt_ok )
        {
            m_status = status;
            return CLT_NULL_PROXY;
        }
        return slot;
    }

    /// Creates the pending proxies in the core, oldest first. m_status says whether memory sufficed for all.
    void settlePending()
    {
        m_status = m_core ? clt_ok : open( &m_core );
        const btAlignedObjectArray<CulletProxy*>& apart = m_proxies.getApart();
        for ( int i = 0; m_pendingCount > 0 && i < apart.size(); ++i )
        {
            if ( apart[i]->m_slot != CLT_NULL_PROXY )
            {
                continue;
            }
            noteFilter( apart[i] );
            const cltProxyId slot = takeSlot( culletBox( apart[i]->m_aabbMin, apart[i]->m_aabbMax ),
                                              filterOf( apart[i]->m_knownGroup, apart[i]->m_knownMask ) );
            if ( slot == CLT_NULL_PROXY )
            {
                return;
            }
            m_proxies.settle( apart[i], slot );
            m_slotsFollowUids = false;
            --m_pendingCount;
        }
    }

    void noteFilter( CulletProxy* proxy )
    {
        m_census.remove( proxy->m_knownGroup, proxy->m_knownMask );
        proxy->readFilter();
        m_census.add( proxy->m_knownGroup, proxy->m_knownMask );
    }

    /// Looks up the proxies of the last update's pairs, and leaves out pairs with a destroyed proxy. Reads no proxy.
    /// \return number of pairs written to `found`
    int lookUpAlive( const cltPair* pairs, int count, CulletProxyPair* found ) const
    {
        for ( int i = 0; i < count; ++i )
        {
            found[i] = lookUp( pairs[i] );
        }
        int alive = areAllAlive() ? count : 0;
        for ( int i = 0; i < count && alive < count; ++i )
        {
            found[alive] = found[i];
            alive += m_proxies.getUid( pairs[i].proxyA ) != 0 && m_proxies.getUid( pairs[i].proxyB ) != 0;
        }
        return alive;
    }

    /// The filter that the core gets. While the core does not filter, this filter accepts all proxies.
    cltFilter filterOf( int group, int mask ) const
    {
        return m_isFiltering ? cltFilter{ group, mask } : cltFilter{ 1, 1 };
    }

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
    bool m_slotsFollowUids; ///< no slot was reused: each proxy has the slot m_uniqueId - 1
    bool m_isFiltering;
};

#endif
