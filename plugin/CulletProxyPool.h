// SPDX-License-Identifier: Zlib
/// \file CulletProxyPool.h
/// Where the proxies live. Bullet, its users and every pair hold pointers to proxies, so an address must never change;
/// the core speaks of slots, so a slot must lead to its proxy without a search. Slabs of a fixed size give both, and
/// lay the proxies out in creation order, which is the order in which pairs are visited.
#ifndef CULLET_PROXY_POOL_H
#define CULLET_PROXY_POOL_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"
#include "LinearMath/btAlignedObjectArray.h"

#include "cullet.h"

/// What CulletBroadphase hands to Bullet as a btBroadphaseProxy. A multiple of 16 bytes, so that all proxies of a slab are
/// aligned as Bullet's vector instructions need them.
struct alignas( 16 ) CulletProxy : public btBroadphaseProxy
{
    /// The core's id of this proxy. CLT_NULL_PROXY: the memory is unused, or the proxy still waits for a slot.
    cltProxyId m_slot;

    /// Group and mask as they were when the proxy was last set: applications edit the public ones in place.
    int m_knownGroup;
    int m_knownMask;

    /// Since they were last taken note of.
    bool isFilterEdited() const
    {
        return m_knownGroup != m_collisionFilterGroup || m_knownMask != m_collisionFilterMask;
    }

    /// Takes note of group and mask.
    void readFilter()
    {
        m_knownGroup = m_collisionFilterGroup;
        m_knownMask = m_collisionFilterMask;
    }

    CulletProxy() : m_slot( CLT_NULL_PROXY ), m_knownGroup( 0 ), m_knownMask( 0 )
    {
    }

    CulletProxy( const btVector3& aabbMin, const btVector3& aabbMax, void* userPtr, int group, int mask )
        : btBroadphaseProxy( aabbMin, aabbMax, userPtr, group, mask ), m_slot( CLT_NULL_PROXY ), m_knownGroup( group ),
          m_knownMask( mask )
    {
    }
};

/// A proxy that got its slot at creation lives in the cell of that slot. One that was created while the core had no
/// memory lives apart; when it gets a slot later, that slot's cell only points to it.
class CulletProxyPool
{
public:
    CulletProxyPool();
    ~CulletProxyPool();

    /// \param slot  the proxy's slot, or CLT_NULL_PROXY to let it wait apart
    CulletProxy* add( const CulletProxy& proxy, cltProxyId slot );

    /// Gives a waiting proxy its slot.
    void settle( CulletProxy* proxy, cltProxyId slot );

    /// The proxy's memory may be used again from now on, but stays readable, with 0 for a uid, while the pool lives.
    void remove( CulletProxy* proxy );

    int getCount() const
    {
        return m_count;
    }

    /// Proxies that live apart, waiting or settled, in creation order.
    const btAlignedObjectArray<CulletProxy*>& getApart() const
    {
        return m_apart;
    }

    /// The proxy of a slot in use. Reads no proxy unless some live apart, so that callers can prefetch what it returns.
    CulletProxy* get( cltProxyId slot ) const
    {
        CulletProxy* cell = getCell( slot );
        if ( m_apart.size() == 0 || cell->m_slot == slot )
        {
            return cell;
        }
        return static_cast<CulletProxy*>( cell->m_clientObject );
    }

    /// The same as get( slot )->m_uniqueId, from memory that stays in the cache where the proxies do not.
    int getUid( cltProxyId slot ) const
    {
        return m_slabs[int( slot >> SLAB_SHIFT )]->m_uids[slot & ( SLAB_SIZE - 1 )];
    }

    /// Calls `visit( proxy )` for every proxy, each once.
    template <typename Visit>
    void forEach( Visit visit ) const
    {
        for ( int slab = 0; slab < m_slabs.size(); ++slab )
        {
            for ( int i = 0; i < SLAB_SIZE; ++i )
            {
                if ( m_slabs[slab]->m_proxies[i].m_slot != CLT_NULL_PROXY )
                {
                    visit( m_slabs[slab]->m_proxies[i] );
                }
            }
        }
        for ( int i = 0; i < m_apart.size(); ++i )
        {
            visit( *m_apart[i] );
        }
    }

private:
    CulletProxyPool( const CulletProxyPool& ) = delete;
    CulletProxyPool& operator=( const CulletProxyPool& ) = delete;

    /// 1024 proxies: 64 KiB in single precision, little for the smallest world; and at a million proxies the table of
    /// slabs still fits a first-level cache.
    enum
    {
        SLAB_SHIFT = 10,
        SLAB_SIZE = 1 << SLAB_SHIFT
    };

    struct Slab
    {
        CulletProxy m_proxies[SLAB_SIZE];
        int m_uids[SLAB_SIZE]; ///< of the proxies with these slots, 0 where there is none
    };

    CulletProxy* getCell( cltProxyId slot ) const
    {
        return m_slabs[int( slot >> SLAB_SHIFT )]->m_proxies + ( slot & ( SLAB_SIZE - 1 ) );
    }

    void setUid( cltProxyId slot, int uid )
    {
        m_slabs[int( slot >> SLAB_SHIFT )]->m_uids[slot & ( SLAB_SIZE - 1 )] = uid;
    }

    void addSlabsUpTo( cltProxyId slot );
    CulletProxy* takeUnused();

    btAlignedObjectArray<Slab*> m_slabs;
    btAlignedObjectArray<CulletProxy*> m_apart;
    btAlignedObjectArray<CulletProxy*> m_unused; ///< that lived apart
    int m_count;
};

#endif
