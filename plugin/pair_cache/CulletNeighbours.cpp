// SPDX-License-Identifier: Zlib
/// \file CulletNeighbours.cpp
/// A proxy with an empty list keeps its head, because most such proxies have pairs again later. A head is erased when
/// its proxy is destroyed or the table grows.

#include "CulletNeighbours.h"

CulletNeighbours::CulletNeighbours()
{
    giveBack();
}

void CulletNeighbours::giveBack()
{
    m_links.clear();
    m_heads.clear();
    m_heads.resize( 16, empty() );
    m_mask = 15;
    m_shift = 31;
    m_headCount = 0;
    m_isDropped = true;
}

void CulletNeighbours::beginRebuild()
{
    const int headCapacity = m_heads.size();
    m_heads.resize( 0 );
    m_heads.resize( headCapacity, empty() );
    m_headCount = 0;
    m_links.resize( 0 );
    m_isDropped = false;
}

void CulletNeighbours::put( int pair, int uid0, int uid1 )
{
    if ( pair == m_links.size() )
    {
        const Links fresh = { { NONE, NONE }, { NONE, NONE } };
        m_links.push_back( fresh );
    }
    prepend( uint32_t( pair ) * 2u, uid0 );
    prepend( uint32_t( pair ) * 2u + 1u, uid1 );
}

void CulletNeighbours::remove( int pair )
{
    if ( m_isDropped )
    {
        return;
    }
    unlink( uint32_t( pair ) * 2u );
    unlink( uint32_t( pair ) * 2u + 1u );
}

void CulletNeighbours::moveLastTo( int pair )
{
    if ( m_isDropped )
    {
        return;
    }
    m_links[pair] = m_links[m_links.size() - 1];
    redirect( uint32_t( pair ) * 2u );
    redirect( uint32_t( pair ) * 2u + 1u );
}

void CulletNeighbours::list( int uid, btAlignedObjectArray<int>& pairs ) const
{
    uint32_t link = m_heads[probe( uid )].m_first;
    for ( ; link != NONE; link = m_links[int( link >> 1 )].m_next[link & 1u] )
    {
        pairs.push_back( int( link >> 1 ) );
    }
}

void CulletNeighbours::forget( int uid )
{
    const int at = probe( uid );
    if ( !m_isDropped && m_heads[at].m_uid == uid )
    {
        culletErase( m_heads, at, empty(), [this]( const Head& head ) { return home( head.m_uid ); } );
        --m_headCount;
    }
}

void CulletNeighbours::prepend( uint32_t link, int uid )
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

void CulletNeighbours::unlink( uint32_t link )
{
    const uint32_t nextLink = next( link );
    const uint32_t previousLink = previous( link );
    if ( nextLink != NONE )
    {
        previous( nextLink ) = previousLink;
    }
    setNextOf( previousLink, nextLink );
}

/// Makes links and heads that point at the old place of a moved pair point at `to`.
void CulletNeighbours::redirect( uint32_t to )
{
    const uint32_t nextLink = next( to );
    if ( nextLink != NONE )
    {
        previous( nextLink ) = to;
    }
    setNextOf( previous( to ), to );
}

/// Makes `link` follow `previousLink`, which may stand for the head of a list.
void CulletNeighbours::setNextOf( uint32_t previousLink, uint32_t link )
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

/// \return the place of the proxy's head, or the free place for it
int CulletNeighbours::probe( int uid ) const
{
    int at = home( uid );
    while ( m_heads[at].m_uid != uid && m_heads[at].m_uid != EMPTY )
    {
        at = ( at + 1 ) & m_mask;
    }
    return at;
}

/// \return the proxy's head, a new one if it has none
CulletNeighbours::Head& CulletNeighbours::headOf( int uid )
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

void CulletNeighbours::growHeads()
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
