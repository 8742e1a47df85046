// SPDX-License-Identifier: Zlib
/// \file CulletPairIndex.h
/// Finds a pair's place in the pair array. A hash table of buckets with twelve entries, each bucket in a cache line:
///
///     bytes   0 .. 11   12 .. 15         16 .. 63
///             12 tags   passed entries   12 places
///
/// A tag is a byte of the pair's hash. A search compares all tags of a bucket at once: among random pairs, a branch for
/// each entry would be mispredicted as often as not. One search in thirty meets another pair's entry with the same tag,
/// and looks at that pair in vain. Whole hashes would avoid that, but take twice the memory, and among millions of
/// pairs waiting for memory takes most of the time. If a bucket is full, an entry goes to the next bucket that is not,
/// and each full bucket that it passes counts it. So a search ends at the first bucket that no entry passed (a few
/// buckets may all have been passed: then it ends after all of them), and removing an entry moves no other (Bronson and
/// Shi, Open-sourcing F14 for faster, more memory-efficient hash tables, 2019).
///
/// A pair's key is the addresses of its two proxies; no proxy is read.
///
/// The index can be dropped. From then until provide, erase, move, reserve and fit do nothing, a prefetch is harmless,
/// and no other function may be called.
#ifndef CULLET_PAIR_INDEX_H
#define CULLET_PAIR_INDEX_H

#include "LinearMath/btAlignedAllocator.h"

#include "cullet_bits.h"

#include <atomic>
#include <mutex>
#include <stdint.h>
#include <string.h>

#if defined( __SSE2__ ) || defined( _M_X64 )
#include <emmintrin.h>
#define CULLET_HAS_SSE2
#endif

class CulletPairIndex
{
public:
    /// The result of a search without success.
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

    /// An empty index needs no memory: searches read a bucket that all empty indices share.
    CulletPairIndex() : m_buckets( noPairs() ), m_bucketCount( 0 )
    {
    }

    ~CulletPairIndex()
    {
        release();
    }

    void prefetch( uint32_t hash ) const
    {
        cltPrefetch( &m_buckets[home( hash )] );
    }

    /// \return the place of the first pair for which `isWanted( place )` holds, or NONE. Few other pairs are asked
    /// about.
    template <typename IsWanted>
    uint32_t find( uint32_t hash, IsWanted isWanted ) const
    {
        const uint32_t first = home( hash );
        uint32_t at = first;
        do
        {
            const Bucket& bucket = m_buckets[at];
            for ( uint32_t same = match( bucket, tagOf( hash ) ); same != 0; same &= same - 1u )
            {
                const uint32_t place = bucket.m_places[cltLowestBit( same )];
                if ( isWanted( place ) )
                {
                    return place;
                }
            }
            if ( bucket.m_passedCount == 0 )
            {
                return NONE;
            }
            at = next( at );
        } while ( at != first );
        return NONE;
    }

    /// Adds a pair that is absent. Needs capacity for one more.
    void insert( uint32_t hash, uint32_t place )
    {
        uint32_t at = home( hash );
        uint32_t unused = match( m_buckets[at], FREE );
        for ( ; unused == 0; unused = match( m_buckets[at], FREE ) )
        {
            ++m_buckets[at].m_passedCount;
            at = next( at );
        }
        const uint32_t entry = cltLowestBit( unused );
        m_buckets[at].m_tags[entry] = tagOf( hash );
        m_buckets[at].m_places[entry] = place;
    }

    void erase( uint32_t hash, uint32_t place )
    {
        if ( isDropped() )
        {
            return;
        }
        uint32_t at = home( hash );
        int entry = locate( m_buckets[at], hash, place );
        for ( ; entry == ENTRIES; entry = locate( m_buckets[at], hash, place ) )
        {
            --m_buckets[at].m_passedCount;
            at = next( at );
        }
        m_buckets[at].m_tags[entry] = FREE;
    }

    /// Updates the entry of a pair that moved from place `from` of the array to `to`.
    void move( uint32_t hash, uint32_t from, uint32_t to )
    {
        if ( isDropped() )
        {
            return;
        }
        uint32_t at = home( hash );
        int entry = locate( m_buckets[at], hash, from );
        for ( ; entry == ENTRIES; entry = locate( m_buckets[at], hash, from ) )
        {
            at = next( at );
        }
        m_buckets[at].m_places[entry] = to;
    }

    /// Reserves capacity for `pairCount` pairs. If the table grows, it is rebuilt from the `present` pairs of the
    /// array; `hashOf( pair )` is the hash of a pair.
    template <typename HashOf>
    void reserve( int pairCount, int present, HashOf hashOf )
    {
        const uint32_t count = bucketCountFor( pairCount, btMax( m_bucketCount, uint32_t( SMALLEST ) ) );
        if ( count != m_bucketCount && pairCount > 0 && !isDropped() )
        {
            rebuild( count, present, hashOf );
        }
    }

    bool isDropped() const
    {
        return m_isDropped.load( std::memory_order_acquire );
    }

    /// Frees all memory.
    void drop()
    {
        release();
        m_buckets = noPairs();
        m_bucketCount = 0;
        m_isDropped.store( true, std::memory_order_relaxed );
    }

    /// If the index was dropped, builds it from the `present` pairs of the array, with capacity for one more. Several
    /// threads may call this at once: one builds the index, the others wait for it. \return true if this call built it
    template <typename HashOf>
    bool provide( int present, HashOf hashOf )
    {
        if ( !isDropped() )
        {
            return false;
        }
        static std::mutex lock;
        const std::lock_guard<std::mutex> guard( lock );
        if ( !isDropped() )
        {
            return false;
        }
        rebuild( bucketCountFor( present + 1, SMALLEST ), present, hashOf );
        m_isDropped.store( false, std::memory_order_release );
        return true;
    }

    /// Shrinks the capacity to the `present` pairs.
    template <typename HashOf>
    void fit( int present, HashOf hashOf )
    {
        if ( !isDropped() )
        {
            rebuild( bucketCountFor( present, SMALLEST ), present, hashOf );
        }
    }

private:
    static const int ENTRIES = 12;
    static const uint8_t FREE = 0; ///< the tag of a free entry

    struct alignas( 64 ) Bucket
    {
        uint8_t m_tags[ENTRIES];
        uint32_t m_passedCount; ///< entries of later buckets whose search passes this one
        uint32_t m_places[ENTRIES];
    };

    CulletPairIndex( const CulletPairIndex& ) = delete;
    CulletPairIndex& operator=( const CulletPairIndex& ) = delete;

    /// From the lowest bits; `home` depends on the highest ones.
    static uint8_t tagOf( uint32_t hash )
    {
        const uint8_t tag = uint8_t( hash );
        return tag != FREE ? tag : 1;
    }

    /// One bit for each entry with this tag.
    static uint32_t match( const Bucket& bucket, uint8_t tag )
    {
#if defined( CULLET_HAS_SSE2 )
        const __m128i tags = _mm_load_si128( reinterpret_cast<const __m128i*>( &bucket ) ); // and m_passedCount
        const int same = _mm_movemask_epi8( _mm_cmpeq_epi8( tags, _mm_set1_epi8( char( tag ) ) ) );
        return uint32_t( same ) & ( ( 1u << ENTRIES ) - 1u );
#else
        uint32_t same = 0;
        for ( int entry = 0; entry < ENTRIES; ++entry )
        {
            same |= uint32_t( bucket.m_tags[entry] == tag ) << entry;
        }
        return same;
#endif
    }

    /// \return the bucket's entry of this pair, or ENTRIES
    static int locate( const Bucket& bucket, uint32_t hash, uint32_t place )
    {
        uint32_t same = match( bucket, tagOf( hash ) );
        while ( same != 0 && bucket.m_places[cltLowestBit( same )] != place )
        {
            same &= same - 1u;
        }
        return same != 0 ? int( cltLowestBit( same ) ) : ENTRIES;
    }

    uint32_t home( uint32_t hash ) const
    {
        return uint32_t( ( uint64_t( hash ) * m_bucketCount ) >> 32 );
    }

    uint32_t next( uint32_t at ) const
    {
        return at + 1u < m_bucketCount ? at + 1u : 0u;
    }

    /// \return `count`, doubled until it suffices
    static uint32_t bucketCountFor( int pairCount, uint32_t count )
    {
        while ( uint64_t( pairCount ) > count * FULL )
        {
            count *= 2u;
        }
        return count;
    }

    static Bucket* noPairs()
    {
        static Bucket bucket; // all zero, and never written: reserve comes before the first insert
        return &bucket;
    }

    void release()
    {
        if ( m_buckets != noPairs() )
        {
            btAlignedFree( m_buckets );
        }
    }

    void allocate( uint32_t bucketCount )
    {
        release(); // first: the old and the new table are never in memory together
        m_bucketCount = bucketCount;
        m_buckets = static_cast<Bucket*>( btAlignedAlloc( bucketCount * sizeof( Bucket ), sizeof( Bucket ) ) );
        memset( static_cast<void*>( m_buckets ), 0, bucketCount * sizeof( Bucket ) );
    }

    template <typename HashOf>
    void rebuild( uint32_t bucketCount, int present, HashOf hashOf )
    {
        allocate( bucketCount );
        for ( int pair = 0; pair < present; ++pair )
        {
            if ( pair + PREFETCH_DISTANCE < present )
            {
                prefetch( hashOf( pair + PREFETCH_DISTANCE ) );
            }
            insert( hashOf( pair ), uint32_t( pair ) );
        }
    }

    /// At a load of 3/4, random hashes overfill one bucket in eight, and one entry in twenty-seven goes to another
    /// bucket.
    static const uint64_t FULL = 9;

    static const uint32_t SMALLEST = 1;

    /// Far enough ahead to hide a cache miss behind the work on the pairs in between.
    static const int PREFETCH_DISTANCE = 16;

    Bucket* m_buckets;
    std::atomic<bool> m_isDropped{ false };
    uint32_t m_bucketCount; ///< SMALLEST times a power of two; 0 in an index without memory
};

#endif
