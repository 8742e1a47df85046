// SPDX-License-Identifier: Zlib
/// \file CulletPairsDue.cpp
/// CulletPairs in an update: what the core's changes alone do not tell, pair by pair; and all pairs, if somebody
/// changed a given cache.

#include "CulletPairs.h"

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
    m_core.forBlocks( pairs, count,
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
