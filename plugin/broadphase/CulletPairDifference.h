// SPDX-License-Identifier: Zlib
/// \file CulletPairDifference.h
/// The pairs in which a given cache differs from the core, by comparing all of them. For updates after edits that the
/// cache did not report.
#ifndef CULLET_PAIR_DIFFERENCE_H
#define CULLET_PAIR_DIFFERENCE_H

#include "CulletCore.h"
#include "pair_cache/CulletPairStore.h"

struct CulletPairDifference
{
    // All ascending by uids.
    CulletPairNotes m_present; ///< pairs of the cache
    CulletPairNotes m_absent;  ///< pairs of the core that the cache lacks; its filter may have rejected them
    CulletPairNotes m_unheld;  ///< pairs of the cache that are none of the core's

    /// Must be called between the core's update and the first callback. \return false, and lists nothing, if there is
    /// no memory
    bool list( CulletCore& core, const CulletPairStore& store )
    {
        cltPairChanges all = {};
        if ( core.listPairs( &all.began, &all.beganCount ) != clt_ok )
        {
            return false;
        }
        CulletPairNotes held;
        held.reserve( int( all.beganCount ) );
        const auto noteAll = [&]( const CulletProxyPair* block, int size )
        {
            for ( int i = 0; i < size; ++i )
            {
                held.push_back( culletNoteOf( block[i] ) );
            }
        };
        core.forBlocks( core.orderByUid( all ).began, all.beganCount, noteAll );
        store.listPairs( m_present );
        culletAppendDifference( held, m_present, m_absent );
        culletAppendDifference( m_present, held, m_unheld );
        return true;
    }
};

#endif
