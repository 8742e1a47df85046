// SPDX-License-Identifier: Zlib
/// \file CulletProxyPool.cpp
/// Slabs are added for new slots, and freed at the end of the array when no slot in them is in use. A cell is reused
/// when the core assigns its slot again. The cell of a slot that was never in use holds no object yet.

#include "CulletProxyPool.h"

#include "LinearMath/btAlignedAllocator.h"

#include <new>

namespace
{
/// In single precision a proxy has the size of a cache line, and should lie in one.
const int CACHE_LINE = 64;

/// Grows by doubling. Bullet's resize allocates exactly `size`, so repeated calls would copy the array each time.
template <typename Item>
void growTo( btAlignedObjectArray<Item>& array, int size )
{
    while ( array.size() < size )
    {
        array.push_back( 0 );
    }
}

void freeAll( const btAlignedObjectArray<CulletProxy*>& cells )
{
    for ( int i = 0; i < cells.size(); ++i )
    {
        btAlignedFree( cells[i] );
    }
}
} // namespace

CulletProxyPool::~CulletProxyPool()
{
    for ( int i = 0; i < m_slabs.size(); ++i )
    {
        btAlignedFree( m_slabs[i] );
    }
    freeAll( m_apart );
    freeAll( m_unused );
    freeAll( m_removed );
}

CulletProxy* CulletProxyPool::add( const CulletProxy& proxy, cltProxyId slot )
{
    CulletProxy* cell;
    if ( slot == CLT_NULL_PROXY )
    {
        if ( m_unused.size() == 0 )
        {
            m_unused.push_back( static_cast<CulletProxy*>( btAlignedAlloc( sizeof( CulletProxy ), 16 ) ) );
        }
        cell = m_unused[m_unused.size() - 1];
        m_unused.pop_back();
        m_apart.push_back( cell );
    }
    else
    {
        provide( slot );
        cell = getCell( slot );
        setUid( slot, proxy.m_uniqueId );
    }
    new ( cell ) CulletProxy( proxy );
    cell->m_slot = slot;
    ++m_count;
    return cell;
}

void CulletProxyPool::settle( CulletProxy* proxy, cltProxyId slot )
{
    provide( slot );
    CulletProxy* cell = new ( getCell( slot ) ) CulletProxy();
    cell->m_clientObject = proxy;
    setUid( slot, proxy->m_uniqueId );
    proxy->m_slot = slot;
}

void CulletProxyPool::remove( CulletProxy* proxy )
{
    const cltProxyId slot = proxy->m_slot;
    proxy->m_slot = CLT_NULL_PROXY;
    proxy->m_uniqueId = 0;
    --m_count;
    if ( slot != CLT_NULL_PROXY )
    {
        setUid( slot, 0 );
        getCell( slot )->m_clientObject = 0;
    }
    if ( slot == CLT_NULL_PROXY || getCell( slot ) != proxy )
    {
        for ( int i = m_apart.findLinearSearch( proxy ); i + 1 < m_apart.size(); ++i )
        {
            m_apart[i] = m_apart[i + 1];
        }
        m_apart.pop_back();
        m_removed.push_back( proxy );
    }
}

void CulletProxyPool::reuseRemoved()
{
    for ( ; m_removed.size() > 0; m_removed.pop_back() )
    {
        m_unused.push_back( m_removed[m_removed.size() - 1] );
    }
}

void CulletProxyPool::provide( cltProxyId slot )
{
    while ( m_slabs.size() < slabCount( int( slot ) + 1 ) )
    {
        const size_t size = size_t( FIRST_COUNT ) << m_slabs.size();
        m_slabs.push_back( static_cast<CulletProxy*>( btAlignedAlloc( size * sizeof( CulletProxy ), CACHE_LINE ) ) );
    }
    growTo( m_uids, int( slot ) + 1 );
    growTo( m_inUse, int( slot / WORD_BITS ) + 1 );
    growTo( m_inUseCounts, int( slot / RUN ) + 1 );
}

void CulletProxyPool::giveBack()
{
    if ( !m_shrinkPolicy.isDue( m_count, m_uids.capacity() ) )
    {
        return;
    }
    int end = m_uids.size();
    while ( end > 0 && m_uids[end - 1] == 0 )
    {
        --end;
    }
    if ( CulletShrinkPolicy::capacityFor( end ) > m_uids.capacity() / 2 )
    {
        return; // the last ones are in use
    }
    for ( const int slabs = slabCount( end ); m_slabs.size() > slabs; m_slabs.pop_back() )
    {
        btAlignedFree( m_slabs[m_slabs.size() - 1] );
    }
    m_uids.resize( end );
    m_inUse.resize( ( end + WORD_BITS - 1 ) / WORD_BITS );
    m_inUseCounts.resize( ( end + RUN - 1 ) / RUN );
    culletShrink( m_uids, CulletShrinkPolicy::capacityFor( end ) );
}
