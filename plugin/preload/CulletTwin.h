// SPDX-License-Identifier: Zlib
/// \file CulletTwin.h
/// Bullet's own broadphase beside cullet's, with a pair cache of its own, which hears of the same boxes. The program
/// never sees it.
#ifndef CULLET_TWIN_H
#define CULLET_TWIN_H

#include "CulletPreload.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include <unordered_map>

class CulletTwin
{
public:
    CulletTwin( const CulletBullet& bullet, const CulletArguments& arguments );
    ~CulletTwin();

    CulletTwin( const CulletTwin& ) = delete;
    CulletTwin& operator=( const CulletTwin& ) = delete;

    /// \param original  the proxy that the program has: its box is taken
    /// \param client    what the twin's proxy gets for its client object
    btBroadphaseProxy* create( const btBroadphaseProxy* original, void* client, int group, int mask );

    // Who times the twin remembers and looks up outside of the time that is taken.

    void remember( const btBroadphaseProxy* original, btBroadphaseProxy* proxy )
    {
        m_proxies[original] = proxy;
    }

    /// NULL if there is none, as in the next.
    btBroadphaseProxy* of( const btBroadphaseProxy* original ) const
    {
        const auto found = m_proxies.find( original );
        return found == m_proxies.end() ? 0 : found->second;
    }

    btBroadphaseProxy* forget( const btBroadphaseProxy* original );

    /// \param proxy  the twin's own, as in the next; NULL: nothing happens
    void destroy( btBroadphaseProxy* proxy );
    void set( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax );

    void calculate()
    {
        m_broadphase->calculateOverlappingPairs( 0 );
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
    btBroadphaseInterface* m_broadphase; ///< in memory of its own: Bullet's constructor is called by its address
    std::unordered_map<const btBroadphaseProxy*, btBroadphaseProxy*> m_proxies;
};

#endif
