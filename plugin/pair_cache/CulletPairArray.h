// SPDX-License-Identifier: Zlib
/// \file CulletPairArray.h
/// The pair array of a Bullet pair cache, with an index that finds a pair by its proxies, and a list of each proxy's
/// pairs. Calls no callbacks. The order is that of btHashedOverlappingPairCache after the same calls: a new pair
/// becomes the last, and the last fills the place of a removed one.
#ifndef CULLET_PAIR_ARRAY_H
#define CULLET_PAIR_ARRAY_H

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include "CulletNeighbours.h"
#include "CulletPairIndex.h"
#include "CulletPairNote.h"
#include "CulletShrinkPolicy.h"

class CulletPairArray
{
public:
    /// The result of a search without success.
    static const int NONE = -1;

    /// Pairs that are prefetched together. Enough to keep all miss buffers of a processor busy, and few enough that
    /// their cache lines stay in the first-level cache until they are used.
    static const int GROUP_SIZE = 32;

    /// Capacity for fewer pairs is never freed. They take 32 KiB in the array.
    static const int MANY = 1024;

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

    int find( const CulletProxyPair& pair, uint32_t hash ) const
    {
        return int( m_index.find( hash, [&]( uint32_t place ) { return isAt( place, pair ); } ) );
    }

    int find( const CulletProxyPair& pair ) const
    {
        return find( pair, hashOf( pair ) );
    }

    /// Adds a pair that is not present. \return its place
    int append( const CulletProxyPair& pair, uint32_t hash );

    void takeOut( int place );

    /// Appends the places of the proxy's pairs, ascending. Lists and sorts these pairs only. The lists are dropped at
    /// first, and after expectChanges of an eighth of all pairs: then each of the first SCANS calls scans the array,
    /// and the next call rebuilds all lists.
    void listPairsOf( const btBroadphaseProxy* proxy, btAlignedObjectArray<int>& places );

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
    /// while.
    void expectChanges( size_t count );

    /// Reserves capacity for this many pairs in all. If the index grows, it is rebuilt from the array.
    void reserve( int count );

    /// Reserves capacity for `addedCount` more pairs after the removal of `removedCount` pairs.
    void reserveFor( size_t addedCount, int removedCount );

    /// Shrinks the capacity if it is at least MANY and four times the number of pairs. Pairs keep their places.
    void giveBack();

    // The steps of takeOut and append. Between two of these calls, find may return wrong places.

    void leave( int place, uint32_t hash );
    void moveLastTo( int place );
    void popLast();

    /// Puts a pair that is not present into a vacant place, or behind the last. Needs capacity in the index. \return
    /// false if it is present
    bool putIfAbsent( int place, const CulletProxyPair& pair, uint32_t hash );

    // Among millions of pairs, waiting for memory takes most of the time. These prefetch the lines of up to GROUP_SIZE
    // pairs.

    /// Calls `visit( first, size, hashes )` for each group, after prefetching its index entries. Reads proxies only if
    /// there are lists.
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
    static void prefetchProxies( const CulletProxyPair* pairs, int first, int count );
    void prefetchLists( const CulletProxyPair* pairs, int count ) const;
    void prefetchFound( const uint32_t* hashes, int count ) const;
    void prefetchLast( int count ) const;

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

    uint32_t hashAt( int place ) const
    {
        return hashOf( proxiesAt( place ) );
    }

    void hashGroup( const CulletProxyPair* pairs, int count, uint32_t* hashes ) const;
    void provideNeighbours();
    void shrink();

    /// This many scans of the array cost about as much as rebuilding the lists.
    static const int SCANS = 32;

    btBroadphasePairArray& m_pairs;
    CulletPairIndex m_index;
    CulletNeighbours m_neighbours;
    CulletShrinkPolicy m_shrinkPolicy;
    uint32_t m_version = 0;
    int m_scansLeft = SCANS; ///< scans of the array until the lists are rebuilt
};

#endif
