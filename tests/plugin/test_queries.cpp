// SPDX-License-Identifier: Zlib
// Box and ray queries against plain loops over the boxes: CT-31 to CT-37.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "LinearMath/btAabbUtil2.h"

#include <cmath>
#include <limits>
#include <thread>

using namespace test;

static Box noSweep()
{
    return { btVector3( 0, 0, 0 ), btVector3( 0, 0, 0 ) };
}

class Queries : public testing::Test
{
protected:
    Rig rig = makeRig( culletAuto );
    Bodies bodies{ *rig.broadphase, 31, 6 };

    Queries() : m_margin( gDbvtMargin )
    {
        gDbvtMargin = 0;
    }

    ~Queries() override
    {
        gDbvtMargin = m_margin;
    }

    std::vector<int> boxHits( const Box& box )
    {
        CollectBox hits;
        rig.broadphase->aabbTest( box.lower, box.upper, hits );
        return hits.ids();
    }

    std::vector<int> expectedBoxHits( const Box& box )
    {
        std::vector<int> ids;
        for ( size_t i = 0; i < bodies.size(); ++i )
        {
            if ( overlap( bodies.at( i ).box, box ) )
            {
                ids.push_back( bodies.at( i ).id );
            }
        }
        return ids;
    }

    std::vector<int> rayHits( const btVector3& from, const btVector3& to, const Box& sweep = noSweep() )
    {
        CollectRay hits;
        aim( hits, from, to );
        rig.broadphase->rayTest( from, to, hits, sweep.lower, sweep.upper );
        return hits.ids();
    }

    std::vector<int> expectedRayHits( const btVector3& from, const btVector3& to, const Box& sweep = noSweep() )
    {
        CollectRay ray;
        aim( ray, from, to );
        std::vector<int> ids;
        for ( size_t i = 0; i < bodies.size(); ++i )
        {
            const Box& box = bodies.at( i ).box;
            const btVector3 bounds[2] = { box.lower - sweep.upper, box.upper - sweep.lower };
            btScalar entry = 1;
            if ( btRayAabb2( from, ray.m_rayDirectionInverse, ray.m_signs, bounds, entry, 0, ray.m_lambda_max ) )
            {
                ids.push_back( bodies.at( i ).id );
            }
        }
        return ids;
    }

    btVector3 randomPoint()
    {
        Random& random = bodies.random();
        return btVector3( btScalar( random.between( -8, 8 ) ), btScalar( random.between( -8, 8 ) ),
                          btScalar( random.between( -8, 8 ) ) );
    }

private:
    btScalar m_margin;
};

TEST_F( Queries, CT31_BoxesSeeEveryChangeAtOnce )
{
    bodies.createRandom( 300 );
    size_t hitCount = 0;
    for ( int i = 0; i < 1000; ++i )
    {
        bodies.randomOperation();
        if ( i % 50 == 0 )
        {
            bodies.update();
        }
        const Box box = bodies.randomBox();
        ASSERT_EQ( expectedBoxHits( box ), boxHits( box ) );
        hitCount += expectedBoxHits( box ).size();
    }
    ASSERT_GT( hitCount, 1000u );
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    EXPECT_TRUE( boxHits( { btVector3( nan, -9, -9 ), btVector3( 9, 9, 9 ) } ).empty() );
}

TEST_F( Queries, CT31_TouchingIsAHitOneBitApartIsNot )
{
    bodies.create( cube( 0, 0, 0, 1 ) );
    for ( int axis = 0; axis < 3; ++axis )
    {
        Box above = cube( 0, 0, 0, 1 ), below = above;
        above.lower[axis] = 1;
        above.upper[axis] = 2;
        below.lower[axis] = -1;
        below.upper[axis] = 0;
        EXPECT_EQ( 1u, boxHits( above ).size() );
        EXPECT_EQ( 1u, boxHits( below ).size() );
        above.lower[axis] = std::nextafter( above.lower[axis], btScalar( 2 ) );
        below.upper[axis] = std::nextafter( below.upper[axis], btScalar( -1 ) );
        EXPECT_EQ( 0u, boxHits( above ).size() );
        EXPECT_EQ( 0u, boxHits( below ).size() );
    }
}

TEST_F( Queries, CT32_RaysEqualBulletsOwnTest )
{
    bodies.createRandom( 200 );
    size_t hitCount = 0;
    for ( int i = 0; i < 3000; ++i )
    {
        const btVector3 from = randomPoint();
        btVector3 to = randomPoint();
        for ( int axis = 0; axis < i % 3; ++axis ) // rays along a plane, and along an axis
        {
            to[( i + axis ) % 3] = from[( i + axis ) % 3];
        }
        Box sweep = noSweep();
        if ( i % 2 )
        {
            sweep = { btVector3( btScalar( -0.1 ), btScalar( -0.5 ), 0 ), btVector3( 1, btScalar( 0.2 ), 0 ) };
        }
        if ( i % 10 == 0 )
        {
            bodies.randomOperation();
        }
        ASSERT_EQ( expectedRayHits( from, to, sweep ), rayHits( from, to, sweep ) );
        hitCount += expectedRayHits( from, to, sweep ).size();
    }
    ASSERT_GT( hitCount, 3000u );
}

TEST_F( Queries, CT33_RaysAtTheEdge )
{
    bodies.create( cube( 0, 0, 0, 1 ) );
    const btScalar half = btScalar( 0.5 );
    EXPECT_EQ( 0u, rayHits( btVector3( -1, half, half ), btVector3( 0, half, half ) ).size() ) << "ends on a face";
    EXPECT_EQ( 1u, rayHits( btVector3( -1, half, half ), btVector3( half, half, half ) ).size() ) << "ends inside";
    EXPECT_EQ( 0u, rayHits( btVector3( 1, half, half ), btVector3( 2, half, half ) ).size() ) << "leaves from a face";
    EXPECT_EQ( 0u, rayHits( btVector3( -1, 1, half ), btVector3( 2, 1, half ) ).size() ) << "slides along a face";

    CollectRay still; // as convexSweepTest asks for a sweep that goes nowhere
    still.m_rayDirectionInverse.setValue( BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
    still.m_signs[0] = still.m_signs[1] = still.m_signs[2] = 0;
    still.m_lambda_max = 0;
    const btVector3 inside( half, half, half ), onFace( 0, half, half );
    rig.broadphase->rayTest( inside, inside, still );
    EXPECT_EQ( 1u, still.proxies.size() );
    rig.broadphase->rayTest( onFace, onFace, still );
    EXPECT_EQ( 1u, still.proxies.size() );

    CollectRay nowhere; // as btCollisionWorld::rayTest asks when from equals to
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    nowhere.m_rayDirectionInverse.setValue( nan, nan, nan );
    nowhere.m_signs[0] = nowhere.m_signs[1] = nowhere.m_signs[2] = 0;
    nowhere.m_lambda_max = nan;
    rig.broadphase->rayTest( inside, inside, nowhere );
    EXPECT_TRUE( nowhere.proxies.empty() );
}

/// Gives up at the first proxy, as far as its own view goes.
class Shortening : public CollectRay
{
public:
    bool process( const btBroadphaseProxy* proxy ) override
    {
        m_lambda_max = 0;
        return CollectRay::process( proxy );
    }
};

TEST_F( Queries, CT34_CallbacksCannotStopAQuery )
{
    bodies.createRandom( 300 );
    CollectBox refusing;
    refusing.answer = false;
    rig.broadphase->aabbTest( btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ), refusing );
    EXPECT_EQ( 300u, refusing.proxies.size() );

    const btVector3 from( -7, -7, -7 ), to( 7, 7, 7 );
    const std::vector<int> expected = expectedRayHits( from, to );
    ASSERT_GT( expected.size(), 3u );
    Shortening shortening;
    shortening.answer = false;
    aim( shortening, from, to );
    rig.broadphase->rayTest( from, to, shortening );
    EXPECT_EQ( expected, shortening.ids() );
}

TEST_F( Queries, CT35_ManyThreadsAgreeWithOne )
{
    bodies.createRandom( 200 );
    bodies.update();
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        bodies.move( bodies.at( i ), bodies.randomBox() ); // queries follow at once: nothing may be built lazily
    }
    std::vector<Box> boxes;
    std::vector<std::vector<int>> expected;
    for ( int i = 0; i < 200; ++i )
    {
        boxes.push_back( bodies.randomBox() );
        expected.push_back( expectedBoxHits( boxes.back() ) );
    }
    std::vector<std::thread> threads;
    std::vector<int> wrong( 8, 0 );
    for ( size_t t = 0; t < wrong.size(); ++t )
    {
        threads.emplace_back(
            [&, t]
            {
                for ( size_t i = 0; i < boxes.size(); ++i )
                {
                    wrong[t] += boxHits( boxes[i] ) != expected[i];
                    wrong[t] +=
                        rayHits( boxes[i].lower, boxes[i].upper ) != expectedRayHits( boxes[i].lower, boxes[i].upper );
                }
            } );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
    EXPECT_EQ( std::vector<int>( wrong.size(), 0 ), wrong );
}

/// Asks again, from inside, what it was asked.
class Nesting : public btBroadphaseAabbCallback
{
public:
    explicit Nesting( btBroadphaseInterface& broadphase ) : m_broadphase( broadphase )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        CollectBox inner;
        m_broadphase.aabbTest( proxy->m_aabbMin, proxy->m_aabbMax, inner );
        innerHits += inner.proxies.size();
        CollectRay ray;
        aim( ray, proxy->m_aabbMin - btVector3( 1, 1, 1 ), proxy->m_aabbMax );
        m_broadphase.rayTest( proxy->m_aabbMin - btVector3( 1, 1, 1 ), proxy->m_aabbMax, ray );
        rayHits += ray.proxies.size();
        return true;
    }

    size_t innerHits = 0;
    size_t rayHits = 0;

private:
    btBroadphaseInterface& m_broadphase;
};

TEST_F( Queries, CT36_QueriesInsideQueries )
{
    for ( int i = 0; i < 100; ++i )
    {
        bodies.create( bodies.randomBox() ); // with filters that let every pair in
    }
    Nesting nesting( *rig.broadphase );
    rig.broadphase->aabbTest( btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ), nesting );
    EXPECT_EQ( 100 + 2 * bodies.expectedPairs().size(), nesting.innerHits );
    EXPECT_GE( nesting.rayHits, 100u );
}

TEST_F( Queries, CT37_OwnPointersOnceEachAndUnfiltered )
{
    for ( int i = 0; i < 100; ++i )
    {
        bodies.create( bodies.randomBox(), 0, 0 ); // collides with nothing
    }
    CollectBox hits;
    rig.broadphase->aabbTest( btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ), hits );
    std::set<const btBroadphaseProxy*> given;
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        given.insert( bodies.at( i ).proxies[0] );
    }
    EXPECT_EQ( 100u, hits.proxies.size() );
    EXPECT_EQ( given, std::set<const btBroadphaseProxy*>( hits.proxies.begin(), hits.proxies.end() ) );
}
