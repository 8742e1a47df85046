// SPDX-License-Identifier: Zlib
/// \file CulletTwin.h
/// Bullet's own broadphase with a pair cache of its own, which gets the same boxes as cullet's. The program never sees
/// it.
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

    /// \param original  the program's proxy; the twin's proxy gets its box
    /// \param client    the client object of the twin's proxy
    btBroadphaseProxy* create( const btBroadphaseProxy* original, void* client, int group, int mask );

    // Separate functions to store and look up proxies, so that a stopwatch does not time them.

    void remember( const btBroadphaseProxy* original, btBroadphaseProxy* proxy )
    {
        m_proxies[original] = proxy;
    }

    /// The twin's proxy for one of the program's; NULL if unknown. `forget` also removes it.
    btBroadphaseProxy* of( const btBroadphaseProxy* original ) const
    {
        const auto found = m_proxies.find( original );
        return found == m_proxies.end() ? 0 : found->second;
    }

    btBroadphaseProxy* forget( const btBroadphaseProxy* original );

    /// \param proxy  the twin's own, as in the next; NULL is ignored
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
    btBroadphaseInterface*
        m_broadphase; ///< in memory from btAlignedAlloc, because a function pointer calls the constructor
    std::unordered_map<const btBroadphaseProxy*, btBroadphaseProxy*> m_proxies;
};

#endif
