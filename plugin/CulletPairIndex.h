// SPDX-License-Identifier: Zlib
/// \file CulletPairIndex.h
/// Finds a pair's place in the pair array. An open-addressed table with linear probing, that keeps each pair's hash in
/// the entry: looking for a pair that is not there reads one cache line and no pair, moving or growing reads no proxy.
#ifndef CULLET_PAIR_INDEX_H
#define CULLET_PAIR_INDEX_H

#include "LinearMath/btAlignedObjectArray.h"

#include <stdint.h>
#if defined( _MSC_VER ) && ( defined( _M_IX86 ) || defined( _M_X64 ) )
#include <xmmintrin.h>
#endif

/// Asks for a cache line that will be needed soon.
inline void culletPrefetch( const void* address )
{
#if defined( __GNUC__ )
    __builtin_prefetch( address );
#elif defined( _MSC_VER ) && ( defined( _M_IX86 ) || defined( _M_X64 ) )
    _mm_prefetch( static_cast<const char*>( address ), _MM_HINT_T0 );
#else
    (void)address;
#endif
}

class CulletPairIndex
{
public:
    /// No pair: the result of a search that found none, and the mark of an empty entry.
    static const uint32_t NONE = UINT32_MAX;

    /// Every bit of both uids counts: worlds are often created in raster order, where a pair's uids differ in few bits.
    /// The finaliser of Appleby's MurmurHash3 (fmix64, 2011).
    static uint32_t hash( int uid0, int uid1 )
    {
        uint64_t key = ( uint64_t( uint32_t( uid0 ) ) << 32 ) | uint32_t( uid1 );
        key = ( key ^ ( key >> 33 ) ) * 0xff51afd7ed558ccdull;
        key = ( key ^ ( key >> 33 ) ) * 0xc4ceb9fe1a85ec53ull;
        return uint32_t( key ^ ( key >> 33 ) );
    }

    void prefetch( uint32_t hash ) const
    {
        culletPrefetch( &m_entries[home( hash )] );
    }

    /// The first pair with this hash for which `isWanted( pair )` holds, or NONE.
    template <typename IsWanted>
    uint32_t find( uint32_t hash, IsWanted isWanted ) const
    {
        for ( int at = home( hash ); m_entries[at].m_pair != NONE; at = next( at ) )
        {
            if ( m_entries[at].m_hash == hash && isWanted( m_entries[at].m_pair ) )
            {
                return m_entries[at].m_pair;
            }
        }
        return NONE;
    }

    CulletPairIndex();

    /// Room for `pairCount` pairs. Growing builds the table anew from `hashes`, the hash of each pair in the array.
    void reserve( int pairCount, const btAlignedObjectArray<uint32_t>& hashes );

    /// Needs room for one more.
    void insert( uint32_t hash, uint32_t pair );
    void erase( uint32_t hash, uint32_t pair );

    /// The pair at `from` in the array is now at `to`.
    void move( uint32_t hash, uint32_t from, uint32_t to );

private:
    struct Entry
    {
        uint32_t m_hash;
        uint32_t m_pair;
    };

    int home( uint32_t hash ) const
    {
        return int( hash & uint32_t( m_mask ) );
    }

    int next( int at ) const
    {
        return ( at + 1 ) & m_mask;
    }

    int locate( uint32_t hash, uint32_t pair ) const;

    btAlignedObjectArray<Entry> m_entries;
    int m_mask; ///< number of entries, a power of two, less one
};

#endif
