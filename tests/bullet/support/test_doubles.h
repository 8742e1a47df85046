// SPDX-License-Identifier: Zlib
/// \file test_doubles.h
/// Stand-ins for Bullet's other parts that remember what was done to them, or do what a test says: callbacks of pairs,
/// filters and queries, and collision algorithms.
#ifndef CULLET_TESTS_TEST_DOUBLES_H
#define CULLET_TESTS_TEST_DOUBLES_H

#include "bodies.h"

#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletCollision/CollisionDispatch/btEmptyCollisionAlgorithm.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <set>

namespace test
{

/// A ghost callback made of functions.
class GhostFunctions : public btOverlappingPairCallback
{
public:
    using Function = std::function<void( const btBroadphaseProxy&, const btBroadphaseProxy& )>;

    GhostFunctions( Function add, Function remove ) : m_add( std::move( add ) ), m_remove( std::move( remove ) )
    {
    }

    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        m_add( *proxy0, *proxy1 );
        return nullptr;
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, btDispatcher* ) override
    {
        m_remove( *proxy0, *proxy1 );
        return nullptr;
    }

    void removeOverlappingPairsContainingProxy( btBroadphaseProxy*, btDispatcher* ) override
    {
        ADD_FAILURE() << "Bullet's caches never call this on a ghost callback";
    }

private:
    const Function m_add;
    const Function m_remove;
};

/// Follows the pair set by what it is told, and notes every contradiction.
class GhostPairTracker : public GhostFunctions
{
public:
    GhostPairTracker()
        : GhostFunctions(
              [this]( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 )
              {
                  ++addCount;
                  calls.push_back( idsOf( proxy0, proxy1 ) );
                  EXPECT_TRUE( pairs.insert( calls.back() ).second ) << "added twice";
              },
              [this]( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 )
              {
                  ++removeCount;
                  calls.push_back( idsOf( proxy0, proxy1 ) );
                  EXPECT_EQ( 1u, pairs.erase( calls.back() ) ) << "removed what was not there";
              } )
    {
    }

    GhostPairTracker( const GhostPairTracker& ) = delete;

    std::set<IdPair> pairs;
    std::vector<IdPair> calls; ///< whom they were about
    int addCount = 0;
    int removeCount = 0;
};

/// A filter callback made of a function.
class Filter : public btOverlapFilterCallback
{
public:
    using Function = std::function<bool( btBroadphaseProxy&, btBroadphaseProxy& )>;

    explicit Filter( Function function ) : decide( std::move( function ) )
    {
    }

    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        return decide( *proxy0, *proxy1 );
    }

    Function decide;
};

/// An application's cache that watches what goes through it.
class CountingCache : public btHashedOverlappingPairCache
{
public:
    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        ++addCalls;
        return btHashedOverlappingPairCache::addOverlappingPair( proxy0, proxy1 );
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override
    {
        ++removeCalls;
        idleRemoveCalls += findPair( proxy0, proxy1 ) == nullptr;
        return btHashedOverlappingPairCache::removeOverlappingPair( proxy0, proxy1, dispatcher );
    }

    int addCalls = 0;
    int removeCalls = 0;
    int idleRemoveCalls = 0; ///< for pairs that are not in it
};

/// An application's cache with a rule of its own, pybullet's: one side is enough to let the other in.
class EitherSideCache : public CountingCache
{
public:
    bool needsBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        return ( proxy0->m_collisionFilterGroup & proxy1->m_collisionFilterMask ) != 0 ||
               ( proxy1->m_collisionFilterGroup & proxy0->m_collisionFilterMask ) != 0;
    }
};

/// Goes through a cache's pairs as Bullet does; `removes` says of each whether it is to be taken out.
inline void walkPairs( btOverlappingPairCache& cache, const std::function<bool( btBroadphasePair& )>& removes,
                       btDispatcher* dispatcher = nullptr )
{
    struct Walk : public btOverlapCallback
    {
        bool processOverlap( btBroadphasePair& pair ) override
        {
            return ( *removes )( pair );
        }

        const std::function<bool( btBroadphasePair& )>* removes;
    } walk;
    walk.removes = &removes;
    cache.processAllOverlappingPairs( &walk, dispatcher );
}

/// Stands in a pair for what the narrowphase would keep there.
class FakeAlgorithm : public btEmptyAlgorithm
{
public:
    explicit FakeAlgorithm( int& destroyed )
        : btEmptyAlgorithm( btCollisionAlgorithmConstructionInfo() ), m_destroyed( destroyed )
    {
    }

    ~FakeAlgorithm() override
    {
        ++m_destroyed;
    }

private:
    int& m_destroyed;
};

/// Gives pairs their fake algorithms and counts what comes back.
class CountingDispatcher : public btCollisionDispatcher
{
public:
    CountingDispatcher() : btCollisionDispatcher( &configuration() )
    {
    }

    btCollisionAlgorithm* giveAlgorithm( btBroadphasePair& pair )
    {
        pair.m_algorithm = new ( allocateCollisionAlgorithm( sizeof( FakeAlgorithm ) ) ) FakeAlgorithm( destroyed );
        return pair.m_algorithm;
    }

    void freeCollisionAlgorithm( void* memory ) override
    {
        ++freed;
        btCollisionDispatcher::freeCollisionAlgorithm( memory );
    }

    int destroyed = 0;
    int freed = 0;

private:
    static btDefaultCollisionConfiguration& configuration()
    {
        static btDefaultCollisionConfiguration theConfiguration;
        return theConfiguration;
    }
};

/// Collects what a query reports, and calls `onHit` for each.
template <typename Callback>
class Collect : public Callback
{
public:
    bool process( const btBroadphaseProxy* proxy ) override
    {
        proxies.push_back( proxy );
        if ( onHit )
        {
            onHit( *proxy );
        }
        return answer;
    }

    /// Ascending body ids. A body reported twice is here twice.
    std::vector<int> ids() const
    {
        std::vector<int> result;
        for ( const btBroadphaseProxy* proxy : proxies )
        {
            result.push_back( static_cast<const Body*>( proxy->m_clientObject )->id );
        }
        std::sort( result.begin(), result.end() );
        return result;
    }

    std::vector<const btBroadphaseProxy*> proxies;
    std::function<void( const btBroadphaseProxy& )> onHit;
    bool answer = true;
};

using CollectBox = Collect<btBroadphaseAabbCallback>;
using CollectRay = Collect<btBroadphaseRayCallback>;

/// Fills a ray callback as btCollisionWorld::rayTest does.
inline void aim( btBroadphaseRayCallback& callback, const btVector3& from, const btVector3& to )
{
    const btVector3 direction = ( to - from ) / ( to - from ).length();
    for ( int axis = 0; axis < 3; ++axis )
    {
        callback.m_rayDirectionInverse[axis] = direction[axis] == 0 ? btScalar( BT_LARGE_FLOAT ) : 1 / direction[axis];
        callback.m_signs[axis] = callback.m_rayDirectionInverse[axis] < 0;
    }
    callback.m_lambda_max = direction.dot( to - from );
}

} // namespace test

#endif
