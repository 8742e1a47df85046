// SPDX-License-Identifier: Zlib
/// \file CulletDuePairs.h
/// Normally a pair is either held by the core and present in the cache, or neither. If the core's changes do not ensure
/// this for a pair, the pair is due: the next update checks it. There are three kinds of due pairs. The cache has the
/// pair but the core does not hold it, because the filter would now reject it. The application itself added or removed
/// it. Or the pair was offered before the core reported it, and then ended.
///
/// CulletPairSearch lists due pairs between updates. In an update, those that are separated leave the cache with the
/// pairs that ended; the others are settled after all changes.
#ifndef CULLET_DUE_PAIRS_H
#define CULLET_DUE_PAIRS_H

#include "CulletBox.h"
#include "CulletPairSearch.h"

class CulletDuePairs
{
public:
    CulletDuePairs( CulletCore& core, CulletPairStore& store, CulletPairFilter& filter, CulletPairSearch& search )
        : m_core( core ), m_store( store ), m_filter( filter ), m_search( search )
    {
    }

    /// Takes the due pairs, each once. Those that do not overlap are listed separately. This is decided by the boxes of
    /// the update, before callbacks move them: if a box is moved back before the next update, the core reports nothing.
    void take()
    {
        m_search.takeDue( m_due );
        m_separated.resize( 0 );
        int left = 0;
        uint64_t previous = 0;
        for ( int i = 0; i < m_due.size(); ++i )
        {
            const CulletPairNote note = m_due[i];
            const bool isRepeated = i > 0 && note.m_uids == previous;
            previous = note.m_uids;
            if ( note.isAlive() && !isRepeated )
            {
                culletOverlap( note.m_pair ) ? void( m_due[left++] = note ) : m_separated.push_back( note );
            }
        }
        m_due.resize( left );
    }

    /// Removes the separated pairs from the cache.
    void removeSeparated( btDispatcher* dispatcher )
    {
        if ( m_store.isDeferring() )
        {
            m_store.removeTogether( m_separated, dispatcher );
            return;
        }
        for ( int i = 0; i < m_separated.size(); ++i )
        {
            if ( m_separated[i].isAlive() )
            {
                m_filter.remove( &m_separated[i].m_pair, 1, dispatcher );
            }
        }
    }

    /// Brings the cache into line with the core in the due pairs. Pairs that a callback may have changed in this update
    /// wait for the next one.
    void settle()
    {
        for ( int i = 0; i < m_due.size(); ++i )
        {
            const CulletPairNote note = m_due[i];
            if ( note.isAlive() && ( m_filter.isAnyEdited() || !culletOverlap( note.m_pair ) ) )
            {
                m_search.noteDue( note );
            }
            else if ( note.isAlive() )
            {
                settle( note );
            }
        }
    }

    /// Lists pairs that ended, for a cache with deferred removal. All of them ended by their boxes: after an edit of a
    /// filter, all pairs of such a cache are compared.
    void noteSeparated( const CulletProxyPair* pairs, int count )
    {
        m_filter.getRejected().remove( pairs, count );
        for ( int i = 0; i < count; ++i )
        {
            m_separated.push_back( culletNoteOf( pairs[i] ) );
        }
    }

    /// Pairs of the cache that the core does not hold: separated ones leave, the others are looked at again.
    void noteUnheld( const CulletPairNotes& unheld )
    {
        for ( int i = 0; i < unheld.size(); ++i )
        {
            if ( !culletOverlap( unheld[i].m_pair ) )
            {
                m_separated.push_back( unheld[i] );
            }
            else
            {
                m_store.isDeferring() ? m_store.countAsEdited() : m_search.noteDue( unheld[i] );
            }
        }
        culletSort( m_separated );
    }

private:
    void settle( const CulletPairNote& note )
    {
        const bool isPresent = m_store.hasPair( note.m_pair );
        const bool isHeld = m_core.holds( note.m_pair );
        if ( isPresent && !isHeld )
        {
            m_search.noteDue( note );
        }
        else if ( isHeld && !isPresent && !m_filter.getRejected().has( note.m_pair ) )
        {
            m_filter.offer( note.m_pair );
        }
        else if ( !isHeld )
        {
            m_filter.getRejected().remove( &note.m_pair, 1 );
        }
    }

    CulletCore& m_core;
    CulletPairStore& m_store;
    CulletPairFilter& m_filter;
    CulletPairSearch& m_search;
    CulletPairNotes m_due;       ///< overlapping, ascending by uids
    CulletPairNotes m_separated; ///< ascending by uids
};

#endif
