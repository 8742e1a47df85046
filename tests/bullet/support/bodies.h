// SPDX-License-Identifier: Zlib
/// \file bodies.h
/// A population of boxes that leads one or several broadphases through the same life, and the brute-force oracle of
/// what their pairs must be. Knows nothing of cullet: everything goes through btBroadphaseInterface.
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

/// Closed boxes; a NaN overlaps nothing.
bool overlap( const Box& a, const Box& b );

/// The client object of its proxies, one in each broadphase. A collision object, since that is what ghost callbacks
/// take clients for.
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

/// Two body ids, the smaller first.
using IdPair = std::pair<int, int>;

/// Within [-reach, reach] on each axis.
btVector3 randomPoint( Random& random, double reach );

/// Room for about two pairs a body among the boxes of Bodies::randomBox.
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

    /// Random boxes that may pair with all, and random boxes of random groups and masks.
    void createBoxes( int count );
    void createRandom( int count );

    /// One of: create, destroy, jitter, teleport, shrink, grow, the same box again, destroy and create at once.
    void randomOperation();

    /// So many of them, with no update.
    void runRandomOperations( int operationCount );

    /// `boxOf` says where to, given a body.
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

    /// All pairs that overlap and whose groups and masks meet, ascending.
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

/// What a cache holds, ascending. A pair that is in it twice is here twice.
std::vector<IdPair> pairsOf( const btOverlappingPairCache& cache );

/// The same in the order of the array.
std::vector<IdPair> arrayOf( const btOverlappingPairCache& cache );

/// The array's bytes.
std::vector<char> bytesOf( const btOverlappingPairCache& cache );

/// Whether both are equal, and if not, the first differences. A container of 100,000 pairs would be no message.
testing::AssertionResult samePairs( const std::vector<IdPair>& expected, const std::vector<IdPair>& actual );

} // namespace test

#endif
