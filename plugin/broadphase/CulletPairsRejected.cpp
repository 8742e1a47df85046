// SPDX-License-Identifier: Zlib
/// \file CulletPairsRejected.cpp
/// CulletPairs and what the cache did not let in: remembered as long as the core holds it, and offered again when the
/// answer may be another.

#include "CulletPairs.h"

/// Remembers a pair that the core holds and the cache did not take. With the core filtering there are none, but for
/// those whose masks were edited since their proxies were set. A cache with deferred removal may have taken the pair
/// and say nothing.
void CulletPairs::reject( const CulletProxyPair& pair )
{
    if ( pair.isAlive() && m_core.holds( pair ) && !m_given.isDeferring() )
    {
        m_rejected.add( pair, m_moment );
    }
}

/// True if the cache was asked in this step, by all that is known under the same circumstances, and said no. Masks may
/// be compared as often as one likes.
bool CulletPairs::wasAsked( const CulletProxyPair& pair ) const
{
    return !m_core.isFiltering() && m_rejected.wasAsked( pair, m_moment );
}

void CulletPairs::retry( CulletProxy* proxy )
{
    m_rejected.retry( proxy, m_core.getProxies().getCount() );
}

/// Asks about what was rejected. No filter is asked twice in a step for the same answer, no pair is forgotten, and a
/// second update in a row changes nothing: so one that was asked about in this step, and then moved, waits for the next
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
        m_rejected.takeRetried( places );
        for ( int i = 0; i < places.size() && m_rejected.getVersion() == version; ++i )
        {
            askAgainAt( places[i], settled, letIn );
        }
        if ( m_rejected.getVersion() != version ) // a filter that destroys a proxy moves the places of others
        {
            m_rejected.retryAll( true );
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
        m_rejected.retry( pair );
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
