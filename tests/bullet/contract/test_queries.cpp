// SPDX-License-Identifier: Zlib
// Box queries see the latest boxes: CT-31. Ray queries hit the same boxes as btRayAabb2, also in boundary cases: CT-32
// and CT-33. Callbacks may return false and run other queries, and get each proxy once: CT-34, CT-36 and CT-37. Rays
// and sweeps through a world find the closest hit of a loop over all bodies: CT-38.
#include "queries.h"
#include "tests/bullet/support/bullet_world.h"

#include <cmath>
#include <limits>

using namespace test;

static const Ray diagonal = { btVector3( -7, -7, -7 ), btVector3( 7, 7, 7 ) };

static bool includes( const std::vector<int>& set, const std::vector<int>& subset )
{
    return std::includes( set.begin(), set.end(), subset.begin(), subset.end() );
}

/// Without Bullet's margin, the hits are exact. Otherwise, boxes within the margin may be hit, too.
TEST_P( Contract, CT31_BoxQueriesSeeEveryChangeAtOnce )
{
    Arena arena( GetParam(), 32, 6 );
    arena.bodies.createRandom( 300 );
    for ( int i = 0; i < 1000; ++i )
    {
        arena.bodies.randomOperation();
        if ( i % 50 == 0 )
        {
            arena.bodies.update();
        }
        const Box box = arena.bodies.randomBox();
        const std::vector<int> expected = expectedBoxHits( arena.bodies, box ), near = boxHits( arena.broadphase, box );
        ASSERT_TRUE( includes( near, expected ) );
        ASSERT_TRUE( includes( expectedBoxHits( arena.bodies, box, gDbvtMargin * btScalar( 1.0001 ) ), near ) );
        const NoMargin exact;
        ASSERT_EQ( expected, boxHits( arena.broadphase, box ) ) << "change " << i;
    }
}

TEST_P( Contract, CT31_TouchingBoxIsHitAndBoxOneBitApartIsNot )
{
    const NoMargin exact;
    Arena arena( GetParam() );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    for ( int axis = 0; axis < 3; ++axis )
    {
        btVector3 along( 0, 0, 0 );
        along[axis] = 1;
        Box above = { along, along + btVector3( 1, 1, 1 ) }, below = { -along, btVector3( 1, 1, 1 ) - along };
        EXPECT_EQ( 1u, boxHits( arena.broadphase, above ).size() );
        EXPECT_EQ( 1u, boxHits( arena.broadphase, below ).size() );
        above.lower[axis] = std::nextafter( above.lower[axis], btScalar( 2 ) );
        below.upper[axis] = std::nextafter( below.upper[axis], btScalar( -1 ) );
        EXPECT_EQ( 0u, boxHits( arena.broadphase, above ).size() );
        EXPECT_EQ( 0u, boxHits( arena.broadphase, below ).size() );
    }
}

/// Soft body worlds use 1e30 as the inverse of 0, also in single precision.
TEST_P( Contract, CT32_HundredThousandRaysEqualBulletsTest )
{
    const NoMargin exact;
    Arena arena( GetParam(), 32, 6 );
    createCubes( arena.bodies, 100, 6 );
    Random& random = arena.bodies.random();
    size_t hitCount = 0;
    for ( int i = 0; i < 100000; ++i )
    {
        if ( i % 10 == 0 )
        {
            moveCube( arena.bodies, arena.bodies.at( random.below( 100 ) ), 6 );
        }
        if ( i % 1000 == 0 )
        {
            arena.bodies.update();
        }
        const Ray ray = randomRay( random, 8 );
        const std::vector<int> expected = expectedRayHits( arena.bodies, ray );
        const btScalar inverseOf0 = i % 2 ? btScalar( 1e30 ) : btScalar( BT_LARGE_FLOAT );
        ASSERT_EQ( expected, rayHits( arena.broadphase, ray, inverseOf0 ) ) << "ray " << i;
        hitCount += expected.size();
    }
    ASSERT_GT( hitCount, 50000u );
}

static const btScalar half = btScalar( 0.5 );

TEST_P( Contract, CT33_RaysAtBoxBoundariesEqualBulletsTest )
{
    const NoMargin exact;
    Arena arena( GetParam() );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    const struct
    {
        const char* what;
        btVector3 from, to;
        size_t hits;
    } cases[] = { { "ends on a face", btVector3( -1, half, half ), btVector3( 0, half, half ), 0 },
                  { "ends inside", btVector3( -1, half, half ), btVector3( half, half, half ), 1 },
                  { "starts inside", btVector3( half, half, half ), btVector3( half, 2, half ), 1 },
                  { "starts on the entry face", btVector3( 0, half, half ), btVector3( 2, half, half ), 1 },
                  { "starts on the exit face", btVector3( 1, half, half ), btVector3( 2, half, half ), 0 },
                  { "slides along a face", btVector3( -1, 1, half ), btVector3( 2, 1, half ), 0 },
                  { "ends before", btVector3( -2, half, half ), btVector3( -1, half, half ), 0 },
                  { "points away", btVector3( -1, half, half ), btVector3( -2, half, half ), 0 } };
    for ( const auto& one : cases )
    {
        EXPECT_EQ( one.hits, rayHits( arena.broadphase, { one.from, one.to } ).size() ) << one.what;
    }
    // Equal end points: convexSweepTest passes large inverses and hits boxes around them. rayTest passes NaN: no hits.
    const auto countHitsAt = [&]( const btVector3& at, btScalar inverse, btScalar length )
    {
        CollectRay ray;
        ray.m_rayDirectionInverse.setValue( inverse, inverse, inverse );
        ray.m_signs[0] = ray.m_signs[1] = ray.m_signs[2] = 0;
        ray.m_lambda_max = length;
        arena.broadphase.rayTest( at, at, ray );
        return ray.proxies.size();
    };
    const btVector3 inside( half, half, half );
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    EXPECT_EQ( 1u, countHitsAt( inside, BT_LARGE_FLOAT, 0 ) );
    EXPECT_EQ( 0u, countHitsAt( btVector3( 0, half, half ), BT_LARGE_FLOAT, 0 ) ) << "on a face";
    EXPECT_EQ( 0u, countHitsAt( btVector3( -1, half, half ), BT_LARGE_FLOAT, 0 ) ) << "outside";
    EXPECT_EQ( 0u, countHitsAt( inside, nan, nan ) );
}

/// The ray's callback also sets the length of the ray to 0.
TEST_P( Contract, CT34_QueriesContinueWhenTheCallbackReturnsFalse )
{
    Arena arena( GetParam(), 35, 6 );
    arena.bodies.createRandom( 300 );
    CollectBox box;
    box.answer = false;
    arena.broadphase.aabbTest( everywhere.lower, everywhere.upper, box );
    EXPECT_EQ( 300u, box.proxies.size() );

    const std::vector<int> expected = expectedRayHits( arena.bodies, diagonal );
    ASSERT_GT( expected.size(), 3u );
    CollectRay ray;
    aim( ray, diagonal.from, diagonal.to );
    ray.answer = false;
    ray.onHit = [&]( const btBroadphaseProxy& ) { ray.m_lambda_max = 0; };
    arena.broadphase.rayTest( diagonal.from, diagonal.to, ray );
    EXPECT_TRUE( includes( ray.ids(), expected ) );
}

/// Box and ray queries run in the callbacks of box queries and of ray queries. Bullet's contact tests are box queries.
TEST_P( Contract, CT36_QueriesMayRunInsideQueries )
{
    const NoMargin exact;
    Arena arena( GetParam(), 36, 6 );
    createCubes( arena.bodies, 200, 3 );
    const size_t rayHitCount = rayHits( arena.broadphase, diagonal ).size();
    ASSERT_GT( rayHitCount, 3u );
    size_t innerBoxHits = 0, innerRayHits = 0;
    const auto nest = [&]( const btBroadphaseProxy& proxy )
    {
        innerBoxHits += boxHits( arena.broadphase, { proxy.m_aabbMin, proxy.m_aabbMax } ).size();
        innerRayHits += rayHits( arena.broadphase, diagonal ).size();
    };
    CollectBox box;
    box.onHit = nest;
    arena.broadphase.aabbTest( everywhere.lower, everywhere.upper, box );
    EXPECT_EQ( 200u, box.proxies.size() );
    EXPECT_EQ( 200 + 2 * arena.bodies.expectedPairs().size(), innerBoxHits );
    EXPECT_EQ( 200 * rayHitCount, innerRayHits );

    CollectRay ray;
    aim( ray, diagonal.from, diagonal.to );
    ray.onHit = nest;
    arena.broadphase.rayTest( diagonal.from, diagonal.to, ray );
    EXPECT_EQ( rayHitCount, ray.proxies.size() );
    EXPECT_EQ( ( 200 + rayHitCount ) * rayHitCount, innerRayHits );
}

TEST_P( Contract, CT37_QueriesReportEachProxyOnceUnfiltered )
{
    Arena arena( GetParam(), 37, 2 );
    for ( int i = 0; i < 100; ++i )
    {
        arena.bodies.create( arena.bodies.randomBox(), 0, 0 ); // filters reject all pairs
    }
    CollectBox box;
    arena.broadphase.aabbTest( everywhere.lower, everywhere.upper, box );
    CollectRay ray; // sweeps a box that contains all others
    aim( ray, diagonal.from, diagonal.to );
    arena.broadphase.rayTest( diagonal.from, diagonal.to, ray, everywhere.lower, everywhere.upper );
    for ( const std::vector<const btBroadphaseProxy*>& hits : { box.proxies, ray.proxies } )
    {
        EXPECT_EQ( 100u, hits.size() );
        for ( const auto& body : arena.bodies.all() )
        {
            EXPECT_EQ( 1, std::count( hits.begin(), hits.end(), body->proxies[0] ) );
        }
    }
}

/// A heap of boxes, spheres and capsules above a floor.
static void buildHeap( BulletWorld& heap )
{
    heap.add( 0, heap.shape<btBoxShape>( btVector3( 20, 1, 20 ) ), at( 0, -1, 0 ) );
    btCollisionShape* const shapes[] = {
        &heap.shape<btBoxShape>( btVector3( btScalar( 0.5 ), btScalar( 0.4 ), btScalar( 0.6 ) ) ),
        &heap.shape<btSphereShape>( btScalar( 0.5 ) ),
        &heap.shape<btCapsuleShape>( btScalar( 0.3 ), btScalar( 0.6 ) ) };
    Random random( 38 );
    for ( int i = 0; i < 90; ++i )
    {
        const btVector3 place = randomPoint( random, 4 );
        heap.add( 1, *shapes[i % 3], at( place.x(), btScalar( 1 + i * 0.2 ), place.z() ) );
    }
}

/// The expected hits come from a loop over all bodies, without the broadphase. Sweeps are equal up to rounding, because
/// the world clips each test at the closest hit so far.
TEST_P( Contract, CT38_ClosestHitsAreCorrectAfterEachStep )
{
    BulletWorld heap( makeRig( GetParam() ) );
    btCollisionWorld& world = heap.world();
    buildHeap( heap );
    const btBoxShape swept( btVector3( btScalar( 0.2 ), 1, btScalar( 0.3 ) ) );
    const btQuaternion turn( btVector3( 0, 0, 1 ), 1 );
    Random random( 38 );
    int hitCount = 0;
    for ( int step = 0; step < 120; ++step )
    {
        heap.step();
        world.updateAabbs(); // because the step moved bodies after it updated boxes
        for ( int i = 0; i < 10; ++i )
        {
            const btVector3 from = randomPoint( random, 6 ) + btVector3( 0, 8, 0 ), to = randomPoint( random, 6 );
            const btTransform turned( turn, to );
            btCollisionWorld::ClosestRayResultCallback ray( from, to ), expectedRay( from, to );
            btCollisionWorld::ClosestConvexResultCallback sweep( from, to ), expectedSweep( from, to );
            world.rayTest( from, to, ray );
            world.convexSweepTest( &swept, at( from ), turned, sweep );
            for ( const auto& object : heap.objects() )
            {
                const btTransform place = object->getWorldTransform();
                btCollisionWorld::rayTestSingle( at( from ), at( to ), object.get(), object->getCollisionShape(), place,
                                                 expectedRay );
                btCollisionWorld::objectQuerySingle( &swept, at( from ), turned, object.get(),
                                                     object->getCollisionShape(), place, expectedSweep, 0 );
            }
            ASSERT_EQ( expectedRay.m_closestHitFraction, ray.m_closestHitFraction ) << "step " << step;
            ASSERT_NEAR( expectedSweep.m_closestHitFraction, sweep.m_closestHitFraction, 0.001 ) << "step " << step;
            hitCount += expectedRay.hasHit() && expectedSweep.hasHit();
        }
    }
    EXPECT_GT( hitCount, 600 );
}
