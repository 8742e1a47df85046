// SPDX-License-Identifier: Zlib
/// \file CulletPairIndex.h
/// Finds a pair's place in the pair array. An open-addressed hash table with linear probing. Entries keep the pair's
/// hash, so a search for an absent pair mostly reads one cache line and no pair. A pair's key is the addresses of its
/// two proxies; no proxy is read.
#ifndef CULLET_PAIR_INDEX_H
#define CULLET_PAIR_INDEX_H

#include "CulletArrays.h"

#include <stdint.h>

class CulletPairIndex
{
public:
    /// The result of a search without success, and the mark of a free entry.
    static const uint32_t NONE = UINT32_MAX;

    /// Every bit of both addresses affects the hash. Worlds are often created in raster order, so that many pairs have
    /// proxies at equal distances in memory. A multiplication carries low bits upwards, so the upper half depends on
    /// all bits. The exclusive or between the two multiplications keeps equal distances from giving regular hashes. The
    /// factors are from Appleby's MurmurHash3 (fmix64, 2011).
    static uint32_t hash( const void* proxy0, const void* proxy1 )
    {
        const uint64_t key = ( uint64_t( uintptr_t( proxy0 ) ) * 0xff51afd7ed558ccdull ) ^ uintptr_t( proxy1 );
        return uint32_t( ( key * 0xc4ceb9fe1a85ec53ull ) >> 32 );
    }

    void prefetch( uint32_t hash ) const
    {
        cltPrefetch( &m_entries[home( hash )] );
    }

    /// \return the entry of the first pair with this hash for which `isWanted( pair )` holds, or the free entry for it
    template <typename IsWanted>
    int probe( uint32_t hash, IsWanted isWanted ) const
    {
        int at = home( hash );
        while ( m_entries[at].m_pair != NONE && !( m_entries[at].m_hash == hash && isWanted( m_entries[at].m_pair ) ) )
        {
            at = next( at );
        }
        return at;
    }

    /// \return the first pair with this hash for which `isWanted( pair )` holds, or NONE
    template <typename IsWanted>
    uint32_t find( uint32_t hash, IsWanted isWanted ) const
    {
        return m_entries[probe( hash, isWanted )].m_pair;
    }

    CulletPairIndex() : m_mask( SMALLEST - 1 )
    {
        m_entries.resize( SMALLEST, empty() );
    }

    /// Reserves capacity for `pairCount` pairs. If the table grows, it is rebuilt from the `present` pairs of the
    /// array; `hashOf( pair )` is the hash of a pair.
    template <typename HashOf>
    void reserve( int pairCount, int present, HashOf hashOf )
    {
        const int capacity = capacityFor( pairCount, m_entries.size() );
        if ( capacity != m_entries.size() )
        {
            rebuild( capacity, present, hashOf );
        }
    }

    /// Shrinks the capacity to the `present` pairs.
    template <typename HashOf>
    void fit( int present, HashOf hashOf )
    {
        rebuild( capacityFor( present, SMALLEST ), present, hashOf );
    }

    /// Adds a pair that is absent. Needs capacity for one more.
    void insert( uint32_t hash, uint32_t pair )
    {
        set( probe( hash, []( uint32_t ) { return false; } ), hash, pair );
    }

    /// \return the pair of an entry, NONE if the entry is free
    uint32_t get( int at ) const
    {
        return m_entries[at].m_pair;
    }

    /// Fills the free entry that probe found. Needs capacity for one more.
    void set( int at, uint32_t hash, uint32_t pair )
    {
        m_entries[at].m_hash = hash;
        m_entries[at].m_pair = pair;
    }

    void erase( uint32_t hash, uint32_t pair )
    {
        culletErase( m_entries, locate( hash, pair ), empty(),
                     [this]( const Entry& entry ) { return home( entry.m_hash ); } );
    }

    /// Updates the entry of a pair that moved from place `from` of the array to `to`.
    void move( uint32_t hash, uint32_t from, uint32_t to )
    {
        m_entries[locate( hash, from )].m_pair = to;
    }

private:
    struct Entry
    {
        uint32_t m_hash;
        uint32_t m_pair;

        bool operator==( const Entry& other ) const
        {
            return m_pair == other.m_pair;
        }
    };

    static Entry empty()
    {
        return { 0, NONE };
    }

    int home( uint32_t hash ) const
    {
        return int( hash & uint32_t( m_mask ) );
    }

    int next( int at ) const
    {
        return ( at + 1 ) & m_mask;
    }

    int locate( uint32_t hash, uint32_t pair ) const
    {
        int at = home( hash );
        while ( m_entries[at].m_pair != pair )
        {
            btAssert( m_entries[at].m_pair != NONE );
            at = next( at );
        }
        return at;
    }

    /// \return `capacity`, doubled until it suffices
    static int capacityFor( int pairCount, int64_t capacity )
    {
        while ( int64_t( pairCount ) * 10 > capacity * FULL_TENTHS && capacity < LARGEST )
        {
            capacity *= 2;
        }
        return int( capacity );
    }

    template <typename HashOf>
    void rebuild( int capacity, int present, HashOf hashOf )
    {
        m_entries.clear(); // first: the old and the new table are never in memory together
        m_entries.resize( capacity, empty() );
        m_mask = capacity - 1;
        for ( int pair = 0; pair < present; ++pair )
        {
            if ( pair + PREFETCH_DISTANCE < present )
            {
                prefetch( hashOf( pair + PREFETCH_DISTANCE ) );
            }
            insert( hashOf( pair ), uint32_t( pair ) );
        }
    }

    /// At a load of 7/10, linear probing needs 2.2 probes for a present pair and 6.1 for an absent one. At higher
    /// loads, the number for absent pairs grows steeply (Knuth, section 6.4, theorem K).
    static const int64_t FULL_TENTHS = 7;
    static const int SMALLEST = 16;

    /// Bullet's array type counts in an int. Beyond 7/10 of this many pairs (24 GB of pairs) the table does not grow
    /// further.
    static const int LARGEST = 1 << 30;

    /// Far enough ahead to hide a cache miss behind the work on the pairs in between.
    static const int PREFETCH_DISTANCE = 16;

    btAlignedObjectArray<Entry> m_entries;
    int m_mask; ///< number of entries, a power of two, less one
};

#endif
