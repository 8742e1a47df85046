// SPDX-License-Identifier: Zlib
/// \file CulletNeighbours.h
/// Which pairs a proxy is in: a doubly linked list through the pair array for each proxy, so that taking out a proxy
/// looks at its own pairs and no others, and a pair joins and leaves its two lists in constant time. Before so many
/// pairs change that making all lists anew is cheaper, they can be dropped; then nothing may be read, fetched or put,
/// and what takes out does nothing.
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
    /// No link: the end of a list.
    static const uint32_t NONE = UINT32_MAX;

    CulletNeighbours();

    /// Memory for the links of this many pairs.
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

    /// Drops them, and their memory.
    void giveBack();

    /// Empty lists; to be followed by put for every pair of the array.
    void startAnew();

    // What put and remove will read, asked for in two rounds: the second needs what the first has brought.

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
            const uint32_t after = m_links[pair].m_next[side];
            const uint32_t before = m_links[pair].m_previous[side];
            if ( after != NONE )
            {
                culletPrefetch( &m_links[int( after >> 1 )] );
            }
            if ( before & IS_FIRST )
            {
                culletPrefetch( &m_heads[home( int( before & ~IS_FIRST ) )] );
            }
            else
            {
                culletPrefetch( &m_links[int( before >> 1 )] );
            }
        }
    }

    /// Takes a pair out of both lists; its place in the array is left to be filled.
    void remove( int pair );

    /// A new pair fills a place that is left, or is the one just appended to the array.
    void put( int pair, int uid0, int uid1 );

    /// The last pair of the array fills `pair`, which is not the last.
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

    /// The proxy is gone and has no pairs.
    void forget( int uid );

private:
    /// In place of the previous link of the first one of a list: whose list it is.
    ///
    ///     bit  31   30 .. 0
    ///          1    uid
    static const uint32_t IS_FIRST = 1u << 31;

    struct Links
    {
        uint32_t m_next[2];
        uint32_t m_previous[2];
    };

    /// Where a proxy's list begins.
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

    /// No uid: broadphases give out small numbers from 0 or 1 on.
    static const int EMPTY = INT32_MIN;

    /// Eight uids that follow on each other share a cache line, as the proxies of a scene often are neighbours. The
    /// eights are spread by Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4), because the uids
    /// that are left of a long run may have any stride.
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
    void setBefore( uint32_t before, uint32_t link );

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
    int m_shift;     ///< leaves as many bits of 32 as number the heads' eights
    int m_headCount; ///< heads in use
    bool m_isDropped;
};

#endif
