// SPDX-License-Identifier: Zlib
/// \file CulletTwin.cpp
/// Calls pass no dispatcher, because the twin's pairs have no algorithms.

#include "CulletTwin.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <algorithm>

CulletTwin::CulletTwin( const CulletBullet& bullet, const CulletArguments& arguments )
{
    const size_t size = std::max( { sizeof( btDbvtBroadphase ), sizeof( btAxisSweep3 ), sizeof( bt32BitAxisSweep3 ) } );
    void* memory = btAlignedAlloc( size, 16 );
    bullet.construct( &bullet, &arguments, 0, memory );
    m_broadphase = static_cast<btBroadphaseInterface*>( memory );
}

CulletTwin::~CulletTwin()
{
    while ( !m_proxies.empty() )
    {
        destroy( forget( m_proxies.begin()->first ) );
    }
    m_broadphase->~btBroadphaseInterface();
    btAlignedFree( m_broadphase );
}

btBroadphaseProxy* CulletTwin::create( const btBroadphaseProxy* original, void* client, int group, int mask )
{
    return m_broadphase->createProxy( original->m_aabbMin, original->m_aabbMax, 0, client, group, mask, 0 );
}

btBroadphaseProxy* CulletTwin::forget( const btBroadphaseProxy* original )
{
    btBroadphaseProxy* proxy = of( original );
    m_proxies.erase( original );
    return proxy;
}

void CulletTwin::destroy( btBroadphaseProxy* proxy )
{
    if ( proxy )
    {
        m_broadphase->destroyProxy( proxy, 0 );
    }
}

void CulletTwin::set( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax )
{
    if ( proxy )
    {
        m_broadphase->setAabb( proxy, aabbMin, aabbMax, 0 );
    }
}
