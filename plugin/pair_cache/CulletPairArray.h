// SPDX-License-Identifier: Zlib
/// \file CulletPairArray.h
/// An array of pairs in which each is found by its proxies, and all of one proxy are listed: the array of a pair cache
/// of Bullet's, with an index and lists of neighbours beside it. Calls nobody. The same calls leave the same order as
/// in btHashedOverlappingPairCache: a new pair is the last, and the last fills the place of one that is taken out.
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
    /// No place: the result of a search that found none.
    static const int NONE = -1;

    /// Pairs whose memory is asked for together: enough misses under way at once for any processor, few enough that
    /// their lines stay in the first-level cache until they are used.
    static const int GROUP_SIZE = 32;

    /// Room for fewer pairs is kept for good: 32 KiB in the array.
    static const int MANY = 1024;

    /// \param pairs  must outlive this; nobody else may add, move or remove pairs
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

    /// Another number whenever a pair came, went or moved.
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

    /// A pair that is not there. \return its place
    int append( const CulletProxyPair& pair, uint32_t hash );

    void takeOut( int place );

    /// The indices of the proxy's pairs, ascending. Cost: their number, and sorting them. At first, and after
    /// expectChanges of an eighth of all pairs, there are no lists: then one look at every pair for each of the first
    /// SCANS proxies, and making all lists for the next one.
    void listPairsOf( const btBroadphaseProxy* proxy, btAlignedObjectArray<int>& places );

    bool hasPairs( const btBroadphaseProxy* proxy )
    {
        provideNeighbours();
        return m_neighbours.hasAny( proxy->m_uniqueId );
    }

    /// The proxy has no pairs, and is about to be destroyed.
    void forget( const btBroadphaseProxy* proxy )
    {
        m_neighbours.forget( proxy->m_uniqueId );
    }

    /// So many pairs are about to be added and removed. To be called once a step: gives back what has not been needed
    /// for a while.
    void expectChanges( size_t count );

    /// Room for this many pairs, so that adding them copies nothing. The index is made anew from the array, the rest is
    /// not touched before it is filled.
    void reserve( int count );

    /// Capacity for `addedCount` more pairs when `removedCount` are gone.
    void reserveFor( size_t addedCount, int removedCount );

    /// If there is room for MANY pairs, and for four times as many as there are: leaves room for these. They keep their
    /// places.
    void giveBack();

    // What takeOut and append are made of. Between two of these a pair may be found at a place that is not its own.

    void leave( int place, uint32_t hash );
    void moveLastTo( int place );
    void popLast();

    /// Puts a pair that is not there yet into a place that is left, or behind the last. Needs room in the index.
    /// \return false if it is there
    bool putIfAbsent( int place, const CulletProxyPair& pair, uint32_t hash );

    // Waiting for memory is what costs time among millions of pairs. These ask for lines of up to GROUP_SIZE pairs.

    /// Calls `visit( first, size, hashes )` for group after group, having asked for what is found by the hashes. Reads
    /// the proxies only where there are lists.
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

    /// \param first  where the group begins
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

    /// Scans of the array that together cost about as much as making the lists anew.
    static const int SCANS = 32;

    btBroadphasePairArray& m_pairs;
    CulletPairIndex m_index;
    CulletNeighbours m_neighbours;
    CulletShrinkPolicy m_shrinkPolicy;
    uint32_t m_version = 0;
    int m_scansLeft = SCANS; ///< until the lists are made anew
};

#endif
