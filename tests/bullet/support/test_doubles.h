// SPDX-License-Identifier: Zlib
/// \file test_doubles.h
/// Test doubles of Bullet's other parts: pair, filter and query callbacks, pair caches, dispatchers and collision
/// algorithms. They record calls, or run functions that a test gives.
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
#include <string>

namespace test
{

/// A ghost callback that calls the given functions.
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

/// Maintains the pair set from the calls that it gets. A call that contradicts the set is a test failure.
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
                  EXPECT_EQ( 1u, pairs.erase( calls.back() ) ) << "removed, but not in the set";
              } )
    {
    }

    GhostPairTracker( const GhostPairTracker& ) = delete;

    std::set<IdPair> pairs;
    std::vector<IdPair> calls; ///< the pair of each call, in order
    int addCount = 0;
    int removeCount = 0;
};

/// A filter callback that calls the given function.
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

/// An application's cache that counts the calls to it.
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
    int idleRemoveCalls = 0; ///< for pairs that the cache does not hold
};

/// The base of suites that run each test once with the broadphase's own cache, once with a given one.
class OwnAndGivenCache : public testing::TestWithParam<bool>
{
protected:
    static btOverlappingPairCache* cache()
    {
        return GetParam() ? new btHashedOverlappingPairCache : nullptr;
    }
};

inline std::string cacheName( const testing::TestParamInfo<bool>& info )
{
    return info.param ? "givenCache" : "ownCache";
}

/// pybullet's filter rule: one side that accepts the other is enough.
inline bool eitherSideAccepts( const btBroadphaseProxy& a, const btBroadphaseProxy& b )
{
    return ( a.m_collisionFilterGroup & b.m_collisionFilterMask ) != 0 ||
           ( b.m_collisionFilterGroup & a.m_collisionFilterMask ) != 0;
}

/// An application's cache with pybullet's filter rule.
class EitherSideCache : public CountingCache
{
public:
    bool needsBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        return eitherSideAccepts( *proxy0, *proxy1 );
    }
};

/// Visits all pairs of a cache, as Bullet does.
/// \param removes  ( pair ): whether the cache is to remove it
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

/// Takes the place of the algorithm that the narrowphase stores in a pair.
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

/// Gives fake algorithms to pairs, and counts those that are destroyed and freed.
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

/// Calls a function after the first algorithm is freed.
class EditingDispatcher : public CountingDispatcher
{
public:
    void freeCollisionAlgorithm( void* memory ) override
    {
        CountingDispatcher::freeCollisionAlgorithm( memory );
        if ( freed == 1 )
        {
            edit();
        }
    }

    std::function<void()> edit;
};

/// Collects the proxies that a query reports, and calls `onHit` for each.
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

    /// The ids of the reported bodies, ascending. A body reported twice is in the list twice.
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
    bool answer = true; ///< what process() returns
};

using CollectBox = Collect<btBroadphaseAabbCallback>;
using CollectRay = Collect<btBroadphaseRayCallback>;

/// Fills a ray callback as btCollisionWorld::rayTest does.
inline void aim( btBroadphaseRayCallback& callback, const btVector3& from, const btVector3& to,
                 btScalar inverseOf0 = BT_LARGE_FLOAT )
{
    const btVector3 direction = ( to - from ) / ( to - from ).length();
    for ( int axis = 0; axis < 3; ++axis )
    {
        callback.m_rayDirectionInverse[axis] = direction[axis] == 0 ? inverseOf0 : 1 / direction[axis];
        callback.m_signs[axis] = callback.m_rayDirectionInverse[axis] < 0;
    }
    callback.m_lambda_max = direction.dot( to - from );
}

} // namespace test

#endif
