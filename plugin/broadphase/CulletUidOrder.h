// SPDX-License-Identifier: Zlib
/// \file CulletUidOrder.h
/// Sorts pairs into the canonical order: ascending by the two uids. The core sorts by slot. Once slots have been
/// reused, these orders differ. In every step, the pairs of such slots are then sorted, few by comparisons and many by
/// radix sort, and merged with the others.
#ifndef CULLET_UID_ORDER_H
#define CULLET_UID_ORDER_H

#include "CulletProxyPool.h"

#include <algorithm>
#include <numeric>

class CulletUidOrder
{
public:
    /// To be called once a step, with the number of changes: frees memory that has not been needed for a while.
    void expectChanges( size_t count )
    {
        if ( m_shrinkPolicy.isDue( int( btMin( count, size_t( INT32_MAX ) ) ), m_keyed.capacity() ) )
        {
            m_keyed.clear();
            m_scratch.clear();
            m_ordered.clear();
        }
    }

    /// Sorts the pairs that ended and those that began, with the smaller uid first in each.
    /// \param lastUid  the largest uid
    /// \return valid until the next call
    cltPairChanges sort( const CulletProxyPool& proxies, const cltPairChanges& changes, int lastUid )
    {
        m_ordered.resizeNoInitialize( int( changes.endedCount + changes.beganCount ) );
        cltPair* const ordered = m_ordered.size() > 0 ? &m_ordered[0] : 0;
        sortInto( ordered, proxies, changes.ended, int( changes.endedCount ), lastUid );
        sortInto( ordered + changes.endedCount, proxies, changes.began, int( changes.beganCount ), lastUid );
        cltPairChanges sorted = changes;
        sorted.ended = ordered;
        sorted.began = ordered + changes.endedCount;
        return sorted;
    }

private:
    /// 2048 counters fit the first-level cache beside the data, and two digits cover four million uids.
    static const int DIGIT_BITS = 11;

    /// For fewer pairs, clearing the counters costs more than comparing.
    static const int FEWEST_FOR_DIGITS = 512;

    struct KeyedPair
    {
        uint64_t m_uids;
        cltPair m_slots;

        bool operator<( const KeyedPair& other ) const
        {
            return m_uids < other.m_uids;
        }

        uint64_t getDigit( int shift ) const
        {
            return ( m_uids >> shift ) & ( ( 1u << DIGIT_BITS ) - 1 );
        }
    };

    void sortInto( cltPair* ordered, const CulletProxyPool& proxies, const cltPair* pairs, int count, int lastUid )
    {
        int uidBits = 1;
        for ( ; lastUid >> uidBits != 0; ++uidBits )
        {
        }
        m_keyed.resizeNoInitialize( count );
        int sortedCount = 0, unsortedCount = 0;
        for ( int i = 0; i < count; ++i )
        {
            if ( proxies.isUnsorted( pairs[i].proxyA ) || proxies.isUnsorted( pairs[i].proxyB ) )
            {
                m_keyed[unsortedCount++] = keyOf( pairs[i], proxies, uidBits );
            }
            else
            {
                ordered[sortedCount++] = pairs[i];
            }
        }
        if ( unsortedCount > 0 )
        {
            const bool areFew = unsortedCount < FEWEST_FOR_DIGITS;
            const KeyedPair* keyed = areFew ? sortByComparing( unsortedCount ) : sortByDigits( unsortedCount, uidBits );
            mergeInto( ordered, sortedCount, keyed, unsortedCount, proxies, uidBits );
        }
    }

    static KeyedPair keyOf( const cltPair& pair, const CulletProxyPool& proxies, int uidBits )
    {
        const uint64_t uidA = uint64_t( proxies.getUid( pair.proxyA ) );
        const uint64_t uidB = uint64_t( proxies.getUid( pair.proxyB ) );
        const cltPair turned = { pair.proxyB, pair.proxyA };
        return { ( btMin( uidA, uidB ) << uidBits ) | btMax( uidA, uidB ), uidA <= uidB ? pair : turned };
    }

    /// Merges `keyed` into the `count` pairs, behind which there is room for them.
    static void mergeInto( cltPair* pairs, int count, const KeyedPair* keyed, int keyedCount,
                           const CulletProxyPool& proxies, int uidBits )
    {
        while ( keyedCount > 0 )
        {
            const KeyedPair& last = keyed[keyedCount - 1];
            for ( ; count > 0 && last < keyOf( pairs[count - 1], proxies, uidBits ); --count )
            {
                pairs[count + keyedCount - 1] = pairs[count - 1];
            }
            --keyedCount;
            pairs[count + keyedCount] = last.m_slots;
        }
    }

    const KeyedPair* sortByComparing( int count )
    {
        std::sort( &m_keyed[0], &m_keyed[0] + count );
        return &m_keyed[0];
    }

    /// Radix sort: a stable pass for each digit, the lowest digit first (Knuth, The Art of Computer Programming 3,
    /// section 5.2.5, algorithm R).
    const KeyedPair* sortByDigits( int count, int uidBits )
    {
        m_scratch.resizeNoInitialize( count );
        KeyedPair* from = &m_keyed[0];
        KeyedPair* to = &m_scratch[0];
        for ( int shift = 0; shift < 2 * uidBits; shift += DIGIT_BITS )
        {
            int ends[1 << DIGIT_BITS] = {};
            for ( int i = 0; i < count; ++i )
            {
                ++ends[from[i].getDigit( shift )];
            }
            std::partial_sum( ends, ends + ( 1 << DIGIT_BITS ), ends );
            for ( int i = count - 1; i >= 0; --i )
            {
                to[--ends[from[i].getDigit( shift )]] = from[i];
            }
            btSwap( from, to );
        }
        return from;
    }

    btAlignedObjectArray<KeyedPair> m_keyed;
    btAlignedObjectArray<KeyedPair> m_scratch;
    btAlignedObjectArray<cltPair> m_ordered;
    CulletShrinkPolicy m_shrinkPolicy;
};

#endif
