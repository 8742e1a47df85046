// SPDX-License-Identifier: Zlib
/// \file CulletPairNote.h
/// A pair as its two proxies, and a note of a pair for later use.
#ifndef CULLET_PAIR_NOTE_H
#define CULLET_PAIR_NOTE_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"
#include "CulletArrays.h"

/// A pair's two uids as one number. The canonical order is by this number.
inline uint64_t culletUidsOf( int uid0, int uid1 )
{
    return uint64_t( uint32_t( uid0 ) ) << 32 | uint32_t( uid1 );
}

/// The two proxies of a pair. m_pProxy0 has the smaller uid.
struct CulletProxyPair
{
    btBroadphaseProxy* m_pProxy0;
    btBroadphaseProxy* m_pProxy1;

    /// True if both proxies exist; a destroyed one has uid 0.
    bool isAlive() const
    {
        return m_pProxy0->m_uniqueId != 0 && m_pProxy1->m_uniqueId != 0;
    }

    /// The sort key of the canonical order.
    uint64_t getUids() const
    {
        return culletUidsOf( m_pProxy0->m_uniqueId, m_pProxy1->m_uniqueId );
    }
};

inline CulletProxyPair culletPairOf( btBroadphaseProxy* a, btBroadphaseProxy* b )
{
    const bool isFirst = a->m_uniqueId <= b->m_uniqueId;
    return { isFirst ? a : b, isFirst ? b : a };
}

/// A pair that may have been removed when the note is used. The memory of its proxies must stay readable.
struct CulletPairNote
{
    CulletProxyPair m_pair;
    uint64_t m_uids;

    bool isAlive() const
    {
        return m_pair.isAlive() && m_pair.getUids() == m_uids;
    }

    bool operator<( const CulletPairNote& other ) const
    {
        return m_uids < other.m_uids;
    }
};

typedef btAlignedObjectArray<CulletPairNote> CulletPairNotes;

inline CulletPairNote culletNoteOf( const CulletProxyPair& pair )
{
    return { pair, pair.getUids() };
}

/// The note of a pair of proxies with known uids. Reads neither proxy.
inline CulletPairNote culletNoteOf( btBroadphaseProxy* a, int uidA, btBroadphaseProxy* b, int uidB )
{
    const bool isFirst = uidA <= uidB;
    return { { isFirst ? a : b, isFirst ? b : a }, isFirst ? culletUidsOf( uidA, uidB ) : culletUidsOf( uidB, uidA ) };
}

#endif
