// SPDX-License-Identifier: Zlib
/// \file CulletPairArray.h
/// The pair array of a Bullet pair cache, with an index that finds a pair by its proxies, and a list of each proxy's
/// pairs. Calls no callbacks. The order is that of btHashedOverlappingPairCache after the same calls: a new pair
/// becomes the last, and the last fills the place of a removed one.
///
/// A pair touches two proxies, an index entry, its place in the array and its neighbours in the lists, each in another
/// cache line. Batches prefetch these for a group of pairs before they touch the first.
#ifndef CULLET_PAIR_ARRAY_H
#define CULLET_PAIR_ARRAY_H

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"
#include <atomic>
#include <new>

#include "CulletArrays.h"
#include "CulletNeighbours.h"
#include "CulletPairIndex.h"
#include "CulletPairNote.h"
#include "CulletPairOrder.h"

class CulletPairArray
{
public:
    /// The result of a search without success.
    static const int NONE = -1;

    /// Pairs that are prefetched together. Enough to keep all miss buffers of a processor busy, and few enough that
    /// their cache lines stay in the first-level cache until they are used.
    static const int GROUP_SIZE = 32;

    /// Smaller capacities are never freed. This many pairs take 32 KiB in the array.
    static const int MANY = 1024;

    /// Steps without a search of a single pair after which isIndexInUse is false. Building the index takes about as
    /// long as a step: it must not happen every few steps. With CULLET_MERGES_OFTEN, for tests, it is never in use.
#ifdef CULLET_MERGES_OFTEN
    static const int QUIET = 0;
#else
    static const int QUIET = 32;
#endif

    /// To query the core for the pairs of one proxy takes as long as scanning this many pairs, and PAIRS_PER_FOUND more
    /// for each pair that it finds. With CULLET_MERGES_OFTEN, for tests, it takes hardly any time.
#ifdef CULLET_MERGES_OFTEN
    static const int PAIRS_PER_QUERY = 0;
    static const int PAIRS_PER_FOUND = 1;
#else
    static const int PAIRS_PER_QUERY = 4096;
    static const int PAIRS_PER_FOUND = 128;
#endif

    /// \param pairs  must outlive this object, which alone adds, moves and removes pairs
    explicit CulletPairArray( btBroadphasePairArray& pairs ) : m_pairs( pairs )
    {
    }

    static uint32_t hashOf( const CulletProxyPair& pair )
    {
        return CulletPairIndex::hash( pair.m_pProxy0, pair.m_pProxy1 );
    }

    int getCount() const
    {
        return m_pairs.size();
    }

    int getCapacity() const
    {
        return m_pairs.capacity();
    }

    btBroadphasePair& at( int place ) const
    {
        return m_pairs[place];
    }

    CulletProxyPair proxiesAt( int place ) const
    {
        return { m_pairs[place].m_pProxy0, m_pairs[place].m_pProxy1 };
    }

    /// Changes whenever a pair is added, moved or removed.
    uint32_t getVersion() const
    {
        return m_version;
    }

    /// Any number of threads may call this at once, as long as no pair is added, moved or removed.
    int find( const CulletProxyPair& pair, uint32_t hash ) const
    {
        noteSearch();
        return lookUp( pair, hash );
    }

    int find( const CulletProxyPair& pair ) const
    {
        return find( pair, hashOf( pair ) );
    }

    /// Adds a pair that is not present. \return its place
    int append( const CulletProxyPair& pair, uint32_t hash )
    {
        const int place = m_pairs.size();
        reserve( place + 1 );
        putIfAbsent( place, pair, hash );
        return place;
    }

    /// Removes a pair; the last pair of the array takes its place. Bullet's loops over the array rely on this: after a
    /// removal they visit the same index again.
    void takeOut( int place )
    {
        leave( place, hashAt( place ) );
        close( place );
    }

    /// Appends the places of the proxy's pairs, ascending. Reads the proxy's list if lists exist. They do not
    /// exist at first, nor after expectChanges has dropped them: calls then scan the array, until scans and queries
    /// have taken about as long as building all lists.
    void listPairsOf( const btBroadphaseProxy* proxy, btAlignedObjectArray<int>& places )
    {
        if ( areListsDue() )
        {
            provideNeighbours();
            const int first = places.size();
            m_neighbours.list( proxy->m_uniqueId, places );
            culletSort( places, first );
            return;
        }
        m_scansLeft -= 1;
        for ( int i = 0; i < m_pairs.size(); ++i )
        {
            listIfOf( proxy, i, places );
        }
    }

    /// True if to query the core, and to find at most getMostFound pairs, is faster than listPairsOf: there are no
    /// lists, and many pairs to scan.
    bool isQueryFaster() const
    {
        return ( isIndexed() || m_order.isKnown() ) && !areListsDue() && m_pairs.size() >= PAIRS_PER_QUERY;
    }

    int getMostFound() const
    {
        return m_pairs.size() / PAIRS_PER_FOUND;
    }

    /// As listPairsOf, by a query of the core. Only if isQueryFaster.
    /// \param found  the query's pairs: all of the proxy's, and others that are absent
    /// \param places  must be empty
    void listFound( const btBroadphaseProxy* proxy, const CulletPairNotes& found, btAlignedObjectArray<int>& places )
    {
        const int64_t cost = PAIRS_PER_QUERY + int64_t( PAIRS_PER_FOUND ) * found.size();
        m_scansLeft -= float( cost ) / float( btMax( 1, m_pairs.size() ) );
        isIndexed() ? listByIndex( found, places ) : listByOrder( found, places );
        if ( !isIndexed() && places.size() < found.size() )
        {
            for ( int i = 0; i < m_order.getUnsorted().size(); ++i )
            {
                listIfOf( proxy, m_order.getUnsorted()[i], places );
            }
        }
        if ( places.size() > 1 ) // an unsorted place may be listed twice
        {
            culletSort( places );
            places.resize( int( std::unique( &places[0], &places[0] + places.size() ) - &places[0] ) );
        }
    }

    bool hasPairs( const btBroadphaseProxy* proxy )
    {
        provideNeighbours();
        return m_neighbours.hasAny( proxy->m_uniqueId );
    }

    /// Called before a proxy without pairs is destroyed: erases its list head.
    void forget( const btBroadphaseProxy* proxy )
    {
        m_neighbours.forget( proxy->m_uniqueId );
    }

    /// Called once a step, before `count` pairs are added and removed. Frees memory that has not been needed for a
    /// while. If `count` is more than an eighth of all pairs, drops the lists: maintaining them would cost more than
    /// rebuilding them, which may not even be needed.
    void expectChanges( size_t count )
    {
        if ( m_shrinkPolicy.isDue( m_pairs.size(), m_pairs.capacity() ) )
        {
            shrink();
        }
        if ( count * 8u > size_t( m_pairs.size() ) )
        {
            dropLists();
        }
        m_quietSteps = m_isSearched.load( std::memory_order_relaxed ) ? 0 : btMin( m_quietSteps + 1, int( QUIET ) );
        m_isSearched.store( false, std::memory_order_relaxed );
    }

    /// False after a rewriting, until a pair is looked for.
    bool isIndexed() const
    {
        return !m_index.isDropped();
    }

    /// True if in the last few steps, as of the last expectChanges, the index was built or find looked for single
    /// pairs.
    bool isIndexInUse() const
    {
        return m_quietSteps < QUIET;
    }

    /// Called before a caller writes all pairs anew, by `at` and `resize`. Drops the lists and the index, which is
    /// rebuilt when needed.
    void beginRewriting()
    {
        m_version += 2; // else a caller that counts its own removals (removeAllOf) could take this for one
        dropLists();
        m_index.drop();
        m_order.begin();
    }

    /// The order of the last rewriting. Keys are the rewriter's.
    CulletPairOrder& getOrder()
    {
        return m_order;
    }

    const CulletPairOrder& getOrder() const
    {
        return m_order;
    }

    /// Sets the number of pairs. Only after beginRewriting.
    void resize( int count )
    {
        reserve( count );
        m_pairs.resize( count );
    }

    /// Reserves capacity for this many pairs in all. If there is an index and it grows, it is rebuilt from the array.
    /// While the array is copied, both copies are held, and Bullet's allocator zeroes all memory that it returns. So
    /// the array grows by half, where Bullet doubles, and memory for lists is reserved only if there are lists.
    void reserve( int count )
    {
        m_index.reserve( count, m_pairs.size(), [this]( int place ) { return hashAt( place ); } );
        if ( count > m_pairs.capacity() )
        {
            const int64_t padded = btMax( int64_t( count ) + count / 8, int64_t( SMALLEST ) );
            const int64_t grown = int64_t( m_pairs.capacity() ) + m_pairs.capacity() / 2;
            const int capacity = int( btMin( btMax( padded, grown ), int64_t( INT32_MAX ) ) );
            m_pairs.reserve( capacity );
            if ( !m_neighbours.isDropped() )
            {
                m_neighbours.reserve( capacity );
            }
        }
    }

    /// Reserves capacity for `addedCount` more pairs after the removal of `removedCount` pairs.
    void reserveFor( size_t addedCount, int removedCount )
    {
        const int64_t added = int64_t( btMin( addedCount, size_t( INT32_MAX ) ) );
        reserve( int( btMin( m_pairs.size() - removedCount + added, int64_t( INT32_MAX ) ) ) );
    }

    /// Shrinks the capacity if it is at least MANY and four times the number of pairs. Pairs keep their places.
    void giveBack()
    {
        if ( m_pairs.capacity() >= MANY && m_pairs.capacity() / 4 >= m_pairs.size() )
        {
            shrink();
        }
    }

    // The steps of takeOut and append. Between leave and the next step, the place is vacant and find may fail.

    void leave( int place, uint32_t hash )
    {
        ++m_version;
        m_index.erase( hash, uint32_t( place ) );
        m_neighbours.remove( place );
    }

    /// Moves the last pair to the vacant `place`, unless it is the last one.
    void close( int place )
    {
        const int last = m_pairs.size() - 1;
        if ( place != last )
        {
            m_index.move( hashAt( last ), uint32_t( last ), uint32_t( place ) );
            m_neighbours.moveLastTo( place );
            m_pairs[place] = m_pairs[last];
            m_order.notePut( place );
        }
        m_neighbours.popLast();
        m_pairs.pop_back();
    }

    /// Puts the pair into a vacant place, or behind the last pair. Needs capacity in the index. Reads no proxy while
    /// the lists are dropped.
    /// \return false, without a change, if the pair is present
    bool putIfAbsent( int place, const CulletProxyPair& pair, uint32_t hash )
    {
        if ( lookUp( pair, hash ) != NONE )
        {
            return false;
        }
        ++m_version;
        m_order.notePut( place );
        btBroadphasePair* fresh =
            new ( place < m_pairs.size() ? &m_pairs[place] : &m_pairs.expandNonInitializing() ) btBroadphasePair;
        fresh->m_pProxy0 = pair.m_pProxy0;
        fresh->m_pProxy1 = pair.m_pProxy1;
        m_index.insert( hash, uint32_t( place ) );
        if ( !m_neighbours.isDropped() )
        {
            m_neighbours.put( place, pair.m_pProxy0->m_uniqueId, pair.m_pProxy1->m_uniqueId );
        }
        return true;
    }

    // Among millions of pairs, waiting for memory takes most of the time. The functions below prefetch the cache
    // lines of up to GROUP_SIZE pairs.

    /// Hashes at most GROUP_SIZE pairs and prefetches their index entries. Reads proxies only if there are lists.
    void hashGroup( const CulletProxyPair* pairs, int count, uint32_t* hashes ) const
    {
        for ( int i = 0; i < count; ++i )
        {
            hashes[i] = hashOf( pairs[i] );
            m_index.prefetch( hashes[i] );
        }
        for ( int i = 0; i < count && !m_neighbours.isDropped(); ++i )
        {
            m_neighbours.prefetchHeads( pairs[i].m_pProxy0->m_uniqueId, pairs[i].m_pProxy1->m_uniqueId );
        }
    }

    /// Calls `visit( first, size, hashes )` for each group, after hashGroup.
    template <typename Visit>
    void forGroups( const CulletProxyPair* pairs, int count, Visit visit ) const
    {
        uint32_t hashes[GROUP_SIZE];
        for ( int first = 0; first < count; first += GROUP_SIZE )
        {
            const int size = btMin( int( GROUP_SIZE ), count - first );
            hashGroup( pairs + first, size, hashes );
            visit( first, size, hashes );
        }
    }

    /// \param first  the first pair of the group
    static void prefetchProxies( const CulletProxyPair* pairs, int first, int count )
    {
        for ( int i = first; i < btMin( first + int( GROUP_SIZE ), count ); ++i )
        {
            cltPrefetch( &pairs[i].m_pProxy0->m_uniqueId );
            cltPrefetch( &pairs[i].m_pProxy1->m_uniqueId );
        }
    }

    /// Prefetches the first pair in the list of each proxy, because adding a pair to a list changes its first pair.
    void prefetchLists( const CulletProxyPair* pairs, int count ) const
    {
        for ( int i = 0; i < count && !m_neighbours.isDropped(); ++i )
        {
            m_neighbours.prefetchFirst( pairs[i].m_pProxy0->m_uniqueId );
            m_neighbours.prefetchFirst( pairs[i].m_pProxy1->m_uniqueId );
        }
    }

    /// Prefetches pairs that are about to be removed, and their neighbours in the lists.
    /// \param[out] likely  the place of the first pair with each hash, which is almost always the right one, or NONE
    void prefetchFound( const uint32_t* hashes, int count, int* likely ) const
    {
        const bool hasLists = !m_neighbours.isDropped();
        provideIndex();
        for ( int i = 0; i < count; ++i )
        {
            likely[i] = int( m_index.find( hashes[i], []( uint32_t ) { return true; } ) );
            if ( likely[i] != NONE )
            {
                cltPrefetch( &m_pairs[likely[i]] );
            }
            if ( likely[i] != NONE && hasLists )
            {
                m_neighbours.prefetchPair( likely[i] );
            }
        }
        for ( int i = 0; i < count && hasLists; ++i )
        {
            if ( likely[i] != NONE )
            {
                m_neighbours.prefetchAround( likely[i] );
            }
        }
    }

    /// As find, but looks first at the place that prefetchFound returned. The pair was not added in between.
    int find( const CulletProxyPair& pair, uint32_t hash, int likely ) const
    {
        const bool isThere = likely == NONE || ( likely < m_pairs.size() && isAt( uint32_t( likely ), pair ) );
        return isThere ? likely : lookUp( pair, hash );
    }

    /// Prefetches the pairs at the end of the array, which are about to fill holes.
    void prefetchLast( int count ) const
    {
        const int size = m_pairs.size();
        for ( int place = size - 1; place >= btMax( 0, size - count ); --place )
        {
            m_index.prefetch( hashAt( place ) );
            if ( !m_neighbours.isDropped() )
            {
                m_neighbours.prefetchAround( place );
            }
        }
    }

    void prefetchIndex( uint32_t hash ) const
    {
        m_index.prefetch( hash );
    }

private:
    CulletPairArray( const CulletPairArray& ) = delete;
    CulletPairArray& operator=( const CulletPairArray& ) = delete;

    bool isAt( uint32_t place, const CulletProxyPair& pair ) const
    {
        return m_pairs[int( place )].m_pProxy0 == pair.m_pProxy0 && m_pairs[int( place )].m_pProxy1 == pair.m_pProxy1;
    }

    void listIfOf( const btBroadphaseProxy* proxy, int place, btAlignedObjectArray<int>& places ) const
    {
        if ( place < m_pairs.size() && ( m_pairs[place].m_pProxy0 == proxy || m_pairs[place].m_pProxy1 == proxy ) )
        {
            culletAppend( places, place );
        }
    }

    void listByIndex( const CulletPairNotes& found, btAlignedObjectArray<int>& places ) const
    {
        for ( int i = 0; i < found.size(); ++i )
        {
            const int place = lookUp( found[i].m_pair, hashOf( found[i].m_pair ) );
            if ( place != NONE )
            {
                culletAppend( places, place );
            }
        }
    }

    /// Lists pairs at the places of their keys, but no unsorted ones.
    void listByOrder( const CulletPairNotes& found, btAlignedObjectArray<int>& places ) const
    {
        for ( int i = 0; i < found.size(); ++i )
        {
            const int place = m_order.find( found[i].m_uids, m_pairs.size() );
            if ( place < m_pairs.size() && isAt( uint32_t( place ), found[i].m_pair ) )
            {
                culletAppend( places, place );
            }
        }
    }

    uint32_t hashAt( int place ) const
    {
        return hashOf( proxiesAt( place ) );
    }

    void noteSearch() const
    {
        if ( !m_isSearched.load( std::memory_order_relaxed ) )
        {
            m_isSearched.store( true, std::memory_order_relaxed );
        }
    }

    int lookUp( const CulletProxyPair& pair, uint32_t hash ) const
    {
        provideIndex();
        return int( m_index.find( hash, [&]( uint32_t place ) { return isAt( place, pair ); } ) );
    }

    void provideIndex() const
    {
        if ( m_index.provide( m_pairs.size(), [this]( int place ) { return hashAt( place ); } ) )
        {
            noteSearch();
        }
    }

    bool areListsDue() const
    {
        return !m_neighbours.isDropped() || m_scansLeft <= 0;
    }

    void dropLists()
    {
        m_neighbours.drop();
        m_scansLeft = SCANS;
    }

    void provideNeighbours()
    {
        if ( !m_neighbours.isDropped() )
        {
            return;
        }
        m_neighbours.beginRebuild();
        m_neighbours.reserve( m_pairs.capacity() );
        for ( int i = 0; i < m_pairs.size(); ++i )
        {
            if ( i + 2 * GROUP_SIZE < m_pairs.size() )
            {
                cltPrefetch( &m_pairs[i + 2 * GROUP_SIZE].m_pProxy0->m_uniqueId );
                cltPrefetch( &m_pairs[i + 2 * GROUP_SIZE].m_pProxy1->m_uniqueId );
                const btBroadphasePair& near = m_pairs[i + GROUP_SIZE];
                m_neighbours.prefetchHeads( near.m_pProxy0->m_uniqueId, near.m_pProxy1->m_uniqueId );
            }
            m_neighbours.put( i, m_pairs[i].m_pProxy0->m_uniqueId, m_pairs[i].m_pProxy1->m_uniqueId );
        }
    }

    /// Frees unused capacity. Drops the lists of neighbours, which are rebuilt when needed.
    void shrink()
    {
        culletShrink( m_pairs, m_pairs.size() );
        m_index.fit( m_pairs.size(), [this]( int place ) { return hashAt( place ); } );
        m_neighbours.giveBack();
        m_scansLeft = SCANS;
    }

    /// The smallest capacity but 0, of half a KiB.
    static const int SMALLEST = 16;

    /// This many scans of the array cost about as much as rebuilding the lists.
    static const int SCANS = 32;

    btBroadphasePairArray& m_pairs;
    mutable CulletPairIndex m_index;
    mutable std::atomic<bool> m_isSearched{ false }; ///< since the last expectChanges
    int m_quietSteps = QUIET;
    CulletNeighbours m_neighbours;
    CulletPairOrder m_order;
    CulletShrinkPolicy m_shrinkPolicy;
    uint32_t m_version = 0;
    float m_scansLeft = SCANS; ///< scans of the array until the lists are rebuilt; a query is a part of one
};

#endif
