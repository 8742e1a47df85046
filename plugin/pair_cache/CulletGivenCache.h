// SPDX-License-Identifier: Zlib
/// \file CulletGivenCache.h
/// A pair cache of the application, used pair by pair through Bullet's interface. It may be of any class; a class that
/// overrides needsBroadphaseCollision has a filter of its own. Such a cache does not report edits, and some leave it to
/// the broadphase to remove pairs that ended (deferred removal).
///
/// Edits are noticed by the number of pairs, the first pair and the last pair. If the program adds one pair, then
/// removes another that is neither, nothing is noticed.
///
/// Bullet's caches keep an index into their array while they clean a pair, and callbacks may change the array
/// meanwhile. So a pair is cleaned first, and removed afterwards.
#ifndef CULLET_GIVEN_CACHE_H
#define CULLET_GIVEN_CACHE_H

#include "CulletPairStore.h"
#include <string.h>

class CulletGivenCache : public CulletPairStore
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    explicit CulletGivenCache( btOverlappingPairCache& cache )
        : m_cache( cache ), m_hasBulletsFilter( hasBulletsFilter( cache ) ),
          m_takesNone( culletIs<btNullPairCache>( &cache ) ), m_isEdited( false ), m_count( 0 )
    {
        m_isDeferring = cache.hasDeferredRemoval();
    }

    btOverlappingPairCache* getCache() final
    {
        return &m_cache;
    }

    /// Always NULL before Bullet 3.05: the caches of these versions have no function that returns their callback.
    const btOverlapFilterCallback* getFilterCallback() final
    {
#if BT_BULLET_VERSION >= 305
        return m_cache.getOverlapFilterCallback();
#else
        return 0;
#endif
    }

    bool isFilteredByMasks() final
    {
        return m_hasBulletsFilter && !getFilterCallback();
    }

    bool isObserved() final
    {
        return true;
    }

    bool hasPair( const CulletProxyPair& pair ) const final
    {
        return m_cache.findPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
    }

    void leaveOutPresent( CulletPairNotes& notes ) const final
    {
        culletRemoveIf( notes, [this]( const CulletPairNote& note ) { return hasPair( note.m_pair ); } );
    }

    /// \return true also for btNullPairCache, which rejects no pair
    bool addPair( const CulletProxyPair& pair ) final
    {
        noticeEdits();
        const bool isTaken = m_cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
        remember();
        return isTaken || m_takesNone;
    }

    void addPairs( const CulletProxyPair* pairs, int count, btAlignedObjectArray<CulletProxyPair>& rejected ) final
    {
        for ( int i = 0; i < count; ++i )
        {
            if ( pairs[i].isAlive() && !addPair( pairs[i] ) )
            {
                rejected.push_back( pairs[i] );
            }
        }
    }

    /// Asks the cache to remove only pairs that are alive and present. Callbacks about contacts that end may change the
    /// cache.
    void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher ) final
    {
        for ( int i = 0; i < count; ++i )
        {
            if ( pairs[i].isAlive() )
            {
                removePair( pairs[i], dispatcher );
            }
        }
    }

    void removeTogether( const CulletPairNotes& pairs, btDispatcher* dispatcher ) final
    {
        const CulletPairNote* const first = pairs.size() > 0 ? &pairs[0] : 0;
        const auto isListed = [&]( const btBroadphasePair& pair )
        { return std::binary_search( first, first + pairs.size(), noteOf( pair ) ); };
        cleanIf( isListed, dispatcher );
        noticeEdits();
        culletRemoveIf( m_cache.getOverlappingPairArray(), isListed );
        remember();
    }

    void removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) final
    {
        const auto isOfProxy = [proxy]( const btBroadphasePair& pair )
        { return pair.m_pProxy0 == proxy || pair.m_pProxy1 == proxy; };
        cleanIf( isOfProxy, dispatcher );
        noticeEdits();
        m_cache.removeOverlappingPairsContainingProxy( proxy, dispatcher );
        remember();
    }

    /// The application may have added the pair itself; if there was no memory to compare all pairs, that is not known.
    bool askAgain( const CulletProxyPair& pair ) final
    {
        return ( isEdited() && hasPair( pair ) ) || addPair( pair );
    }

    int selectAbsent( CulletProxyPair* pairs, int count ) const final
    {
        return int(
            std::remove_if( pairs, pairs + count, [this]( const CulletProxyPair& pair ) { return hasPair( pair ); } ) -
            pairs );
    }

    bool isEdited() final
    {
        noticeEdits();
        return m_isEdited;
    }

    void countAsEdited() final
    {
        m_isEdited = !m_takesNone;
    }

    void acceptEdits() final
    {
        m_isEdited = false;
        remember();
    }

    void listPairs( CulletPairNotes& notes ) const final
    {
        const btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
        notes.reserve( notes.size() + pairs.size() );
        for ( int i = 0; i < pairs.size(); ++i )
        {
            notes.push_back( noteOf( pairs[i] ) );
        }
        culletSort( notes );
    }

private:
#if BT_BULLET_VERSION >= 305

    /// Identifies the filter of a cache: the address of its needsBroadphaseCollision. A pointer to a virtual member
    /// function holds the function's offset in the virtual table, on some processors plus one (Itanium C++ ABI, section
    /// 2.3). With compilers that do not follow that ABI: the address of the virtual table.
    static const void* filterOf( const btOverlappingPairCache& cache )
    {
        const char* table;
        memcpy( &table, static_cast<const void*>( &cache ), sizeof( table ) );
#if defined( __GXX_ABI_VERSION )
        bool ( btOverlappingPairCache::*const member )( btBroadphaseProxy*, btBroadphaseProxy* ) const =
            &btOverlappingPairCache::needsBroadphaseCollision;
        size_t place;
        memcpy( &place, &member, sizeof( place ) );
        memcpy( &table, table + ( place & ~size_t( 1 ) ), sizeof( table ) );
#endif
        return table;
    }

    /// True if the cache's filter is that of Bullet's class `Cache`. A program may contain that function twice: in
    /// Bullet's library, and in a file with a class that derives from Bullet's.
    template <typename Cache>
    static bool hasFilterOf( const btOverlappingPairCache& cache )
    {
        struct Derived : public Cache
        {
        };
        static const void* const known[] = { filterOf( Cache() ), filterOf( Derived() ) };
        return filterOf( cache ) == known[0] || filterOf( cache ) == known[1];
    }

    static bool hasBulletsFilter( const btOverlappingPairCache& cache )
    {
        return hasFilterOf<btHashedOverlappingPairCache>( cache ) || hasFilterOf<btSortedOverlappingPairCache>( cache );
    }

#else

    /// False: in these versions a cache's callback cannot be read, so there may be one.
    static bool hasBulletsFilter( const btOverlappingPairCache& )
    {
        return false;
    }

#endif

    /// Afterwards the pair may have another place, or be gone.
    void clean( btBroadphasePair& pair, btDispatcher& dispatcher )
    {
        btBroadphasePair ended( pair );
        pair.m_algorithm = 0;
        m_cache.cleanOverlappingPair( ended, &dispatcher );
    }

    /// Destroys the algorithms of the pairs for which `isWanted( pair )` holds, if there is a dispatcher. Callbacks may
    /// add and remove pairs, which then change places, so it looks until none is left.
    template <typename IsWanted>
    void cleanIf( IsWanted isWanted, btDispatcher* dispatcher )
    {
        btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
        for ( bool isAnyLeft = dispatcher != 0; isAnyLeft; )
        {
            isAnyLeft = false;
            for ( int i = 0; i < pairs.size(); ++i )
            {
                if ( pairs[i].m_algorithm && isWanted( pairs[i] ) )
                {
                    isAnyLeft = true;
                    clean( pairs[i], *dispatcher );
                }
            }
        }
    }

    static CulletPairNote noteOf( const btBroadphasePair& pair )
    {
        return culletNoteOf( culletPairOf( pair.m_pProxy0, pair.m_pProxy1 ) );
    }

    void removePair( const CulletProxyPair& pair, btDispatcher* dispatcher )
    {
        btBroadphasePair* found = m_cache.findPair( pair.m_pProxy0, pair.m_pProxy1 );
        if ( found && found->m_algorithm && dispatcher )
        {
            clean( *found, *dispatcher );
            found = pair.isAlive() ? m_cache.findPair( pair.m_pProxy0, pair.m_pProxy1 ) : 0;
        }
        if ( found )
        {
            noticeEdits();
            m_cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, dispatcher );
            remember();
        }
    }

    /// Sets m_isEdited if the pairs differ: a removal changes their number, a replacement changes the last pair.
    void noticeEdits()
    {
        const btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
        const int size = pairs.size();
        const bool isSame = size == m_count && ( size == 0 || ( pairs[0] == m_first && pairs[size - 1] == m_last ) );
        m_isEdited = m_isEdited || !isSame;
    }

    void remember()
    {
        const btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
        m_count = pairs.size();
        if ( m_count > 0 )
        {
            m_first = pairs[0];
            m_last = pairs[m_count - 1];
        }
    }

    btOverlappingPairCache& m_cache;
    bool m_hasBulletsFilter;
    bool m_takesNone; ///< it is a btNullPairCache
    bool m_isEdited;
    int m_count;              ///< of pairs after the broadphase last changed the cache
    btBroadphasePair m_first; ///< of these pairs
    btBroadphasePair m_last;  ///< of these pairs
};

#endif
