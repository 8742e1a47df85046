// SPDX-License-Identifier: Zlib
/// \file CulletProbe.h
/// Checks that a loaded Bullet has the layout of the headers that the module was compiled with: the size and members of
/// its objects, the order of their virtual functions, and the layout of pair caches and proxies. Other versions of
/// Bullet, the other precision and BT_USE_SSE change these.
#ifndef CULLET_PROBE_H
#define CULLET_PROBE_H

#include "CulletPreload.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#include <string.h>

namespace
{
const unsigned char UNTOUCHED = 0xa5;

/// Memory for one of Bullet's objects, with unused bytes after it.
struct Sample
{
    alignas( 16 ) unsigned char m_bytes[4 * sizeof( btDbvtBroadphase )];
    btDbvtBroadphase& m_broadphase = *reinterpret_cast<btDbvtBroadphase*>( m_bytes );
};

const CulletFunction* tableOf( const void* object )
{
    const CulletFunction* table;
    memcpy( &table, object, sizeof( table ) );
    return table;
}

/// The number of virtual functions in the table of the object; 0 if unknown. A table has two more words (Itanium C++
/// ABI, section 2.5.2).
int countVirtuals( const void* object )
{
    const char* table = reinterpret_cast<const char*>( tableOf( object ) - 2 );
    Dl_info place;
    void* symbol = 0;
    const bool isFound = dladdr1( table, &place, &symbol, RTLD_DL_SYMENT ) != 0 && symbol && place.dli_saddr == table;
    return isFound ? int( static_cast<ElfW( Sym )*>( symbol )->st_size / sizeof( void* ) ) - 2 : 0;
}

/// The number of virtual functions of a pair cache by the headers: the index of the last (section 2.3) plus one.
int countCacheVirtuals()
{
    void ( btOverlappingPairCache::*const last )( btDispatcher* ) = &btOverlappingPairCache::sortOverlappingPairs;
    size_t place;
    memcpy( &place, &last, sizeof( place ) );
    return int( place / sizeof( void* ) ) + 1;
}

bool hasExpectedTable( const CulletBullet& bullet, const void* object )
{
    const CulletFunction* table = tableOf( object );
    bool isKnown = countVirtuals( object ) == culletVirtualCount;
    for ( int i = 0; i < culletVirtualCount && isKnown; ++i )
    {
        isKnown = table[i] == bullet.own[i] || table[i] == bullet.bound[i];
    }
    return isKnown;
}

/// True if the members have the values that the constructor writes (btDbvtBroadphase.cpp).
bool hasExpectedMembers( const Sample& sample )
{
    const btDbvtBroadphase& broadphase = sample.m_broadphase;
    const unsigned char* end = sample.m_bytes + sizeof( sample.m_bytes );
    const auto isTouched = []( unsigned char byte ) { return byte != UNTOUCHED; };
    return std::none_of( sample.m_bytes + sizeof( btDbvtBroadphase ), end, isTouched ) && broadphase.m_paircache &&
           broadphase.m_releasepaircache && !broadphase.m_deferedcollide && broadphase.m_needcleanup &&
           broadphase.m_prediction == 0 && broadphase.m_gid == 0 && broadphase.m_pid == 0 &&
           broadphase.m_dupdates == 0 && broadphase.m_fupdates == 1 && broadphase.m_cupdates == 10 &&
           !broadphase.m_sets[0].m_root && !broadphase.m_sets[1].m_root && !broadphase.m_stageRoots[0] &&
           broadphase.m_sets[1].m_lkhd == -1;
}

bool hasExpectedCache( btDbvtBroadphase& broadphase )
{
    const btHashedOverlappingPairCache own;
    return broadphase.getOverlappingPairCache() == broadphase.m_paircache &&
           tableOf( broadphase.m_paircache ) == tableOf( &own ) && countVirtuals( &own ) == countCacheVirtuals();
}

bool isProxyAsExpected( const btBroadphaseProxy& proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                        void* client )
{
    return proxy.m_clientObject == client && proxy.m_collisionFilterGroup == 5 && proxy.m_collisionFilterMask == 7 &&
           proxy.m_aabbMin.x() == aabbMin.x() && proxy.m_aabbMin.z() == aabbMin.z() &&
           proxy.m_aabbMax.x() == aabbMax.x() && proxy.m_aabbMax.z() == aabbMax.z();
}

/// Creates a pair of overlapping boxes, and checks proxies, pair and pair cache.
bool areProxiesAsExpected( btBroadphaseInterface& broadphase )
{
    const btVector3 lower[2] = { btVector3( -1, -2, -3 ), btVector3( 0, 0, 0 ) };
    const btVector3 upper[2] = { btVector3( 1, 2, 3 ), btVector3( 4, 5, 6 ) };
    int client;
    btBroadphaseProxy* proxies[2];
    bool isKnown = true;
    for ( int i = 0; i < 2; ++i )
    {
        proxies[i] = broadphase.createProxy( lower[i], upper[i], 0, &client, 5, 7, 0 );
        isKnown =
            isKnown && isProxyAsExpected( *proxies[i], lower[i], upper[i], &client ) && proxies[i]->m_uniqueId == i + 1;
    }
    btOverlappingPairCache& cache = *broadphase.getOverlappingPairCache();
    isKnown = isKnown && cache.getNumOverlappingPairs() == 1 && !cache.hasDeferredRemoval() &&
              !cache.getOverlapFilterCallback() && cache.needsBroadphaseCollision( proxies[0], proxies[1] ) &&
              cache.getOverlappingPairArray()[0].m_pProxy0 == proxies[0] &&
              cache.getOverlappingPairArray()[0].m_pProxy1 == proxies[1] &&
              cache.findPair( proxies[1], proxies[0] ) == cache.getOverlappingPairArrayPtr();
    for ( int i = 0; i < 2; ++i )
    {
        broadphase.destroyProxy( proxies[i], 0 );
    }
    return isKnown && cache.getNumOverlappingPairs() == 0;
}
} // namespace

/// Constructs a btDbvtBroadphase, checks it and destroys it.
/// \return NULL, or the difference, in words
inline const char* culletProbe( const CulletBullet& bullet )
{
    const CulletArguments arguments = CulletArguments();
    Sample sample;
    memset( sample.m_bytes, UNTOUCHED, sizeof( sample.m_bytes ) );
    bullet.construct( &bullet, &arguments, 0, sample.m_bytes );
    if ( !hasExpectedTable( bullet, sample.m_bytes ) )
    {
        return "its virtual functions are others"; // leaks the sample, because its destructor is unknown
    }
    btBroadphaseInterface& broadphase = sample.m_broadphase;
    const char* reason = !hasExpectedMembers( sample )              ? "its members lie elsewhere"
                         : !hasExpectedCache( sample.m_broadphase ) ? "its pair cache has other functions"
                         : !areProxiesAsExpected( broadphase )      ? "its proxies or pairs lie elsewhere"
                                                                    : 0;
    broadphase.~btBroadphaseInterface();
    return reason;
}

#endif
