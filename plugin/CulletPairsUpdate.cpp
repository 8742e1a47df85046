// SPDX-License-Identifier: Zlib
/// \file CulletPairsUpdate.cpp
/// CulletPairs in an update: what the core's changes say, and what they alone do not tell.

#include "CulletPairs.h"

#include <algorithm>
#include <chrono>

namespace
{
/// Pairs looked up at a time: the list of pointers stays in the cache and off the heap.
const int BLOCK_SIZE = 512;

/// More pairs offered at once than a step offers.
const int MANY_OFFERED = 65536;
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
    m_pending.resize( 0 ); // found among the changes
    look();
    change( [&] { handOver( changes, dispatcher ); } );
    ++m_moment;
    m_cacheMs = std::chrono::duration<float, std::milli>( std::chrono::steady_clock::now() - begin ).count();
    return true;
}

/// What somebody whom this calls sets, counts for the next update.
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
    // after a world was filled, which does not come again soon, the memory is given back
    m_offered.size() > MANY_OFFERED ? m_offered.clear() : m_offered.resize( 0 );
    settleDue();
    if ( isAnySet || ( m_stepMixed && m_rejected.isAllDue() ) ) // else what waits is for the next step
    {
        askAgain();
    }
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
    forBlocks( changes.ended, changes.endedCount,
               [&]( const CulletProxyPair* pairs, int count ) { m_own->cleanEnded( pairs, count, dispatcher ); } );
    if ( !m_core.areAllAlive() || !m_own->vacateEnded( int( btMin( changes.beganCount, size_t( INT32_MAX ) ) ) ) )
    {
        return false;
    }
    forBlocks( changes.began, changes.beganCount,
               [&]( const CulletProxyPair* pairs, int count ) { m_own->putBegan( pairs, count ); } );
    m_own->finishExchange();
    return true;
}

/// Calls `visit( pairs, count )` for the proxies of so many pairs at a time, ascending by uids.
template <typename Visit>
void CulletPairs::forBlocks( const cltPair* pairs, size_t count, Visit visit )
{
    pairs = m_core.orderByUid( pairs, count );
    CulletProxyPair block[BLOCK_SIZE];
    for ( size_t first = 0; first < count; first += BLOCK_SIZE )
    {
        visit( block, m_core.lookUp( pairs + first, int( btMin( size_t( BLOCK_SIZE ), count - first ) ), block ) );
    }
}

// --------------------------------------------------------------------------------------------------------------- ended

void CulletPairs::removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher )
{
    if ( count > 0 && m_given.isDeferring() )
    {
        m_given.dropSeparated( dispatcher );
        return;
    }
    forBlocks( pairs, count,
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

/// What died since it was looked up is not in the cache.
void CulletPairs::remove( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    m_rejected.remove( pairs, count );
    m_own ? m_own->removePairs( pairs, count, dispatcher ) : m_given.removePairs( pairs, count, dispatcher );
}

void CulletPairs::performDeferredRemoval( btDispatcher* dispatcher )
{
    if ( m_given.isDeferring() )
    {
        change( [&] { m_given.dropSeparated( dispatcher ); } );
    }
}

// --------------------------------------------------------------------------------------------------------------- began

/// Whoever is called about one may destroy the proxies of another.
void CulletPairs::addBegan( const cltPair* pairs, size_t count )
{
    if ( m_own )
    {
        const size_t freshCount = count - btMin( count, size_t( m_offered.size() ) );
        const size_t pairCount = size_t( m_own->getPairs().getCount() ) + freshCount;
        m_own->getPairs().reserve( int( btMin( pairCount, size_t( INT32_MAX ) ) ) );
    }
    forBlocks( pairs, count,
               [&]( CulletProxyPair* block, int size )
               {
                   size = m_offered.size() > 0 ? leaveOutOffered( block, size ) : size;
                   m_freshRejected.resize( 0 );
                   m_own ? m_own->addPairs( block, size, m_freshRejected )
                         : m_given.addPairs( block, size, m_freshRejected );
                   for ( int i = 0; i < m_freshRejected.size(); ++i )
                   {
                       reject( m_freshRejected[i] );
                   }
               } );
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

// ---------------------------------------------------------------------------------- what the changes alone do not tell

/// With those that were offered, and are over already, or that the core will not tell of.
void CulletPairs::listDue()
{
    m_stepDue.copyFromArray( m_due );
    m_due.resize( 0 );
    const CulletProxyPool& proxies = m_core.getProxies();
    for ( int i = 0; i < m_offered.size(); ++i )
    {
        const cltPair& slots = m_offered[i];
        if ( proxies.getUid( slots.proxyA ) != 0 && proxies.getUid( slots.proxyB ) != 0 )
        {
            const CulletProxyPair pair = culletPairOf( proxies.get( slots.proxyA ), proxies.get( slots.proxyB ) );
            if ( !culletOverlap( pair ) || !m_core.holds( pair ) )
            {
                m_stepDue.push_back( culletNoteOf( pair ) );
            }
        }
    }
    culletSort( m_stepDue );
}

/// Of what is due, what is over leaves the cache and the list; what is named twice stays once.
void CulletPairs::removeOver( btDispatcher* dispatcher )
{
    int left = 0;
    for ( int i = 0; i < m_stepDue.size(); ++i )
    {
        const CulletPairNote note = m_stepDue[i];
        if ( !note.isAlive() || ( left > 0 && m_stepDue[left - 1].m_uids == note.m_uids ) )
        {
            continue;
        }
        if ( culletOverlap( note.m_pair ) )
        {
            m_stepDue[left++] = note;
        }
        else if ( isCached( note.m_pair ) )
        {
            remove( &note.m_pair, 1, dispatcher );
        }
        else
        {
            m_rejected.remove( &note.m_pair, 1 );
        }
    }
    m_stepDue.resize( left );
}

void CulletPairs::settleDue()
{
    for ( int i = 0; i < m_stepDue.size(); ++i )
    {
        const CulletPairNote note = m_stepDue[i];
        const bool isThere = note.isAlive() && isCached( note.m_pair );
        const bool isHeld = note.isAlive() && m_core.holds( note.m_pair );
        if ( isThere && !isHeld )
        {
            m_due.push_back( note );
        }
        else if ( isHeld && !isThere && !m_rejected.has( note.m_pair ) )
        {
            offer( note.m_pair );
        }
    }
}

/// Asks about what was rejected. No filter is asked twice in a step for the same answer, no pair is forgotten, and a
/// second update in a row changes nothing: so one that was asked about in this step, and then set, waits for the next
/// step in which anything is set. A given cache takes a pair at once, for it would ask its filter a second time; our
/// own gets all that are let in afterwards, in order.
void CulletPairs::askAgain()
{
    CulletPairNotes settled;
    CulletPairNotes letIn;
    btAlignedObjectArray<int> places;
    uint32_t version;
    do
    {
        version = m_rejected.getVersion();
        places.resize( 0 );
        m_rejected.takeDue( places );
        for ( int i = 0; i < places.size() && m_rejected.getVersion() == version; ++i )
        {
            askAgainAt( places[i], settled, letIn );
        }
        if ( m_rejected.getVersion() != version ) // a filter that destroys a proxy moves the places of others
        {
            m_rejected.setAllDue( true );
        }
    } while ( m_rejected.getVersion() != version );
    removeRejected( settled );
    removeRejected( letIn );
    culletSort( letIn );
    for ( int i = 0; i < letIn.size() && m_own; ++i )
    {
        if ( letIn[i].isAlive() ) // the ghost callback of another may have destroyed a proxy
        {
            m_own->insertPair( letIn[i].m_pair );
        }
    }
}

void CulletPairs::askAgainAt( int place, CulletPairNotes& settled, CulletPairNotes& letIn )
{
    const CulletProxyPair pair = m_rejected.getPair( place );
    const CulletPairNote note = culletNoteOf( pair );
    if ( !culletOverlap( pair ) || !m_core.holds( pair ) ) // over before the core heard of it
    {
        settled.push_back( note );
    }
    else if ( !m_core.isFiltering() && m_rejected.getMoment( place ) == m_moment )
    {
        m_rejected.askAbout( pair.m_pProxy0, m_core.getProxies().getCount() );
    }
    else
    {
        m_rejected.setMoment( place, m_moment ); // before anybody is called: the place may be another's afterwards
        if ( m_own ? m_own->needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 ) : m_given.addPair( pair ) )
        {
            letIn.push_back( note );
        }
    }
}

void CulletPairs::removeRejected( const CulletPairNotes& notes )
{
    for ( int i = 0; i < notes.size(); ++i )
    {
        if ( notes[i].isAlive() )
        {
            m_rejected.remove( &notes[i].m_pair, 1 );
        }
    }
}

/// Somebody changed a given cache: holds all of it against all pairs of the core.
void CulletPairs::repair( btDispatcher* dispatcher )
{
    CulletPairNotes separated;
    m_given.listSeparated( separated );
    for ( int i = 0; i < separated.size(); ++i )
    {
        if ( separated[i].isAlive() )
        {
            m_given.removePairs( &separated[i].m_pair, 1, dispatcher );
        }
    }
    const cltPair* pairs;
    size_t count;
    if ( m_core.listPairs( &pairs, &count ) != clt_ok )
    {
        return; // it counts as edited until another update has the memory
    }
    forBlocks( pairs, count,
               [&]( const CulletProxyPair* block, int size )
               {
                   for ( int i = 0; i < size; ++i )
                   {
                       if ( block[i].isAlive() && !isCached( block[i] ) && !wasAsked( block[i] ) )
                       {
                           offer( block[i] );
                       }
                   }
               } );
    m_given.accept();
}
