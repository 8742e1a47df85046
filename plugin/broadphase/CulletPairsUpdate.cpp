// SPDX-License-Identifier: Zlib
/// \file CulletPairsUpdate.cpp
/// CulletPairs in an update: what ended leaves the cache, what began enters it.

#include "CulletPairs.h"

#include <chrono>

namespace
{
/// Leaves room for as much as a step brings. After a world was filled, which does not come again soon, the memory is
/// given back.
template <typename Item>
void empty( btAlignedObjectArray<Item>& array )
{
    const int many = 65536;
    array.size() > many ? array.clear() : array.resize( 0 );
}
} // namespace

bool CulletPairs::update( btDispatcher* dispatcher )
{
    if ( m_changeDepth > 0 )
    {
        return false;
    }
    m_cacheMs = 0;
    chooseWhoFilters();
    lookForEdits();
    cltPairChanges changes;
    if ( !m_core.update( changes ) )
    {
        look();
        return true;
    }
    const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    empty( m_pending ); // found among the changes
    look();
    change( [&] { handOver( changes, dispatcher ); } );
    ++m_moment;
    m_cacheMs = std::chrono::duration<float, std::milli>( std::chrono::steady_clock::now() - begin ).count();
    return true;
}

/// What callbacks set meanwhile counts for the next update.
void CulletPairs::handOver( const cltPairChanges& changes, btDispatcher* dispatcher )
{
    m_stepMixed = m_filtersMixed;
    m_filtersMixed = false;
    m_eagerMoves = EAGER_MOVES;
    listDue();
    const bool isAnySet = m_setCount > 0;
    m_setCount = 0;
    if ( m_own )
    {
        m_own->getPairs().expectChanges( changes.beganCount + changes.endedCount );
    }
    if ( !canExchange( changes ) || !exchange( changes, dispatcher ) )
    {
        // Every callback sees all that ended leave before anything that began enters, both in the canonical order.
        removeEnded( changes.ended, changes.endedCount, dispatcher );
        removeOver( dispatcher );
        addBegan( changes.began, changes.beganCount );
    }
    empty( m_offered );
    settleDue();
    if ( isAnySet || ( m_stepMixed && m_rejected.areAllRetried() ) ) // else what waits is for the next step
    {
        askAgain();
    }
    m_rejected.giveBack();
    if ( !m_own && m_given.isEdited() )
    {
        repair( dispatcher );
    }
}

/// Whether all that ended is to leave, all that began to enter, and nobody to be called about single pairs: then it
/// does not matter in which order they do. After a world was filled the cache has most of what began, and an exchange
/// would make room for all of it a second time.
bool CulletPairs::canExchange( const cltPairChanges& changes ) const
{
    const bool isMostlyKnown = size_t( m_offered.size() ) > changes.beganCount / 2;
    return !isAnyoneAsked() && !isMostlyKnown && !m_stepMixed && m_rejected.isEmpty();
}

/// \return false if the dispatcher let somebody change the cache or destroy a proxy: then only pair by pair is safe
bool CulletPairs::exchange( const cltPairChanges& changes, btDispatcher* dispatcher )
{
    removeOver( dispatcher );
    m_own->startExchange();
    m_core.forBlocks( changes.ended, changes.endedCount,
                      [&]( const CulletProxyPair* pairs, int count )
                      { m_own->cleanEnded( pairs, count, dispatcher ); } );
    if ( !m_core.areAllAlive() || !m_own->vacateEnded( int( btMin( changes.beganCount, size_t( INT32_MAX ) ) ) ) )
    {
        return false;
    }
    m_core.forBlocks( changes.began, changes.beganCount,
                      [&]( const CulletProxyPair* pairs, int count ) { m_own->putBegan( pairs, count ); } );
    m_own->finishExchange();
    return true;
}

// --------------------------------------------------------------------------------------------------------------- ended

void CulletPairs::removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher )
{
    if ( count > 0 && m_given.isDeferring() )
    {
        m_given.dropSeparated( dispatcher );
        return;
    }
    m_core.forBlocks( pairs, count,
                      [&]( CulletProxyPair* block, int size )
                      { remove( block, m_stepMixed ? keepAllowed( block, size ) : size, dispatcher ); } );
}

/// Of pairs that ended for the core, those whose boxes still overlap ended by a filter alone, and stay in the cache if
/// they are there. Moves the others to the front and returns how many there are.
int CulletPairs::keepAllowed( CulletProxyPair* pairs, int count )
{
    int ended = 0;
    for ( int i = 0; i < count; ++i )
    {
        if ( culletOverlap( pairs[i] ) && isCached( pairs[i] ) )
        {
            m_due.push_back( culletNoteOf( pairs[i] ) );
        }
        else
        {
            pairs[ended++] = pairs[i];
        }
    }
    return ended;
}

void CulletPairs::performDeferredRemoval( btDispatcher* dispatcher )
{
    if ( m_given.isDeferring() )
    {
        change( [&] { m_given.dropSeparated( dispatcher ); } );
    }
}

// --------------------------------------------------------------------------------------------------------------- began

void CulletPairs::addBegan( const cltPair* pairs, size_t count )
{
    if ( m_own && !getFilterCallback() ) // who may refuse them all
    {
        const size_t freshCount = count - btMin( count, size_t( m_offered.size() ) );
        const size_t pairCount = size_t( m_own->getPairs().getCount() ) + freshCount;
        m_own->getPairs().reserve( int( btMin( pairCount, size_t( INT32_MAX ) ) ) );
    }
    m_core.forBlocks( pairs, count,
                      [&]( CulletProxyPair* block, int size )
                      { addFresh( block, m_offered.size() > 0 ? leaveOutOffered( block, size ) : size ); } );
}

/// A callback that hears of one pair may destroy the proxies of another.
void CulletPairs::addFresh( const CulletProxyPair* pairs, int count )
{
    m_freshRejected.resize( 0 );
    m_own ? m_own->addPairs( pairs, count, m_freshRejected ) : m_given.addPairs( pairs, count, m_freshRejected );
    for ( int i = 0; i < m_freshRejected.size(); ++i )
    {
        reject( m_freshRejected[i] );
    }
}

/// Of pairs that began, those that were offered before have their answer. Moves the others to the front and returns how
/// many there are; our own cache finds by itself what it has.
int CulletPairs::leaveOutOffered( CulletProxyPair* pairs, int count ) const
{
    int fresh = 0;
    for ( int i = 0; i < count; ++i )
    {
        if ( !m_rejected.has( pairs[i] ) && ( m_own || !m_given.hasPair( pairs[i] ) ) )
        {
            pairs[fresh++] = pairs[i];
        }
    }
    return fresh;
}
