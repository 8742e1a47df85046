// SPDX-License-Identifier: Zlib
/// \file CulletPairNote.h
/// A pair by its proxies, as the broadphase and its cache speak of it: to be handled now, or to be looked at later.
#ifndef CULLET_PAIR_NOTE_H
#define CULLET_PAIR_NOTE_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"

#include <stdint.h>

/// m_pProxy0 has the smaller uid.
struct CulletProxyPair
{
    btBroadphaseProxy* m_pProxy0;
    btBroadphaseProxy* m_pProxy1;

    /// A destroyed proxy has no uid any more.
    bool isAlive() const
    {
        return m_pProxy0->m_uniqueId != 0 && m_pProxy1->m_uniqueId != 0;
    }
};

inline CulletProxyPair culletPairOf( btBroadphaseProxy* a, btBroadphaseProxy* b )
{
    const bool isFirst = a->m_uniqueId <= b->m_uniqueId;
    const CulletProxyPair pair = { isFirst ? a : b, isFirst ? b : a };
    return pair;
}

/// A pair that may be gone when it is looked at again. Its proxies' memory must stay readable.
struct CulletPairNote
{
    CulletProxyPair m_pair;
    int m_uid0;
    int m_uid1;

    explicit CulletPairNote( const CulletProxyPair& pair )
        : m_pair( pair ), m_uid0( pair.m_pProxy0->m_uniqueId ), m_uid1( pair.m_pProxy1->m_uniqueId )
    {
    }

    CulletPairNote()
    {
    }

    bool isAlive() const
    {
        return m_pair.isAlive() && m_pair.m_pProxy0->m_uniqueId == m_uid0 && m_pair.m_pProxy1->m_uniqueId == m_uid1;
    }

    uint64_t key() const
    {
        return ( uint64_t( uint32_t( m_uid0 ) ) << 32 ) | uint32_t( m_uid1 );
    }

    bool operator<( const CulletPairNote& other ) const
    {
        return key() < other.key();
    }
};

#endif
