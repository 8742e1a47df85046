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

bool overlaps( const CulletProxyPair& pair )
{
    return culletOverlap( *pair.m_pProxy0, *pair.m_pProxy1 );
}

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
    const Stopwatch stopwatch( m_cacheMs );
    m_pending.resize( 0 ); // found among the changes
    look();
    {
        const Change change( *this );
        handOver( changes, dispatcher );
    }
    m_moment += 2;
    return true;
}

/// What somebody whom this calls sets, counts for the next update.
void CulletPairs::handOver( const cltPairChanges& changes, btDispatcher* dispatcher )
{
    m_step.m_filtersMixed = m_filtersMixed;
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
        removeAndAdd( changes, dispatcher );
    }
    forgetOffered();
    settleDue();
    if ( isAnySet || ( m_step.m_filtersMixed && m_exceptional.isAllDue() ) ) // else what waits is for the next step
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
bool CulletPairs::canExchange( const cltPairChanges& changes )
{
    const bool isMostlyKnown = size_t( m_exceptional.getOffered().size() ) > changes.beganCount / 2;
    return !isAnyoneAsked() && !isMostlyKnown && !m_step.m_filtersMixed && !m_exceptional.hasTurnedDown();
}

/// \return false if the dispatcher let somebody change the cache or destroy a proxy: then only pair by pair is safe
bool CulletPairs::exchange( const cltPairChanges& changes, btDispatcher* dispatcher )
{
    removeOver( dispatcher );
    CulletPairExchange& exchange = m_own->getExchange();
    exchange.start();
    forBlocks( m_core.orderByUid( changes.ended, changes.endedCount ), changes.endedCount,
               [&]( const CulletProxyPair* pairs, int count ) { exchange.noteEnded( pairs, count, dispatcher ); } );
    if ( !m_core.areAllAlive() || !exchange.open( int( btMin( changes.beganCount, size_t( INT32_MAX ) ) ) ) )
    {
        return false;
    }
    forBlocks( m_core.orderByUid( changes.began, changes.beganCount ), changes.beganCount,
               [&]( const CulletProxyPair* pairs, int count ) { exchange.putBegan( pairs, count ); } );
    exchange.finish();
    return true;
}

/// Every callback sees all that ended leave before anything that began enters, both in the canonical order.
void CulletPairs::removeAndAdd( const cltPairChanges& changes, btDispatcher* dispatcher )
{
    removeEnded( changes.ended, changes.endedCount, dispatcher );
    removeOver( dispatcher );
    size_t freshCount = changes.beganCount;
    const cltPair* fresh = leaveOutOffered( changes.began, freshCount );
    addBegan( m_core.orderByUid( fresh, freshCount ), freshCount );
}

/// Calls `visit( pairs, count )` for the proxies of so many pairs at a time.
template <typename Visit>
void CulletPairs::forBlocks( const cltPair* pairs, size_t count, Visit visit ) const
{
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
    forBlocks( m_core.orderByUid( pairs, count ), count,
               [&]( CulletProxyPair* block, int size )
               { remove( block, m_step.m_filtersMixed ? keepAllowed( block, size ) : size, dispatcher ); } );
}

/// Of pairs that ended for the core, those whose boxes still overlap ended by a filter alone, and stay in the cache if
/// they are there. Moves the others to the front and returns how many there are.
int CulletPairs::keepAllowed( CulletProxyPair* pairs, int count )
{
    int ended = 0;
    for ( int i = 0; i < count; ++i )
    {
        if ( overlaps( pairs[i] ) && isCached( pairs[i] ) )
        {
            m_exceptional.keep( pairs[i] );
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
    m_exceptional.settle( pairs, count );
    if ( m_own )
    {
        m_own->removePairs( pairs, count, dispatcher );
        return;
    }
    for ( int i = 0; i < count; ++i )
    {
        if ( pairs[i].isAlive() )
        {
            m_given.removePair( pairs[i], dispatcher );
        }
    }
}

void CulletPairs::performDeferredRemoval( btDispatcher* dispatcher )
{
    if ( m_given.isDeferring() )
    {
        const Change change( *this );
        m_given.dropSeparated( dispatcher );
    }
}

// --------------------------------------------------------------------------------------------------------------- began

/// The pairs that nobody has offered yet, in the order of the core.
/// \return `pairs` itself, or an array that lives until the next call
const cltPair* CulletPairs::leaveOutOffered( const cltPair* pairs, size_t& count )
{
    btAlignedObjectArray<cltPair>& offered = m_exceptional.getOffered();
    if ( offered.size() == 0 || count == 0 )
    {
        return pairs;
    }
    std::sort( &offered[0], &offered[0] + offered.size(), comesBefore );
    m_fresh.resize( 0 );
    m_fresh.reserve( int( count ) );
    size_t next = 0;
    for ( int i = 0; i < offered.size(); ++i )
    {
        const size_t at = size_t( std::lower_bound( pairs + next, pairs + count, offered[i], comesBefore ) - pairs );
        appendPairs( m_fresh, pairs + next, at - next );
        next = at + ( at < count && !comesBefore( offered[i], pairs[at] ) ? 1u : 0u );
    }
    appendPairs( m_fresh, pairs + next, count - next );
    count = size_t( m_fresh.size() );
    return count > 0 ? &m_fresh[0] : pairs;
}

void CulletPairs::forgetOffered()
{
    btAlignedObjectArray<cltPair>& offered = m_exceptional.getOffered();
    if ( offered.size() > MANY_OFFERED )
    {
        offered.clear(); // a world was filled, which does not come again soon: gives the memory back
    }
    offered.resize( 0 );
}

/// \param pairs  ascending by uids
void CulletPairs::addBegan( const cltPair* pairs, size_t count )
{
    if ( m_own && count > 0 )
    {
        const size_t pairCount = size_t( m_own->getPairs().getCount() ) + count;
        m_own->getPairs().reserve( int( btMin( pairCount, size_t( INT32_MAX ) ) ) );
    }
    forBlocks( pairs, count, [&]( const CulletProxyPair* block, int size ) { addBlock( block, size ); } );
}

/// Whoever is called about one may destroy the proxies of another.
void CulletPairs::addBlock( const CulletProxyPair* pairs, int count )
{
    for ( int i = 0; i < count && !m_own; ++i )
    {
        if ( pairs[i].isAlive() )
        {
            offer( pairs[i] );
        }
    }
    if ( m_own )
    {
        m_rejected.resize( 0 );
        m_own->addPairs( pairs, count, m_rejected );
        for ( int i = 0; i < m_rejected.size(); ++i )
        {
            turnDown( m_rejected[i] );
        }
    }
}

// ---------------------------------------------------------------------------------- what the changes alone do not tell

void CulletPairs::listDue()
{
    m_step.m_due.resize( 0 );
    m_exceptional.takeDue( m_step.m_due );
    listOffered();
    if ( m_step.m_due.size() > 1 )
    {
        std::sort( &m_step.m_due[0], &m_step.m_due[0] + m_step.m_due.size() );
    }
}

/// Of the pairs that were offered, those that are over already, or that the core will not tell of.
void CulletPairs::listOffered()
{
    const btAlignedObjectArray<cltPair>& offered = m_exceptional.getOffered();
    const CulletProxyPool& proxies = m_core.getProxies();
    for ( int i = 0; i < offered.size(); ++i )
    {
        if ( proxies.getUid( offered[i].proxyA ) != 0 && proxies.getUid( offered[i].proxyB ) != 0 )
        {
            const CulletProxyPair pair =
                culletPairOf( proxies.get( offered[i].proxyA ), proxies.get( offered[i].proxyB ) );
            if ( !overlaps( pair ) || !m_core.holds( pair ) )
            {
                m_step.m_due.push_back( CulletPairNote( pair ) );
            }
        }
    }
}

/// Of what is due, what is over leaves the cache and the list; what is named twice stays once.
void CulletPairs::removeOver( btDispatcher* dispatcher )
{
    btAlignedObjectArray<CulletPairNote>& due = m_step.m_due;
    int left = 0;
    for ( int i = 0; i < due.size(); ++i )
    {
        const CulletPairNote note = due[i];
        if ( !note.isAlive() || ( left > 0 && due[left - 1].key() == note.key() ) )
        {
            continue;
        }
        if ( overlaps( note.m_pair ) )
        {
            due[left++] = note;
        }
        else if ( isCached( note.m_pair ) )
        {
            remove( &note.m_pair, 1, dispatcher );
        }
        else
        {
            m_exceptional.settle( &note.m_pair, 1 );
        }
    }
    due.resize( left );
}

void CulletPairs::settleDue()
{
    for ( int i = 0; i < m_step.m_due.size(); ++i )
    {
        if ( m_step.m_due[i].isAlive() )
        {
            settle( m_step.m_due[i].m_pair );
        }
    }
}

void CulletPairs::settle( const CulletProxyPair& pair )
{
    const bool isHeld = m_core.holds( pair );
    const bool isThere = isCached( pair );
    if ( isThere && !isHeld )
    {
        m_exceptional.keep( pair );
    }
    else if ( isThere || !isHeld || ( !wasAsked( pair ) && offer( pair ) ) )
    {
        m_exceptional.settle( &pair, 1 );
    }
}

/// Asks about what was turned down. No filter is asked twice in a step for the same answer, no pair is forgotten, and a
/// second update in a row changes nothing: so one that was asked about in this step, and then set, waits for the next
/// step in which anything is set.
void CulletPairs::askAgain()
{
    btAlignedObjectArray<int> places;
    btAlignedObjectArray<CulletPairNote> settled;
    btAlignedObjectArray<CulletPairNote> letIn;
    m_exceptional.takeTurnedDown( places );
    for ( int i = 0; i < places.size(); ++i )
    {
        const CulletProxyPair pair = m_exceptional.getPair( places[i] );
        const bool isHeld = overlaps( pair ) && m_core.holds( pair ); // else it is over before the core heard of it
        if ( isHeld && !m_core.isFiltering() && m_exceptional.getMoment( places[i] ) == m_moment )
        {
            m_exceptional.noteSetting( static_cast<CulletProxy*>( pair.m_pProxy0 ), m_core.getProxies().getCount() );
        }
        else if ( isHeld && !letsIn( pair ) )
        {
            m_exceptional.setMoment( places[i], m_moment );
        }
        else
        {
            ( isHeld ? letIn : settled ).push_back( CulletPairNote( pair ) );
        }
    }
    for ( int i = 0; i < settled.size(); ++i )
    {
        m_exceptional.settle( &settled[i].m_pair, 1 );
    }
    takeIn( letIn );
}

/// A given cache takes the pair at once, for it would ask its filter a second time; our own gets all that are let in
/// later, in order.
bool CulletPairs::letsIn( const CulletProxyPair& pair )
{
    return m_own ? m_own->needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 ) : m_given.addPair( pair );
}

void CulletPairs::takeIn( btAlignedObjectArray<CulletPairNote>& letIn )
{
    if ( letIn.size() > 1 )
    {
        std::sort( &letIn[0], &letIn[0] + letIn.size() );
    }
    for ( int i = 0; i < letIn.size(); ++i )
    {
        m_exceptional.settle( &letIn[i].m_pair, 1 );
    }
    for ( int i = 0; i < letIn.size() && m_own; ++i )
    {
        if ( letIn[i].isAlive() ) // the ghost callback of another may have destroyed a proxy
        {
            m_own->insertPair( letIn[i].m_pair );
        }
    }
}

/// Somebody changed a given cache: holds all of it against all pairs of the core.
void CulletPairs::repair( btDispatcher* dispatcher )
{
    m_step.m_due.resize( 0 );
    m_given.listSeparated( m_step.m_due );
    for ( int i = 0; i < m_step.m_due.size(); ++i )
    {
        if ( m_step.m_due[i].isAlive() )
        {
            m_given.removePair( m_step.m_due[i].m_pair, dispatcher );
        }
    }
    const cltPair* pairs;
    size_t count;
    if ( m_core.listPairs( &pairs, &count ) != clt_ok )
    {
        return; // it counts as edited until another update has the memory
    }
    forBlocks( m_core.orderByUid( pairs, count ), count,
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
    m_given.setEdited( false );
    m_given.remember();
}
