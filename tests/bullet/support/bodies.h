// SPDX-License-Identifier: Zlib
/// \file bodies.h
/// Bodies that call one or several broadphases in the same way, and the pairs that these must then hold. Uses only
/// btBroadphaseInterface, so that any broadphase can be tested.
#ifndef CULLET_TESTS_BODIES_H
#define CULLET_TESTS_BODIES_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"
#include "BulletCollision/CollisionDispatch/btCollisionObject.h"

#include "tests/support/random.h"

#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

namespace test
{

struct Box
{
    btVector3 lower;
    btVector3 upper;
};

inline Box cube( btScalar x, btScalar y, btScalar z, btScalar edge )
{
    return { btVector3( x, y, z ), btVector3( x + edge, y + edge, z + edge ) };
}

/// Closed intervals: touching counts. A box with a NaN overlaps nothing.
bool overlap( const Box& a, const Box& b );

/// A body with a proxy in each broadphase, and the client object of these proxies. It is a btCollisionObject, because
/// Bullet's ghost callbacks cast client objects to that class.
struct Body : btCollisionObject
{
    Body( int bodyId, const Box& firstBox, int bodyGroup, int bodyMask )
        : id( bodyId ), box( firstBox ), group( bodyGroup ), mask( bodyMask )
    {
    }

    int id; ///< 1, 2, 3 … in creation order
    Box box;
    int group;
    int mask;
    std::vector<btBroadphaseProxy*> proxies;
};

/// The body's box with another fourth component, which has no meaning in a btVector3.
inline Box withAnotherFourth( const Body& body )
{
    Box same = body.box;
    same.lower[3] = btScalar( body.id );
    return same;
}

/// Two body ids, the smaller first.
using IdPair = std::pair<int, int>;

/// A random point within [-halfWidth, halfWidth] on each axis.
btVector3 randomPoint( Random& random, double halfWidth );

/// The `spread` with which boxes of Bodies::randomBox form about two pairs per body.
double spreadFor( int bodyCount );

class Bodies
{
public:
    /// \param spread  boxes lie in [-spread, spread] on each axis
    Bodies( std::vector<btBroadphaseInterface*> broadphases, uint64_t seed, double spread,
            btDispatcher* dispatcher = nullptr );
    Bodies( btBroadphaseInterface& broadphase, uint64_t seed, double spread, btDispatcher* dispatcher = nullptr );

    Body& create( const Box& box, int group = 1, int mask = -1 );
    void move( Body& body, const Box& box );
    void destroy( size_t index );
    void destroyAll();
    void update();

    /// Creates `count` bodies with this box.
    void createAt( const Box& box, int count );

    /// Creates bodies with random boxes, and with groups and masks that accept all bodies.
    void createBoxes( int count );

    /// Creates bodies with random boxes, groups and masks.
    void createRandom( int count );

    /// Does one of: create, destroy, move a little, move anywhere, shrink, grow, set the same box, replace a body.
    void randomOperation();

    /// Runs this many random operations, without an update in between.
    void runRandomOperations( int operationCount );

    /// \param boxOf  ( body ): the new box
    template <typename Function>
    void moveAll( Function boxOf )
    {
        for ( const std::unique_ptr<Body>& body : m_bodies )
        {
            move( *body, boxOf( *body ) );
        }
    }

    void randomizeBoxes()
    {
        moveAll( [this]( const Body& ) { return randomBox(); } );
    }

    Body& at( size_t index )
    {
        return *m_bodies[index];
    }

    /// In creation order.
    const std::vector<std::unique_ptr<Body>>& all() const
    {
        return m_bodies;
    }

    size_t size() const
    {
        return m_bodies.size();
    }

    Random& random()
    {
        return m_random;
    }

    Box randomBox();
    void destroyRandom();

    /// All pairs of overlapping boxes with groups and masks that accept each other, ascending.
    std::vector<IdPair> expectedPairs() const;

private:
    std::vector<btBroadphaseInterface*> m_broadphases;
    std::vector<std::unique_ptr<Body>> m_bodies;
    btDispatcher* m_dispatcher;
    Random m_random;
    double m_spread;
    int m_lastId = 0;
};

IdPair idsOf( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 );

inline IdPair idsOf( const btBroadphasePair& pair )
{
    return idsOf( *pair.m_pProxy0, *pair.m_pProxy1 );
}

/// The pairs in a cache, ascending, with any duplicates.
std::vector<IdPair> pairsOf( const btOverlappingPairCache& cache );

/// The pairs in the order of the cache's array.
std::vector<IdPair> arrayOf( const btOverlappingPairCache& cache );

/// The bytes of the cache's array.
std::vector<char> bytesOf( const btOverlappingPairCache& cache );

/// Whether both are equal. The message names only the first differences, as there may be 100,000 pairs.
testing::AssertionResult samePairs( const std::vector<IdPair>& expected, const std::vector<IdPair>& actual );

} // namespace test

#endif
