// SPDX-License-Identifier: Zlib
/// \file CulletProxyPool.h
/// Memory of the proxies. Bullet, its users and every pair hold pointers to proxies, so an address must never change.
/// The core identifies proxies by slots, so a slot must lead to its proxy without a search. Slabs give both, and store
/// proxies in creation order, which is the order in which pairs are visited:
///
///     slot    0 .. 7   8 .. 23   24 .. 55   56 .. 119   ..
///     slab      0         1         2          3        ..
///
/// The index of the highest set bit of slot + 8 is 3 plus the slab; the bits below it are the cell. Each slab is
/// twice as large as the previous one, and no memory is touched before it is used. The application allocates its bodies
/// between the allocations of slabs. Bullet walks the bodies several times a step, and each slab between them disturbs
/// the processor's prefetching, so few slabs are better.
///
/// Slabs are added for new slots, and freed at the end of the array when no slot in them is in use. A cell is reused
/// when the core assigns its slot again. The cell of a slot that was never in use holds no object yet.
#ifndef CULLET_PROXY_POOL_H
#define CULLET_PROXY_POOL_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"
#include "LinearMath/btAlignedAllocator.h"
#include "LinearMath/btAlignedObjectArray.h"
#include <new>

#include "cullet.h"
#include "cullet_bits.h"
#include "pair_cache/CulletArrays.h"

/// The proxy that CulletBroadphase returns to Bullet. Its size is a multiple of 16 bytes, so that all proxies of a slab
/// are aligned as Bullet's vector instructions need them.
struct alignas( 16 ) CulletProxy : public btBroadphaseProxy
{
    /// The core's id of this proxy. CLT_NULL_PROXY: the memory is unused, or the proxy is still pending.
    cltProxyId m_slot = CLT_NULL_PROXY;

    /// Group and mask as they were when the proxy was last set. Applications edit the public members in place.
    int m_knownGroup = 0;
    int m_knownMask = 0;

    /// A pair was rejected while group or mask were edited, so the pair is offered again even if the edit is reverted.
    uint32_t m_isRejectedByEdit : 1;

    /// One more than its index in CulletRejectedPairs::m_retried; 0 if it is not there.
    uint32_t m_retriedPlace : 31;

    /// True if group or mask differ from the known ones, or did when a pair was rejected.
    bool isFilterEdited() const
    {
        return m_isRejectedByEdit || m_knownGroup != m_collisionFilterGroup || m_knownMask != m_collisionFilterMask;
    }

    /// Makes the current group and mask the known ones.
    void readFilter()
    {
        m_knownGroup = m_collisionFilterGroup;
        m_knownMask = m_collisionFilterMask;
        m_isRejectedByEdit = 0;
    }

    CulletProxy() : m_isRejectedByEdit( 0 ), m_retriedPlace( 0 )
    {
    }

    CulletProxy( const btVector3& aabbMin, const btVector3& aabbMax, void* userPtr, int group, int mask )
        : btBroadphaseProxy( aabbMin, aabbMax, userPtr, group, mask ), m_knownGroup( group ), m_knownMask( mask ),
          m_isRejectedByEdit( 0 ), m_retriedPlace( 0 )
    {
    }
};

/// A proxy that got its slot at creation is stored in the cell of that slot. A proxy that was created while the core
/// had no memory is stored apart; if it gets a slot later, the slot's cell only points to it.
class CulletProxyPool
{
public:
    CulletProxyPool() = default;
    ~CulletProxyPool()
    {
        freeAll( m_slabs );
        freeAll( m_apart );
        freeAll( m_unused );
        freeAll( m_removed );
    }

    /// \param slot  the proxy's slot, or CLT_NULL_PROXY to store it apart
    /// \return memory in which the caller constructs the proxy
    void* add( int uid, cltProxyId slot )
    {
        ++m_count;
        if ( slot != CLT_NULL_PROXY )
        {
            const bool isReused = int( slot ) < m_uids.size();
            provide( slot );
            setUid( slot, uid, isReused );
            return getCell( slot );
        }
        if ( m_unused.size() == 0 )
        {
            m_unused.push_back( static_cast<CulletProxy*>( btAlignedAlloc( sizeof( CulletProxy ), ALIGNMENT ) ) );
        }
        m_apart.push_back( m_unused[m_unused.size() - 1] );
        m_unused.pop_back();
        return m_apart[m_apart.size() - 1];
    }

    /// Assigns a slot to a proxy that is stored apart.
    void settle( CulletProxy* proxy, cltProxyId slot )
    {
        provide( slot );
        CulletProxy* cell = new ( getCell( slot ) ) CulletProxy();
        cell->m_clientObject = proxy;
        setUid( slot, proxy->m_uniqueId, true );
        proxy->m_slot = slot;
    }

    /// The proxy's memory stays readable, with uid 0, until the next giveBack. It is reused when the core assigns the
    /// slot again; without a slot, only after the next reuseRemoved.
    void remove( CulletProxy* proxy )
    {
        const cltProxyId slot = proxy->m_slot;
        proxy->m_slot = CLT_NULL_PROXY;
        proxy->m_uniqueId = 0;
        --m_count;
        if ( slot != CLT_NULL_PROXY )
        {
            setUid( slot, 0, false );
            getCell( slot )->m_clientObject = 0;
        }
        if ( slot == CLT_NULL_PROXY || getCell( slot ) != proxy )
        {
            for ( int i = m_apart.findLinearSearch( proxy ); i + 1 < m_apart.size(); ++i )
            {
                m_apart[i] = m_apart[i + 1];
            }
            m_apart.pop_back();
            m_removed.push_back( proxy );
        }
    }

    void reuseRemoved()
    {
        for ( ; m_removed.size() > 0; m_removed.pop_back() )
        {
            m_unused.push_back( m_removed[m_removed.size() - 1] );
        }
    }

    /// To be called once a step, when no pointers to removed proxies are left. If most slots have been unused for a
    /// while, frees the memory behind the last slot in use.
    void giveBack()
    {
        if ( !m_shrinkPolicy.isDue( m_count, m_uids.capacity() ) )
        {
            return;
        }
        int end = m_uids.size();
        while ( end > 0 && m_uids[end - 1] == 0 )
        {
            --end;
        }
        if ( CulletShrinkPolicy::capacityFor( end ) > m_uids.capacity() / 2 )
        {
            return; // slots near the end are in use
        }
        for ( const int slabs = slabCount( end ); m_slabs.size() > slabs; m_slabs.pop_back() )
        {
            btAlignedFree( m_slabs[m_slabs.size() - 1] );
        }
        m_uids.resize( end );
        m_inUse.resize( ( end + WORD_BITS - 1 ) / WORD_BITS );
        m_unsorted.resize( m_inUse.size() );
        m_inUseCounts.resize( ( end + RUN - 1 ) / RUN );
        culletShrink( m_uids, CulletShrinkPolicy::capacityFor( end ) );
    }

    int getCount() const
    {
        return m_count;
    }

    /// Proxies that are stored apart, with or without a slot, in creation order.
    const btAlignedObjectArray<CulletProxy*>& getApart() const
    {
        return m_apart;
    }

    /// The proxy of a slot in use. Reads no proxy unless some are stored apart, so callers can prefetch the result.
    CulletProxy* get( cltProxyId slot ) const
    {
        CulletProxy* cell = getCell( slot );
        const bool isCell = m_apart.size() == 0 || cell->m_slot == slot;
        return isCell ? cell : static_cast<CulletProxy*>( cell->m_clientObject );
    }

    /// The same as get( slot )->m_uniqueId, but from a compact array that fits the processor's cache. 0: the slot is
    /// not in use.
    int getUid( cltProxyId slot ) const
    {
        return m_uids[int( slot )];
    }

    /// True if the slot was reused, or assigned late. The uids of the others ascend by slot.
    bool isUnsorted( cltProxyId slot ) const
    {
        return ( m_unsorted[int( slot / WORD_BITS )] >> ( slot % WORD_BITS ) & 1 ) != 0;
    }

    void prefetchUid( cltProxyId slot ) const
    {
        cltPrefetch( &m_uids[int( slot )] );
    }

    /// The first slot in use from `slot` on, or CLT_NULL_PROXY. Skips RUN unused slots at once if it can; each other
    /// unused slot costs the test of a bit.
    cltProxyId nextInUse( cltProxyId slot ) const
    {
        while ( int( slot ) < m_uids.size() )
        {
            const bool isEmpty = m_inUseCounts[int( slot / RUN )] == 0;
            uint64_t bits = isEmpty ? 0 : m_inUse[int( slot / WORD_BITS )] >> ( slot % WORD_BITS );
            for ( ; bits != 0; bits >>= 1, ++slot )
            {
                if ( bits & 1 )
                {
                    return slot;
                }
            }
            slot = ( slot | ( isEmpty ? RUN - 1 : WORD_BITS - 1 ) ) + 1;
        }
        return CLT_NULL_PROXY;
    }

    /// Calls `visit( proxy )` for every proxy, each once.
    template <typename Visit>
    void forEach( Visit visit ) const
    {
        for ( cltProxyId slot = nextInUse( 0 ); slot != CLT_NULL_PROXY; slot = nextInUse( slot + 1 ) )
        {
            visit( *get( slot ) );
        }
        for ( int i = 0; i < m_apart.size(); ++i )
        {
            if ( m_apart[i]->m_slot == CLT_NULL_PROXY )
            {
                visit( *m_apart[i] );
            }
        }
    }

private:
    /// In single precision a proxy has the size of a cache line, and should lie in one.
    static const int ALIGNMENT = sizeof( CulletProxy ) == 64 ? 64 : alignof( CulletProxy );

    /// Grows by doubling. Bullet's resize allocates exactly `size`, so repeated calls would copy the array each time.
    template <typename Item>
    static void growTo( btAlignedObjectArray<Item>& array, int size )
    {
        while ( array.size() < size )
        {
            array.push_back( 0 );
        }
    }

    static void freeAll( const btAlignedObjectArray<CulletProxy*>& cells )
    {
        for ( int i = 0; i < cells.size(); ++i )
        {
            btAlignedFree( cells[i] );
        }
    }

    CulletProxyPool( const CulletProxyPool& ) = delete;
    CulletProxyPool& operator=( const CulletProxyPool& ) = delete;

    enum
    {
        FIRST_BITS = 3, ///< log2 of the number of slots in the first slab, which takes half a KiB in single precision
        FIRST_COUNT = 1 << FIRST_BITS,
        RUN = 1024, ///< slots that are skipped at once if none is in use
        WORD_BITS = 64
    };

    /// The number of slabs that hold the slots below `end`.
    static int slabCount( int end )
    {
        return end == 0 ? 0 : int( cltHighestBit( uint32_t( end - 1 ) + FIRST_COUNT ) ) - FIRST_BITS + 1;
    }

    CulletProxy* getCell( cltProxyId slot ) const
    {
        const uint32_t place = slot + FIRST_COUNT;
        const int bit = int( cltHighestBit( place ) );
        return m_slabs[bit - FIRST_BITS] + ( place - ( 1u << bit ) );
    }

    /// Stores the uid of a slot that comes into use; 0 for a slot that is no longer in use.
    void setUid( cltProxyId slot, int uid, bool isUnsorted )
    {
        m_uids[int( slot )] = uid;
        m_unsorted[int( slot / WORD_BITS )] |= uint64_t( isUnsorted ) << ( slot % WORD_BITS );
        m_inUseCounts[int( slot / RUN )] += uid != 0 ? 1 : -1;
        m_inUse[int( slot / WORD_BITS )] ^= uint64_t( 1 ) << ( slot % WORD_BITS );
    }

    void provide( cltProxyId slot )
    {
        while ( m_slabs.size() < slabCount( int( slot ) + 1 ) )
        {
            const size_t size = size_t( FIRST_COUNT ) << m_slabs.size();
            m_slabs.push_back( static_cast<CulletProxy*>( btAlignedAlloc( size * sizeof( CulletProxy ), ALIGNMENT ) ) );
            m_uids.reserve( int( 2 * size - FIRST_COUNT ) ); // the slots of all slabs
        }
        growTo( m_uids, int( slot ) + 1 );
        growTo( m_inUse, int( slot / WORD_BITS ) + 1 );
        growTo( m_unsorted, int( slot / WORD_BITS ) + 1 );
        growTo( m_inUseCounts, int( slot / RUN ) + 1 );
    }

    btAlignedObjectArray<CulletProxy*> m_slabs;
    btAlignedObjectArray<int> m_uids;          ///< by slot; 0 if the slot is not in use
    btAlignedObjectArray<uint64_t> m_inUse;    ///< one bit for each slot
    btAlignedObjectArray<uint64_t> m_unsorted; ///< one bit for each slot
    btAlignedObjectArray<int> m_inUseCounts;   ///< slots in use in each RUN of slots
    btAlignedObjectArray<CulletProxy*> m_apart;
    btAlignedObjectArray<CulletProxy*> m_unused;  ///< memory of removed proxies that were stored apart
    btAlignedObjectArray<CulletProxy*> m_removed; ///< as m_unused, but not to be reused yet
    int m_count = 0;
    CulletShrinkPolicy m_shrinkPolicy;
};

#endif
