// SPDX-License-Identifier: Zlib
/// \file CulletUidOrder.cpp
/// A few pairs are sorted by comparing, many in a few passes over all of them.

#include "CulletUidOrder.h"

#include <algorithm>

namespace
{
/// 2048 counters fit a first-level cache beside what is sorted, and two digits number four million uids.
const int DIGIT_BITS = 11;
const int DIGIT_COUNT = 1 << DIGIT_BITS;

/// Below, clearing the counters for each digit costs more than comparing.
const int FEWEST_FOR_DIGITS = 512;
} // namespace

const cltPair* CulletUidOrder::sort( const CulletProxyPool& proxies, const cltPair* pairs, int count )
{
    keyPairs( proxies, pairs, count );
    const KeyedPair* sorted = &m_keyed[0];
    if ( count < FEWEST_FOR_DIGITS )
    {
        std::sort( &m_keyed[0], &m_keyed[0] + count );
    }
    else
    {
        sorted = sortByDigits( count );
    }
    m_ordered.resizeNoInitialize( count );
    for ( int i = 0; i < count; ++i )
    {
        m_ordered[i] = sorted[i].m_slots;
    }
    return &m_ordered[0];
}

void CulletUidOrder::keyPairs( const CulletProxyPool& proxies, const cltPair* pairs, int count )
{
    m_keyed.resizeNoInitialize( count );
    for ( int i = 0; i < count; ++i )
    {
        cltPair slots = pairs[i];
        uint32_t uidA = uint32_t( proxies.getUid( slots.proxyA ) );
        uint32_t uidB = uint32_t( proxies.getUid( slots.proxyB ) );
        if ( uidA > uidB )
        {
            btSwap( uidA, uidB );
            btSwap( slots.proxyA, slots.proxyB );
        }
        m_keyed[i].m_uids = ( uint64_t( uidA ) << 32 ) | uidB;
        m_keyed[i].m_slots = slots;
    }
}

/// Digit by digit from the lowest, each pass stable (Knuth, The Art of Computer Programming 3, section 5.2.5, algorithm
/// R); digits in which all keys agree are left out.
const CulletUidOrder::KeyedPair* CulletUidOrder::sortByDigits( int count )
{
    uint64_t differing = 0;
    for ( int i = 1; i < count; ++i )
    {
        differing |= m_keyed[i].m_uids ^ m_keyed[0].m_uids;
    }
    m_scratch.resizeNoInitialize( count );
    KeyedPair* from = &m_keyed[0];
    KeyedPair* to = &m_scratch[0];
    for ( int half = 0; half < 64; half += 32 )
    {
        for ( int shift = half; shift < half + 32; shift += DIGIT_BITS )
        {
            const uint64_t mask = ( ( uint64_t( 1 ) << btMin( DIGIT_BITS, half + 32 - shift ) ) - 1 ) << shift;
            if ( differing & mask )
            {
                sortByDigit( from, to, count, shift, mask );
                btSwap( from, to );
            }
        }
    }
    return from;
}

void CulletUidOrder::sortByDigit( const KeyedPair* from, KeyedPair* to, int count, int shift, uint64_t mask )
{
    int places[DIGIT_COUNT] = {};
    for ( int i = 0; i < count; ++i )
    {
        ++places[( from[i].m_uids & mask ) >> shift];
    }
    int place = 0;
    for ( int digit = 0; digit < DIGIT_COUNT; ++digit )
    {
        const int size = places[digit];
        places[digit] = place;
        place += size;
    }
    for ( int i = 0; i < count; ++i )
    {
        to[places[( from[i].m_uids & mask ) >> shift]++] = from[i];
    }
}
