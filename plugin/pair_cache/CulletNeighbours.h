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
///
/// A proxy with an empty list keeps its head, because most such proxies have pairs again later. A head is erased when
/// its proxy is destroyed or the table grows.
#ifndef CULLET_NEIGHBOURS_H
#define CULLET_NEIGHBOURS_H

#include "CulletArrays.h"

#include <stdint.h>

class CulletNeighbours
{
public:
    /// The end of a list.
    static const uint32_t NONE = UINT32_MAX;

    CulletNeighbours()
    {
        giveBack();
    }

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
    void giveBack()
    {
        m_links.clear();
        m_heads.clear();
        m_mask = 15;
        m_shift = 31;
        m_headCount = 0;
        m_isDropped = true;
    }

    /// Makes all lists empty; the caller then calls put for every pair of the array.
    void beginRebuild()
    {
        m_heads.resize( 0 );
        m_heads.resize( m_mask + 1, empty() );
        m_headCount = 0;
        m_links.resize( 0 );
        m_isDropped = false;
    }

    // Prefetches what put and remove read, in two rounds: the second reads the memory that the first one prefetched.

    void prefetchHeads( int uid0, int uid1 ) const
    {
        cltPrefetch( &m_heads[home( uid0 )] );
        cltPrefetch( &m_heads[home( uid1 )] );
    }

    void prefetchFirst( int uid ) const
    {
        const Head& head = m_heads[home( uid )];
        if ( head.m_uid == uid && head.m_first != NONE )
        {
            cltPrefetch( &m_links[int( head.m_first >> 1 )] );
        }
    }

    void prefetchPair( int pair ) const
    {
        cltPrefetch( &m_links[pair] );
    }

    void prefetchAround( int pair ) const
    {
        for ( int side = 0; side < 2; ++side )
        {
            const uint32_t nextLink = m_links[pair].m_next[side];
            const uint32_t previousLink = m_links[pair].m_previous[side];
            if ( nextLink != NONE )
            {
                cltPrefetch( &m_links[int( nextLink >> 1 )] );
            }
            if ( previousLink & IS_FIRST )
            {
                cltPrefetch( &m_heads[home( int( previousLink & ~IS_FIRST ) )] );
            }
            else
            {
                cltPrefetch( &m_links[int( previousLink >> 1 )] );
            }
        }
    }

    /// Removes a pair from both lists; its place in the array becomes vacant.
    void remove( int pair )
    {
        if ( m_isDropped )
        {
            return;
        }
        unlink( uint32_t( pair ) * 2u );
        unlink( uint32_t( pair ) * 2u + 1u );
    }

    /// Adds a new pair to the lists of its two proxies. `pair` is its index in the array: a vacant place, or one past
    /// the last pair that has links.
    void put( int pair, int uid0, int uid1 )
    {
        if ( pair == m_links.size() )
        {
            const Links fresh = { { NONE, NONE }, { NONE, NONE } };
            m_links.push_back( fresh );
        }
        prepend( uint32_t( pair ) * 2u, uid0 );
        prepend( uint32_t( pair ) * 2u + 1u, uid1 );
    }

    /// Moves the last pair of the array to the vacant place `pair`, which is not the last one.
    void moveLastTo( int pair )
    {
        if ( m_isDropped )
        {
            return;
        }
        m_links[pair] = m_links[m_links.size() - 1];
        redirect( uint32_t( pair ) * 2u );
        redirect( uint32_t( pair ) * 2u + 1u );
    }

    void popLast()
    {
        if ( !m_isDropped )
        {
            m_links.pop_back();
        }
    }

    /// Appends the indices of the proxy's pairs, in no order.
    void list( int uid, btAlignedObjectArray<int>& pairs ) const
    {
        uint32_t link = m_heads[probe( uid )].m_first;
        for ( ; link != NONE; link = m_links[int( link >> 1 )].m_next[link & 1u] )
        {
            culletAppend( pairs, int( link >> 1 ) );
        }
    }

    bool hasAny( int uid ) const
    {
        return m_heads[probe( uid )].m_first != NONE;
    }

    /// Erases the head of a destroyed proxy, which must have no pairs.
    void forget( int uid )
    {
        if ( m_isDropped )
        {
            return;
        }
        const int at = probe( uid );
        if ( m_heads[at].m_uid == uid )
        {
            culletErase( m_heads, at, empty(), [this]( const Head& head ) { return home( head.m_uid ); } );
            --m_headCount;
        }
    }

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

    /// Marks a free head. Never a uid: broadphases assign small numbers from 0 or 1 on.
    static const int EMPTY = INT32_MIN;

    /// Eight consecutive uids share a cache line, because proxies that were created together often are neighbours. The
    /// groups of eight are spread by Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4), because
    /// after a long run the remaining uids may have any stride.
    int home( int uid ) const
    {
        const uint32_t group = ( uint32_t( uid ) >> 3 ) * 0x9e3779b1u;
        return int( ( ( group >> m_shift ) << 3 ) | ( uint32_t( uid ) & 7u ) );
    }

    /// \return the place of the proxy's head, or the free place for it
    int probe( int uid ) const
    {
        int at = home( uid );
        while ( m_heads[at].m_uid != uid && m_heads[at].m_uid != EMPTY )
        {
            at = ( at + 1 ) & m_mask;
        }
        return at;
    }

    /// \return the proxy's head, a new one if it has none
    Head& headOf( int uid )
    {
        int at = probe( uid );
        if ( m_heads[at].m_uid == EMPTY )
        {
            if ( ( m_headCount + 1 ) * int64_t( 4 ) > m_heads.size() * int64_t( 3 ) )
            {
                growHeads();
                at = probe( uid );
            }
            m_heads[at].m_uid = uid;
            ++m_headCount;
        }
        return m_heads[at];
    }

    void growHeads()
    {
        btAlignedObjectArray<Head> old;
        old.copyFromArray( m_heads );
        m_heads.clear();
        m_heads.resize( old.size() * 2, empty() );
        m_mask = m_heads.size() - 1;
        --m_shift;
        m_headCount = 0;
        for ( int i = 0; i < old.size(); ++i )
        {
            if ( old[i].m_uid != EMPTY && old[i].m_first != NONE )
            {
                headOf( old[i].m_uid ).m_first = old[i].m_first;
            }
        }
    }

    void prepend( uint32_t link, int uid )
    {
        Head& head = headOf( uid );
        next( link ) = head.m_first;
        previous( link ) = IS_FIRST | uint32_t( uid );
        if ( head.m_first != NONE )
        {
            previous( head.m_first ) = link;
        }
        head.m_first = link;
    }

    void unlink( uint32_t link )
    {
        const uint32_t nextLink = next( link );
        const uint32_t previousLink = previous( link );
        if ( nextLink != NONE )
        {
            previous( nextLink ) = previousLink;
        }
        setNextOf( previousLink, nextLink );
    }

    /// Updates the neighbours in the list of `to`, a link of a moved pair: they still point at its old place.
    void redirect( uint32_t to )
    {
        const uint32_t nextLink = next( to );
        if ( nextLink != NONE )
        {
            previous( nextLink ) = to;
        }
        setNextOf( previous( to ), to );
    }

    /// Makes `link` follow `previousLink`, which may stand for the head of a list.
    void setNextOf( uint32_t previousLink, uint32_t link )
    {
        if ( previousLink & IS_FIRST )
        {
            headOf( int( previousLink & ~IS_FIRST ) ).m_first = link;
        }
        else
        {
            next( previousLink ) = link;
        }
    }

    uint32_t& next( uint32_t link )
    {
        return m_links[int( link >> 1 )].m_next[link & 1u];
    }

    uint32_t& previous( uint32_t link )
    {
        return m_links[int( link >> 1 )].m_previous[link & 1u];
    }

    btAlignedObjectArray<Links> m_links; ///< by index of the pair
    btAlignedObjectArray<Head> m_heads;
    int m_mask;      ///< number of heads, a power of two, less one
    int m_shift;     ///< 32 - log2( number of groups of eight heads )
    int m_headCount; ///< heads in use
    bool m_isDropped;
};

#endif
