// SPDX-License-Identifier: Zlib
/// \file pair_observer.h
/// The ghost callback and the dispatcher of the application. Derives the pair set from the calls that the cache makes.
#ifndef CLT_STRESS_PAIR_OBSERVER_H
#define CLT_STRESS_PAIR_OBSERVER_H

#include "run.h"

#include "demos/oracle/oracle.h"

#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletCollision/CollisionDispatch/btEmptyCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btGhostObject.h"

#include <new>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cullet::stress
{

/// As a ghost callback it stores pairs by uid, because pairs form before createProxy returns the proxy. It derives from
/// Bullet's own class, so that a broadphase treats client objects as collision objects.
///
/// As a dispatcher it gives every pair an algorithm of its own. A pair that is removed and added again has lost its
/// algorithm, in a real world its contacts. A pair that ends without destroying its algorithm makes the counts differ.
///
/// Nothing is thrown while Bullet is on the stack. The configuration is a base class, so that it is constructed before
/// the dispatcher.
class PairObserver : public btGhostPairCallback, private btDefaultCollisionConfiguration, public btCollisionDispatcher
{
public:
    PairObserver() : btCollisionDispatcher( static_cast<btDefaultCollisionConfiguration*>( this ) )
    {
    }

    /// Frees the algorithms of remaining pairs without destroying them, as Bullet's dispatchers do.
    ~PairObserver() override
    {
        for ( const auto& [algorithm, owner] : m_owners )
        {
            ::operator delete( const_cast<void*>( algorithm ) );
        }
    }

    /// Throws a Fault if the calls so far contradict each other.
    void requireNoContradiction() const
    {
        if ( !m_contradiction.empty() )
        {
            wrongPairSet( m_contradiction );
        }
    }

    // ------------------------------------------------------------------------------------------------- ghost callback

    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        const auto [a, b] = uidsOf( *proxy0, *proxy1 );
        note( m_partners.insert( { a, b } ).second, "was told twice of ", pairKey( a, b ) );
        m_partners.insert( { b, a } );
        return nullptr;
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, btDispatcher* ) override
    {
        const auto [a, b] = uidsOf( *proxy0, *proxy1 );
        note( m_partners.erase( { a, b } ) == 1, "was told of the end of what was no pair ", pairKey( a, b ) );
        m_partners.erase( { b, a } );
        return nullptr;
    }

    bool knowsPairOf( std::uint32_t uid ) const
    {
        const auto first = m_partners.lower_bound( { uid, 0 } );
        return first != m_partners.end() && first->first == uid;
    }

    PairSet pairs() const
    {
        PairSet pairs;
        for ( const auto& [a, b] : m_partners )
        {
            if ( a < b )
            {
                pairs.push_back( pairKey( a, b ) );
            }
        }
        return pairs;
    }

    /// The pairs added and removed since this was called before.
    std::vector<PairKey> takeChanges()
    {
        return std::exchange( m_changes, {} );
    }

    // ---------------------------------------------------------------------------------------------------- narrowphase

    /// Gives the pair an algorithm, as the narrowphase does for a new pair.
    void giveAlgorithm( const btBroadphasePair& pair, PairKey key )
    {
        void* memory = ::operator new( sizeof( btEmptyAlgorithm ) );
        pair.m_algorithm = new ( memory ) btEmptyAlgorithm( btCollisionAlgorithmConstructionInfo( this, 0 ) );
        m_owners[memory] = key;
    }

    /// False also for a destroyed algorithm, which is not read.
    bool isAlgorithmOf( const btCollisionAlgorithm* algorithm, PairKey key ) const
    {
        const auto found = m_owners.find( algorithm );
        return found != m_owners.end() && found->second == key;
    }

    std::size_t algorithmCount() const
    {
        return m_owners.size();
    }

    /// A pair cache calls this after the algorithm's destructor.
    void freeCollisionAlgorithm( void* memory ) override
    {
        if ( m_owners.erase( memory ) == 1 )
        {
            return ::operator delete( memory );
        }
        m_contradiction = "a pair freed an algorithm that was not its own";
    }

private:
    using Uids = std::pair<std::uint32_t, std::uint32_t>;

    static Uids uidsOf( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 )
    {
        return { std::uint32_t( proxy0.m_uniqueId ), std::uint32_t( proxy1.m_uniqueId ) };
    }

    void note( bool isRight, const char* claim, PairKey key )
    {
        m_changes.push_back( key );
        if ( !isRight )
        {
            m_contradiction = "the ghost callback " + ( claim + pairName( key ) );
        }
    }

    std::set<Uids> m_partners; ///< each pair in both orders
    std::vector<PairKey> m_changes;
    std::unordered_map<const void*, PairKey> m_owners; ///< of the living algorithms
    std::string m_contradiction;                       ///< the first one
};

} // namespace cullet::stress

#endif
