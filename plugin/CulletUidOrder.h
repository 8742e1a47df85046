// SPDX-License-Identifier: Zlib
/// \file CulletUidOrder.h
/// The canonical order of pairs: ascending by the two uids. The core's order is by slot; once slots have been used
/// again that is another one, and every step's changes have to be sorted.
#ifndef CULLET_UID_ORDER_H
#define CULLET_UID_ORDER_H

#include "CulletProxyPool.h"

class CulletUidOrder
{
public:
    /// The pairs in the canonical order, the smaller uid first in each.
    /// \param count  at least 1
    /// \return an array that lives until the next call
    const cltPair* sort( const CulletProxyPool& proxies, const cltPair* pairs, int count );

private:
    struct KeyedPair
    {
        uint64_t m_uids;
        cltPair m_slots;

        bool operator<( const KeyedPair& other ) const
        {
            return m_uids < other.m_uids;
        }
    };

    void keyPairs( const CulletProxyPool& proxies, const cltPair* pairs, int count );
    const KeyedPair* sortByDigits( int count );
    static void sortByDigit( const KeyedPair* from, KeyedPair* to, int count, int shift, uint64_t mask );

    btAlignedObjectArray<KeyedPair> m_keyed;
    btAlignedObjectArray<KeyedPair> m_scratch;
    btAlignedObjectArray<cltPair> m_ordered;
};

#endif
