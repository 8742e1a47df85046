// SPDX-License-Identifier: Zlib
/// \file CulletNeighbours.h
/// The pairs of each proxy: a doubly linked list through the pair array. So removing a proxy reads only its own pairs,
/// and a pair joins and leaves its two lists in constant time. If so many pairs are about to change that building all
/// lists again is cheaper, the lists can be dropped. After drop and until beginRebuild, remove, moveLastTo and popLast
/// do nothing, and no other function may be called.
///
/// A link is one side of a pair:
///
///     bit  31   30 .. 1           0
///          0    index of the pair side: 0 for m_pProxy0, 1 for m_pProxy1
#ifndef CULLET_NEIGHBOURS_H
#define CULLET_NEIGHBOURS_H

#include "CulletLinearProbing.h"
#include "CulletPrefetch.h"

#include <stdint.h>

class CulletNeighbours
{
public:
    /// The end of a list.
    static const uint32_t NONE = UINT32_MAX;

    CulletNeighbours();

    /// Reserves memory for the links of `pairCount` pairs.
    void reserve( int pairCount )
    {
        m_links.reserve( pairCount );
    }

    bool isDropped() const
    {
        return m_isDropped;
    }

    void drop()
    {
        m_isDropped = true;
    }

    /// Drops the lists and frees their memory.
    void giveBack();

    /// Makes all lists empty; the caller then calls put for every pair of the array.
    void beginRebuild();

    // Prefetches what put and remove read, in two rounds: the second reads the memory that the first one prefetched.

    void prefetchHeads( int uid0, int uid1 ) const
    {
        culletPrefetch( &m_heads[home( uid0 )] );
        culletPrefetch( &m_heads[home( uid1 )] );
    }

    void prefetchFirst( int uid ) const
    {
        const Head& head = m_heads[home( uid )];
        if ( head.m_uid == uid && head.m_first != NONE )
        {
            culletPrefetch( &m_links[int( head.m_first >> 1 )] );
        }
    }

    void prefetchPair( int pair ) const
    {
        culletPrefetch( &m_links[pair] );
    }

    void prefetchAround( int pair ) const
    {
        for ( int side = 0; side < 2; ++side )
        {
            const uint32_t nextLink = m_links[pair].m_next[side];
            const uint32_t previousLink = m_links[pair].m_previous[side];
            if ( nextLink != NONE )
            {
                culletPrefetch( &m_links[int( nextLink >> 1 )] );
            }
            if ( previousLink & IS_FIRST )
            {
                culletPrefetch( &m_heads[home( int( previousLink & ~IS_FIRST ) )] );
            }
            else
            {
                culletPrefetch( &m_links[int( previousLink >> 1 )] );
            }
        }
    }

    /// Removes a pair from both lists; its place in the array becomes vacant.
    void remove( int pair );

    /// Adds a new pair to the lists of its two proxies. `pair` is its index in the array: a vacant place, or one past
    /// the last pair that has links.
    void put( int pair, int uid0, int uid1 );

    /// Moves the last pair of the array to the vacant place `pair`, which is not the last one.
    void moveLastTo( int pair );

    void popLast()
    {
        if ( !m_isDropped )
        {
            m_links.pop_back();
        }
    }

    /// Appends the indices of the proxy's pairs, in no order.
    void list( int uid, btAlignedObjectArray<int>& pairs ) const;

    bool hasAny( int uid ) const
    {
        return m_heads[probe( uid )].m_first != NONE;
    }

    /// Erases the head of a destroyed proxy, which must have no pairs.
    void forget( int uid );

private:
    /// The first link of a list has this in place of a previous link, with the proxy's uid:
    ///
    ///     bit  31   30 .. 0
    ///          1    uid
    static const uint32_t IS_FIRST = 1u << 31;

    struct Links
    {
        uint32_t m_next[2];
        uint32_t m_previous[2];
    };

    /// The start of a proxy's list.
    struct Head
    {
        int m_uid;
        uint32_t m_first;

        bool operator==( const Head& other ) const
        {
            return m_uid == other.m_uid;
        }
    };

    static Head empty()
    {
        return { EMPTY, NONE };
    }

    /// Not a uid: broadphases assign small numbers from 0 or 1 on.
    static const int EMPTY = INT32_MIN;

    /// Eight consecutive uids share a cache line, because proxies that were created together often are neighbours. The
    /// groups of eight are spread by Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4), because
    /// after a long run the remaining uids may have any stride.
    int home( int uid ) const
    {
        const uint32_t group = ( uint32_t( uid ) >> 3 ) * 0x9e3779b1u;
        return int( ( ( group >> m_shift ) << 3 ) | ( uint32_t( uid ) & 7u ) );
    }

    int probe( int uid ) const;
    Head& headOf( int uid );
    void growHeads();
    void prepend( uint32_t link, int uid );
    void unlink( uint32_t link );
    void redirect( uint32_t to );
    void setNextOf( uint32_t previousLink, uint32_t link );

    uint32_t& next( uint32_t link )
    {
        return m_links[int( link >> 1 )].m_next[link & 1u];
    }

    uint32_t& previous( uint32_t link )
    {
        return m_links[int( link >> 1 )].m_previous[link & 1u];
    }

    btAlignedObjectArray<Links> m_links; ///< by pair
    btAlignedObjectArray<Head> m_heads;
    int m_mask;      ///< number of heads, a power of two, less one
    int m_shift;     ///< 32 - log2( number of groups of eight heads )
    int m_headCount; ///< heads in use
    bool m_isDropped;
};

#endif
