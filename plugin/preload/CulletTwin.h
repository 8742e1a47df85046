// SPDX-License-Identifier: Zlib
/// \file CulletTwin.h
/// One of Bullet's broadphases, with its default pair cache. It gets the same boxes as cullet, unseen by the program.
/// Calls pass no dispatcher, because the twin's pairs have no algorithms.
#ifndef CULLET_TWIN_H
#define CULLET_TWIN_H

#include "CulletPreload.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <algorithm>
#include <unordered_map>

class CulletTwin
{
public:
    CulletTwin( const CulletBullet& bullet, const CulletArguments& arguments )
    {
        const size_t sizes[] = { sizeof( btDbvtBroadphase ), sizeof( btAxisSweep3 ), sizeof( bt32BitAxisSweep3 ) };
        void* memory = btAlignedAlloc( *std::max_element( sizes, sizes + 3 ), 16 );
        bullet.construct( &bullet, &arguments, 0, memory );
        m_broadphase = static_cast<btBroadphaseInterface*>( memory );
    }

    ~CulletTwin()
    {
        while ( !m_proxies.empty() )
        {
            destroy( forget( m_proxies.begin()->first ) );
        }
        m_broadphase->~btBroadphaseInterface();
        btAlignedFree( m_broadphase );
    }

    CulletTwin( const CulletTwin& ) = delete;
    CulletTwin& operator=( const CulletTwin& ) = delete;

    /// \param original  the program's proxy; the twin's proxy gets its box
    /// \param client    the client object of the twin's proxy
    btBroadphaseProxy* create( const btBroadphaseProxy* original, void* client, int group, int mask )
    {
        return m_broadphase->createProxy( original->m_aabbMin, original->m_aabbMax, 0, client, group, mask, 0 );
    }

    // Separate functions to store and look up proxies, so that a stopwatch does not time them.

    void remember( const btBroadphaseProxy* original, btBroadphaseProxy* proxy )
    {
        m_proxies[original] = proxy;
    }

    /// The twin's proxy for a proxy of the program; NULL if unknown. `forget` returns the same, and erases the entry.
    btBroadphaseProxy* of( const btBroadphaseProxy* original ) const
    {
        const auto found = m_proxies.find( original );
        return found == m_proxies.end() ? 0 : found->second;
    }

    btBroadphaseProxy* forget( const btBroadphaseProxy* original )
    {
        btBroadphaseProxy* proxy = of( original );
        m_proxies.erase( original );
        return proxy;
    }

    /// \param proxy  a proxy of the twin. NULL is ignored, as by `set`
    void destroy( btBroadphaseProxy* proxy )
    {
        if ( proxy )
        {
            m_broadphase->destroyProxy( proxy, 0 );
        }
    }

    void set( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax )
    {
        if ( proxy )
        {
            m_broadphase->setAabb( proxy, aabbMin, aabbMax, 0 );
        }
    }

    btBroadphaseInterface& get()
    {
        return *m_broadphase;
    }

    btOverlappingPairCache& getCache()
    {
        return *m_broadphase->getOverlappingPairCache();
    }

private:
    btBroadphaseInterface* m_broadphase; ///< constructed by CulletBullet::construct, in memory from btAlignedAlloc
    std::unordered_map<const btBroadphaseProxy*, btBroadphaseProxy*> m_proxies;
};

#endif
