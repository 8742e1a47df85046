// SPDX-License-Identifier: Zlib
/// \file CulletPairMerge.h
/// Merges the pairs that began into a sorted pair array, without those that ended. If many pairs change in a step, one
/// pass over the whole array takes less time than finding each changed pair: it reads and writes memory in order, and
/// needs no index. CulletPairExchange.h is for all other steps. The array's order is known after a world was filled in
/// one step and while steps merge; some pairs may be unsorted (CulletPairOrder.h). A step with many single changes ends
/// that, until the array is empty.
///
/// The array is rewritten in place. Where more pairs began than ended so far, pairs that are still to be written wait
/// in a queue:
///
///     written            free     to be read
///     |------------------|--------|---------------------->
///                   queue of pairs
///
/// Only for a cache without ghost and filter callbacks, because these observe single additions and removals.
#ifndef CULLET_PAIR_MERGE_H
#define CULLET_PAIR_MERGE_H

#include "CulletPairArray.h"

class CulletPairMerge
{
public:
    /// \param pairs  the array of `cache`
    CulletPairMerge( CulletPairArray& pairs, btOverlappingPairCache& cache ) : m_pairs( pairs ), m_cache( cache )
    {
    }

    /// True if the order of the array is known, it is too large for the processor's cache, `changeCount` is a large
    /// share of it, and no single pair was looked for lately: the first search after a merge builds the index.
    bool isFaster( size_t changeCount ) const
    {
        const size_t count = size_t( m_pairs.getCount() );
        return isOrdered() && btMax( count, changeCount ) >= FEWEST && changeCount * PAIRS_PER_CHANGE >= count &&
               !m_pairs.isIndexInUse();
    }

    /// Called once a step: frees memory that the next merge does not need.
    void giveBack()
    {
        m_pairs.getOrder().giveBack( m_pairs.getCount(), m_pairs.getCapacity() );
        if ( m_shrinkPolicy.isDue( m_begunCount, m_queue.size() ) )
        {
            m_queue.clear();
        }
        m_begunCount = 0;
    }

    /// The number of pairs for which memory is kept beside the array.
    int getKeptCount() const
    {
        return m_pairs.getOrder().getCapacity();
    }

    /// Removes the pairs that ended, adds those that began, then cleans those that ended. Pairs that are absent or
    /// present already are skipped. While pairs are cleaned the cache is whole: the dispatcher may change it and
    /// destroy proxies.
    /// \param ended, began  ascending by uids, and no pair is in both. `pairAt( i )` is the pair with a given index,
    ///                      `keyAt( i )` its uids, see CulletProxyPair::getUids;
    ///                      `prefetch( i )` prefetches what keyAt reads
    template <typename Changes>
    void replace( const Changes& ended, const Changes& began, btDispatcher* dispatcher )
    {
        Cursor<Changes> gone( ended );
        Cursor<Changes> fresh( began );
        const int count = m_pairs.getCount();
        Unsorted unsorted( m_pairs );
        uint64_t* const keys = m_pairs.getOrder().getKeys();
        m_pairs.beginRewriting();
        m_written = 0;
        m_begunCount = fresh.getLeft();
        for ( int from = 0; from < count || unsorted.isAnyLeft(); )
        {
            for ( const int stop = unsorted.getStop( from, keys ); from < stop; ++from )
            {
                carry( keys[from], m_pairs.at( from ), gone, fresh );
                writeUpTo( from + 1, keys );
            }
            if ( unsorted.takeIfPlace( from ) )
            {
                ++from;
            }
            else if ( unsorted.isAnyLeft() )
            {
                carryUnsorted( unsorted.take(), gone, fresh );
            }
        }
        finish( fresh );
        cleanDetached( dispatcher );
    }

    /// Must be called when a proxy's pairs are removed or cleaned: cleans those that a merge removed and has not
    /// cleaned yet. There are such pairs only while replace cleans pairs.
    void cleanDetachedOf( const btBroadphaseProxy* proxy, btDispatcher* dispatcher )
    {
        for ( int i = 0; i < m_detached.size(); ++i )
        {
            if ( m_detached[i].m_pProxy0 == proxy || m_detached[i].m_pProxy1 == proxy )
            {
                m_cache.cleanOverlappingPair( m_detached[i], dispatcher );
                m_detached[i].m_algorithm = 0; // without a dispatcher it is lost, as in Bullet
            }
        }
    }

private:
    /// Merges need at least this many pairs or changes: fewer fit the processor's cache, in which an exchange is
    /// faster.
#ifdef CULLET_MERGES_OFTEN
    static const size_t FEWEST = 1;
#else
    static const size_t FEWEST = 1 << 17;
#endif

    /// A merge costs about as much for three pairs of the array as an exchange for one change.
    static const size_t PAIRS_PER_CHANGE = 3;

    /// The next one of the changes. Behind the last one, the key is larger than all.
    template <typename Changes>
    class Cursor
    {
    public:
        explicit Cursor( const Changes& changes ) : m_changes( changes )
        {
            readKey();
        }

        uint64_t getKey() const
        {
            return m_key;
        }

        btBroadphasePair getPair() const
        {
            const CulletProxyPair proxies = m_changes.pairAt( m_next );
            btBroadphasePair pair;
            pair.m_pProxy0 = proxies.m_pProxy0;
            pair.m_pProxy1 = proxies.m_pProxy1;
            return pair;
        }

        void advance()
        {
            ++m_next;
            readKey();
        }

        int getLeft() const
        {
            return int( m_changes.getCount() - m_next );
        }

    private:
        /// Changes that are prefetched: among a million bodies, uids are not in the processor's cache.
        static const size_t AHEAD = 16;

        void readKey()
        {
            if ( m_next + AHEAD < m_changes.getCount() )
            {
                m_changes.prefetch( m_next + AHEAD );
            }
            m_key = m_next < m_changes.getCount() ? m_changes.keyAt( m_next ) : UINT64_MAX;
        }

        const Changes& m_changes;
        size_t m_next = 0;
        uint64_t m_key;
    };

    struct Item
    {
        uint64_t m_key;
        btBroadphasePair m_pair;

        bool operator<( const Item& other ) const
        {
            return m_key < other.m_key;
        }
    };

    /// The unsorted pairs: their places, ascending, and copies of them, ascending by keys.
    class Unsorted
    {
    public:
        explicit Unsorted( const CulletPairArray& pairs ) : m_count( pairs.getCount() )
        {
            btAlignedObjectArray<int> places( pairs.getOrder().getUnsorted() );
            culletSort( places );
            for ( int i = 0; i < places.size() && places[i] < pairs.getCount(); ++i )
            {
                if ( i == 0 || places[i] != places[i - 1] )
                {
                    const btBroadphasePair& pair = pairs.at( places[i] );
                    m_places.push_back( places[i] );
                    m_items.push_back( { culletPairOf( pair.m_pProxy0, pair.m_pProxy1 ).getUids(), pair } );
                }
            }
            culletSort( m_items );
        }

        bool isAnyLeft() const
        {
            return m_next < m_items.size();
        }

        /// The one with the smallest key that was not taken yet.
        const Item& take()
        {
            return m_items[m_next++];
        }

        /// Whether `place` holds the next unsorted pair. If so, goes on to the one after it.
        bool takeIfPlace( int place )
        {
            const bool isPlace = m_nextPlace < m_places.size() && m_places[m_nextPlace] == place;
            m_nextPlace += isPlace;
            return isPlace;
        }

        /// The first place from `from` on that holds an unsorted pair, or before which the next one belongs.
        int getStop( int from, const uint64_t* keys ) const
        {
            const int place = m_nextPlace < m_places.size() ? m_places[m_nextPlace] : m_count;
            return isAnyLeft() ? int( std::lower_bound( keys + from, keys + place, m_items[m_next].m_key ) - keys )
                               : place;
        }

    private:
        const int m_count; ///< of the pairs of the array
        btAlignedObjectArray<int> m_places;
        btAlignedObjectArray<Item> m_items;
        int m_nextPlace = 0; ///< in m_places
        int m_next = 0;      ///< in m_items
    };

    bool isOrdered() const
    {
        return m_pairs.getCount() == 0 || m_pairs.getOrder().isKnown();
    }

    int getQueued() const
    {
        return int( m_tail - m_head );
    }

    /// Pushes the begun pairs that come before a pair, then the pair, unless it ended.
    template <typename Changes>
    CLT_ALWAYS_INLINE void carry( uint64_t key, const btBroadphasePair& pair, Cursor<Changes>& gone,
                                  Cursor<Changes>& fresh )
    {
        for ( ; fresh.getKey() < key; fresh.advance() )
        {
            push( fresh.getKey(), fresh.getPair() );
        }
        while ( gone.getKey() < key ) // the application removed it
        {
            gone.advance();
        }
        gone.getKey() == key ? detach( pair ) : push( key, pair );
        if ( fresh.getKey() == key ) // the application added it
        {
            fresh.advance();
        }
    }

    template <typename Changes>
    CLT_NOINLINE void carryUnsorted( const Item& unsorted, Cursor<Changes>& gone, Cursor<Changes>& fresh )
    {
        carry( unsorted.m_key, unsorted.m_pair, gone, fresh );
    }

    void push( uint64_t key, const btBroadphasePair& pair )
    {
        if ( getQueued() == m_queue.size() )
        {
            growQueue();
        }
        Item& item = m_queue[int( m_tail++ & uint32_t( m_queue.size() - 1 ) )];
        item.m_key = key;
        item.m_pair = pair;
    }

    void growQueue()
    {
        const int size = m_queue.size();
        if ( size == 0 )
        {
            m_queue.resize( 8 );
            m_head = m_tail = 0;
            return;
        }
        std::rotate( &m_queue[0], &m_queue[0] + ( m_head & uint32_t( size - 1 ) ), &m_queue[0] + size );
        m_queue.resize( 2 * size );
        m_head = 0;
        m_tail = uint32_t( size );
    }

    /// Writes queued pairs to the places below `end`.
    void writeUpTo( int end, uint64_t* keys )
    {
        for ( ; m_written < end && m_head != m_tail; ++m_written, ++m_head )
        {
            const Item& item = m_queue[int( m_head & uint32_t( m_queue.size() - 1 ) )];
            keys[m_written] = item.m_key;
            m_pairs.at( m_written ) = item.m_pair;
        }
    }

    template <typename Changes>
    void finish( Cursor<Changes>& fresh )
    {
        const int queued = m_written + getQueued();
        const int count = queued + fresh.getLeft();
        m_pairs.resize( count );
        uint64_t* const keys = m_pairs.getOrder().resize( count, m_pairs.getCapacity() );
        writeUpTo( queued, keys );
        for ( ; m_written < count; ++m_written, fresh.advance() )
        {
            keys[m_written] = fresh.getKey();
            m_pairs.at( m_written ) = fresh.getPair();
        }
    }

    void detach( const btBroadphasePair& pair )
    {
        if ( pair.m_algorithm )
        {
            m_detached.push_back( pair );
        }
    }

    void cleanDetached( btDispatcher* dispatcher )
    {
        for ( int i = 0; i < m_detached.size(); ++i )
        {
            m_cache.cleanOverlappingPair( m_detached[i], dispatcher );
        }
        m_detached.resize( 0 );
    }

    CulletPairArray& m_pairs;
    btOverlappingPairCache& m_cache;
    int m_written = 0;    ///< pairs that replace has written
    int m_begunCount = 0; ///< pairs that began in the last merge, if it was in the last step

    // The queue: a ring whose size is a power of two.
    btAlignedObjectArray<Item> m_queue;
    uint32_t m_head = 0;
    uint32_t m_tail = 0;
    CulletShrinkPolicy m_shrinkPolicy;

    btAlignedObjectArray<btBroadphasePair> m_detached; ///< removed, and to be cleaned
};

#endif
