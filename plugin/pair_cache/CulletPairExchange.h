// SPDX-License-Identifier: Zlib
/// \file CulletPairExchange.h
/// Writes pairs that began into the places of pairs that ended. If all bodies move, about as many pairs begin in a step
/// as end. The usual removal moves the last pair of the array into the vacant place, and a new pair is then appended.
/// An exchange writes the new pair into the vacant place and moves no other pair, so it touches half the memory.
///
/// Only for a cache without ghost and filter callbacks, because these observe single additions and removals.
///
/// Among millions of pairs, waiting for memory takes most of the time. So a group of pairs passes three stages, each
/// of which prefetches what the next one reads:
///
///     group    stage     reads                  prefetches
///     i + 2    hash      the proxies' slots     index entries, heads of lists
///     i + 1    find      index entries          pairs that end, their neighbours in the lists
///     i        replace   pairs
#ifndef CULLET_PAIR_EXCHANGE_H
#define CULLET_PAIR_EXCHANGE_H

#include "CulletPairArray.h"

class CulletPairExchange
{
public:
    /// \param pairs  the array of `cache`
    CulletPairExchange( CulletPairArray& pairs, btOverlappingPairCache& cache ) : m_pairs( pairs ), m_cache( cache )
    {
    }

    /// Removes and cleans the pairs that ended, and adds those that began. Pairs that are absent or present already
    /// are skipped. Between two pairs the cache is whole, so the dispatcher may call any function of it.
    /// \param ended, began  no pair is in both; `pairAt( i )` is the pair with a given index
    /// \param areAllAlive   returns false if the dispatcher has destroyed a proxy
    /// \return false if the dispatcher changed the cache or destroyed a proxy: then an unknown part is done
    template <typename Changes, typename AreAllAlive>
    bool replace( const Changes& ended, const Changes& began, btDispatcher* dispatcher, AreAllAlive areAllAlive )
    {
        const size_t endedCount = ended.getCount();
        const size_t beganCount = began.getCount();
        m_pairs.reserveFor( beganCount > endedCount ? beganCount - endedCount : 0, 0 );
        const size_t count = btMax( endedCount, beganCount );
        Stage gone[STAGE_COUNT];
        Stage fresh[STAGE_COUNT];
        for ( size_t group = 0; group * CulletPairArray::GROUP_SIZE < count + 2 * CulletPairArray::GROUP_SIZE; ++group )
        {
            hash( gone[group % STAGE_COUNT], group, ended );
            hash( fresh[group % STAGE_COUNT], group, began );
            if ( group >= 1 )
            {
                Stage& found = gone[( group - 1 ) % STAGE_COUNT];
                const Stage& added = fresh[( group - 1 ) % STAGE_COUNT];
                m_pairs.prefetchFound( found.m_hashes, found.m_count, found.m_likely );
                m_pairs.prefetchLists( added.m_pairs, added.m_count );
            }
            if ( group >= 2 && !replaceGroup( gone[( group - 2 ) % STAGE_COUNT], fresh[( group - 2 ) % STAGE_COUNT],
                                              dispatcher, areAllAlive ) )
            {
                return false;
            }
        }
        return true;
    }

private:
    static const size_t STAGE_COUNT = 3;

    /// A group of pairs on its way through the stages.
    struct Stage
    {
        int m_count;
        CulletProxyPair m_pairs[CulletPairArray::GROUP_SIZE];
        uint32_t m_hashes[CulletPairArray::GROUP_SIZE];
        int m_likely[CulletPairArray::GROUP_SIZE];
    };

    template <typename Changes>
    void hash( Stage& stage, size_t group, const Changes& changes ) const
    {
        const size_t first = btMin( group * CulletPairArray::GROUP_SIZE, changes.getCount() );
        stage.m_count = int( btMin( changes.getCount() - first, size_t( CulletPairArray::GROUP_SIZE ) ) );
        for ( int i = 0; i < stage.m_count; ++i )
        {
            stage.m_pairs[i] = changes.pairAt( first + i );
        }
        m_pairs.hashGroup( stage.m_pairs, stage.m_count, stage.m_hashes );
    }

    template <typename AreAllAlive>
    bool replaceGroup( const Stage& ended, const Stage& began, btDispatcher* dispatcher, AreAllAlive areAllAlive )
    {
        for ( int i = 0; i < btMax( ended.m_count, began.m_count ); ++i )
        {
            int place = CulletPairArray::NONE;
            if ( i < ended.m_count )
            {
                place = m_pairs.find( ended.m_pairs[i], ended.m_hashes[i], ended.m_likely[i] );
            }
            if ( place == CulletPairArray::NONE )
            {
                if ( i < began.m_count )
                {
                    m_pairs.reserve( m_pairs.getCount() + 1 );
                    m_pairs.putIfAbsent( m_pairs.getCount(), began.m_pairs[i], began.m_hashes[i] );
                }
                continue;
            }
            if ( m_pairs.at( place ).m_algorithm )
            {
                const uint32_t version = m_pairs.getVersion();
                m_cache.cleanOverlappingPair( m_pairs.at( place ), dispatcher );
                if ( version != m_pairs.getVersion() || !areAllAlive() )
                {
                    return false;
                }
            }
            m_pairs.leave( place, ended.m_hashes[i] );
            if ( i >= began.m_count || !m_pairs.putIfAbsent( place, began.m_pairs[i], began.m_hashes[i] ) )
            {
                m_pairs.close( place );
            }
        }
        return true;
    }

    CulletPairArray& m_pairs;
    btOverlappingPairCache& m_cache;
};

#endif
