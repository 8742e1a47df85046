// SPDX-License-Identifier: Zlib
/// \file CulletChanges.cpp
/// From the core's changes to Bullet's pair cache: what ended leaves, what began enters, in the canonical order.

#include "CulletBroadphase.h"

#include <algorithm>
#include <chrono>

namespace
{
/// Pairs looked up at a time: the list of pointers stays in the cache and off the heap.
const int BLOCK_SIZE = 512;

void appendPairs( btAlignedObjectArray<cltPair>& pairs, const cltPair* more, size_t count )
{
    const int size = pairs.size();
    pairs.resizeNoInitialize( size + int( count ) );
    std::copy( more, more + count, count > 0 ? &pairs[size] : 0 );
}

/// The order of the core.
bool comesBefore( const cltPair& a, const cltPair& b )
{
    return a.proxyA != b.proxyA ? a.proxyA < b.proxyA : a.proxyB < b.proxyB;
}

/// Sets a number of milliseconds to the time between its beginning and its end.
class Stopwatch
{
public:
    explicit Stopwatch( float& milliseconds ) : m_milliseconds( milliseconds ), m_begin( Clock::now() )
    {
    }

    ~Stopwatch()
    {
        m_milliseconds = std::chrono::duration<float, std::milli>( Clock::now() - m_begin ).count();
    }

    Stopwatch( const Stopwatch& ) = delete;
    Stopwatch& operator=( const Stopwatch& ) = delete;

private:
    typedef std::chrono::steady_clock Clock;

    float& m_milliseconds;
    Clock::time_point m_begin;
};
} // namespace

void CulletBroadphase::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    m_cacheMs = 0;
    settleWaiting();
    if ( !m_core )
    {
        return;
    }
    chooseWhoFilters();
    lookForEdits();
    noticeEdits();
    cltPairChanges changes;
    const cltStatus status = cltBroadphase_Update( m_core, &changes );
    if ( status != clt_ok )
    {
        m_status = status;
        searchOwed();
        return;
    }
    forgetOwed(); // found among the changes
    const Stopwatch stopwatch( m_cacheMs );
    if ( m_ownPairCache )
    {
        m_ownPairCache->expectChanges( changes.beganCount + changes.endedCount );
    }
    if ( !canExchange( changes ) || !exchange( changes, dispatcher ) )
    {
        removeAndAdd( changes, dispatcher );
    }
    reviewEdits( dispatcher );
    offerTurnedDown();
    if ( m_cacheEdited )
    {
        repairCache( dispatcher );
    }
    rememberCache();
    m_filtersMixed = false;
    m_setCount = 0;
    m_moveOrder.endStep();
    m_eagerMoves = EAGER_MOVES;
    m_circumstances += 2;
}

/// Whether all that ended is to leave, all that began to enter, and nobody to be called about single pairs: then it does
/// not matter in which order they do. After a world was filled the cache has most of what began, and an exchange would make
/// room for all of it a second time.
bool CulletBroadphase::canExchange( const cltPairChanges& changes ) const
{
    const bool isMostlyKnown = size_t( m_offered.size() ) > changes.beganCount / 2;
    return !isAnyoneAsked() && !isMostlyKnown && !m_filtersMixed && m_turnedDown.getPairCount() == 0;
}

/// \return false if the dispatcher let somebody change the cache, so that pair by pair is the only safe way
bool CulletBroadphase::exchange( const cltPairChanges& changes, btDispatcher* dispatcher )
{
    reviewOffered( dispatcher );
    reviewKept( dispatcher );
    m_ownPairCache->startExchange();
    forBlocks( orderByUid( changes.ended, changes.endedCount ), changes.endedCount,
               [&]( const CulletProxyPair* pairs, int count )
               { m_ownPairCache->noteEnded( pairs, count, dispatcher ); } );
    if ( !m_ownPairCache->openExchange( int( btMin( changes.beganCount, size_t( INT32_MAX ) ) ) ) )
    {
        return false;
    }
    forBlocks( orderByUid( changes.began, changes.beganCount ), changes.beganCount,
               [&]( const CulletProxyPair* pairs, int count ) { m_ownPairCache->putBegan( pairs, count ); } );
    m_ownPairCache->finishExchange();
    return true;
}

/// Every callback sees all that ended leave before anything that began enters, both in the canonical order.
void CulletBroadphase::removeAndAdd( const cltPairChanges& changes, btDispatcher* dispatcher )
{
    removeEnded( changes.ended, changes.endedCount, dispatcher );
    size_t freshCount = changes.beganCount;
    const cltPair* fresh = leaveOutOffered( changes.began, freshCount );
    fresh = orderByUid( fresh, freshCount );
    reviewOffered( dispatcher );
    reviewKept( dispatcher );
    addBegan( fresh, freshCount );
}

/// Calls `visit( pairs, count )` for the proxies of so many pairs at a time.
template <typename Visit>
void CulletBroadphase::forBlocks( const cltPair* pairs, size_t count, Visit visit ) const
{
    CulletProxyPair block[BLOCK_SIZE];
    for ( size_t first = 0; first < count; first += BLOCK_SIZE )
    {
        const int size = int( btMin( size_t( BLOCK_SIZE ), count - first ) );
        lookUp( pairs + first, size, block );
        visit( block, size );
    }
}

void CulletBroadphase::removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher )
{
    if ( count > 0 && m_cacheDefers )
    {
        dropSeparated( dispatcher );
        return;
    }
    forBlocks( orderByUid( pairs, count ), count,
               [&]( CulletProxyPair* block, int size )
               { removeEndedBlock( block, m_filtersMixed ? setAsideKept( block, size ) : size, dispatcher ); } );
}

void CulletBroadphase::removeEndedBlock( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    if ( m_turnedDown.getPairCount() > 0 )
    {
        m_turnedDown.removePairs( pairs, count, 0 );
    }
    if ( m_ownPairCache )
    {
        m_ownPairCache->removePairs( pairs, count, dispatcher );
        return;
    }
    for ( int i = 0; i < count; ++i )
    {
        m_pairCache->removeOverlappingPair( pairs[i].m_pProxy0, pairs[i].m_pProxy1, dispatcher );
    }
}

/// The pairs that nobody has offered yet, in the order of the core.
/// \return `pairs` itself, or an array that lives until the next call
const cltPair* CulletBroadphase::leaveOutOffered( const cltPair* pairs, size_t& count )
{
    if ( m_offered.size() == 0 || count == 0 )
    {
        return pairs;
    }
    std::sort( &m_offered[0], &m_offered[0] + m_offered.size(), comesBefore );
    m_fresh.resize( 0 );
    m_fresh.reserve( int( count ) );
    size_t next = 0;
    for ( int i = 0; i < m_offered.size(); ++i )
    {
        const size_t at = size_t( std::lower_bound( pairs + next, pairs + count, m_offered[i], comesBefore ) - pairs );
        appendPairs( m_fresh, pairs + next, at - next );
        next = at + ( at < count && !comesBefore( m_offered[i], pairs[at] ) ? 1u : 0u );
    }
    appendPairs( m_fresh, pairs + next, count - next );
    count = size_t( m_fresh.size() );
    return count > 0 ? &m_fresh[0] : pairs;
}

/// \param pairs  ascending by uids
void CulletBroadphase::addBegan( const cltPair* pairs, size_t count )
{
    if ( m_ownPairCache && count > 0 )
    {
        const size_t pairCount = size_t( m_ownPairCache->getPairCount() ) + count;
        m_ownPairCache->reservePairs( int( btMin( pairCount, size_t( INT32_MAX ) ) ) );
    }
    forBlocks( pairs, count,
               [&]( const CulletProxyPair* block, int size )
               {
                   if ( m_ownPairCache )
                   {
                       m_rejected.resize( 0 );
                       m_ownPairCache->addPairs( block, size, m_rejected );
                       for ( int i = 0; i < m_rejected.size(); ++i )
                       {
                           turnDown( m_rejected[i] );
                       }
                       return;
                   }
                   for ( int i = 0; i < size; ++i )
                   {
                       offer( block[i] );
                   }
               } );
}

/// \return `pairs` itself, or an array that lives until the next call
const cltPair* CulletBroadphase::orderByUid( const cltPair* pairs, size_t count )
{
    return m_slotsFollowUids || count == 0 ? pairs : m_uidOrder.sort( m_proxies, pairs, int( count ) );
}

void CulletBroadphase::lookUp( const cltPair* pairs, int count, CulletProxyPair* found ) const
{
    for ( int i = 0; i < count; ++i )
    {
        found[i].m_pProxy0 = m_proxies.get( pairs[i].proxyA );
        found[i].m_pProxy1 = m_proxies.get( pairs[i].proxyB );
    }
}
