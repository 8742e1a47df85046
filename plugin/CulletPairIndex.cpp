// SPDX-License-Identifier: Zlib
/// \file CulletPairIndex.cpp
/// Erasing shifts later entries back instead of leaving marks behind, so that a table that lives for hours of adds and
/// removes probes as little as a new one (Knuth, The Art of Computer Programming 3, section 6.4, algorithm R).

#include "CulletPairIndex.h"

namespace
{
/// Linear probing at 7/10 full needs 2.2 probes for a pair that is there and 6.1 for one that is not; beyond that the
/// second grows steeply (Knuth, section 6.4, theorem K).
const int64_t FULL_TENTHS = 7;
const int SMALLEST_PAIR_TABLE = 16;

/// Bullet's array type counts in an int. Beyond 7/10 of this many pairs (24 GB of them) the table only gets fuller.
const int LARGEST_TABLE = 1 << 30;
} // namespace

CulletPairIndex::CulletPairIndex() : m_mask( SMALLEST_PAIR_TABLE - 1 )
{
    const Entry empty = { 0, NONE };
    m_entries.resize( SMALLEST_PAIR_TABLE, empty );
}

bool CulletPairIndex::grow( int pairCount )
{
    int64_t capacity = m_entries.size();
    while ( int64_t( pairCount ) * 10 > capacity * FULL_TENTHS && capacity < LARGEST_TABLE )
    {
        capacity *= 2;
    }
    if ( capacity == m_entries.size() )
    {
        return false;
    }
    const Entry empty = { 0, NONE };
    m_entries.clear(); // first, so that the old table and the new one never need memory together
    m_entries.resize( int( capacity ), empty );
    m_mask = int( capacity - 1 );
    return true;
}

void CulletPairIndex::erase( uint32_t hash, uint32_t pair )
{
    int hole = locate( hash, pair );
    for ( int at = next( hole ); m_entries[at].m_pair != NONE; at = next( at ) )
    {
        // An entry may fill the hole if its home is not between the hole and its place, going around the table.
        const int fromHome = ( at - home( m_entries[at].m_hash ) ) & m_mask;
        const int fromHole = ( at - hole ) & m_mask;
        if ( fromHome >= fromHole )
        {
            m_entries[hole] = m_entries[at];
            hole = at;
        }
    }
    m_entries[hole].m_pair = NONE;
}

void CulletPairIndex::move( uint32_t hash, uint32_t from, uint32_t to )
{
    m_entries[locate( hash, from )].m_pair = to;
}

int CulletPairIndex::locate( uint32_t hash, uint32_t pair ) const
{
    int at = home( hash );
    while ( m_entries[at].m_pair != pair )
    {
        btAssert( m_entries[at].m_pair != NONE );
        at = next( at );
    }
    return at;
}
