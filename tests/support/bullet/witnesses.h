// SPDX-License-Identifier: Zlib
/// \file witnesses.h
/// Stand-ins for Bullet's other parts that remember what was done to them: ghost callbacks, collision algorithms and
/// query callbacks.
#ifndef CULLET_TESTS_WITNESSES_H
#define CULLET_TESTS_WITNESSES_H

#include "bodies.h"

#include "BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace test
{

/// Installed as ghost callback of a cache: follows the pair set by what it is told, and notes every contradiction.
class GhostWitness : public btOverlappingPairCallback
{
public:
    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        ++addCount;
        EXPECT_TRUE( pairs.insert( idsOf( proxy0, proxy1 ) ).second ) << "added twice";
        return nullptr;
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, btDispatcher* ) override
    {
        ++removeCount;
        EXPECT_EQ( 1u, pairs.erase( idsOf( proxy0, proxy1 ) ) ) << "removed what was not there";
        return nullptr;
    }

    void removeOverlappingPairsContainingProxy( btBroadphaseProxy*, btDispatcher* ) override
    {
        ADD_FAILURE() << "Bullet's caches never call this on a ghost callback";
    }

    std::set<IdPair> pairs;
    int addCount = 0;
    int removeCount = 0;

private:
    static IdPair idsOf( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
    {
        return test::idsOf( btBroadphasePair( *proxy0, *proxy1 ) );
    }
};

/// Stands in a pair for what the narrowphase would keep there.
class FakeAlgorithm : public btCollisionAlgorithm
{
public:
    explicit FakeAlgorithm( int& destroyed ) : m_destroyed( destroyed )
    {
    }

    ~FakeAlgorithm() override
    {
        ++m_destroyed;
    }

    void processCollision( const btCollisionObjectWrapper*, const btCollisionObjectWrapper*, const btDispatcherInfo&,
                           btManifoldResult* ) override
    {
    }

    btScalar calculateTimeOfImpact( btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                    btManifoldResult* ) override
    {
        return 1;
    }

    void getAllContactManifolds( btManifoldArray& ) override
    {
    }

private:
    int& m_destroyed;
};

/// Gives pairs their fake algorithms and counts what comes back.
class DispatcherWitness : public btCollisionDispatcher
{
public:
    DispatcherWitness() : btCollisionDispatcher( &configuration() )
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

/// Collects what a query reports.
template <typename Callback>
class Collect : public Callback
{
public:
    bool process( const btBroadphaseProxy* proxy ) override
    {
        proxies.push_back( proxy );
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
