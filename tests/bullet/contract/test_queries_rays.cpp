// SPDX-License-Identifier: Zlib
// Ray queries hit the same boxes as btRayAabb2, also in boundary cases: CT-32 and CT-33.
#include "bullet_world.h"
#include "queries.h"

#include <limits>

using namespace test;

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
        ASSERT_EQ( expected, rayHits( arena.broadphase, ray ) ) << "ray " << i;
        hitCount += expected.size();
    }
    ASSERT_GT( hitCount, 50000u );
}

TEST_P( Contract, CT32_RaysMissNothingAmongBoxesOfAllSizes )
{
    Arena arena( GetParam(), 33, 6 );
    arena.bodies.createRandom( 200 );
    for ( int i = 0; i < 3000; ++i )
    {
        arena.bodies.randomOperation();
        const Ray ray = randomRay( arena.bodies.random(), 8 );
        const std::vector<int> must = expectedRayHits( arena.bodies, ray ), hits = rayHits( arena.broadphase, ray );
        ASSERT_TRUE( std::includes( hits.begin(), hits.end(), must.begin(), must.end() ) ) << "ray " << i;
    }
}

/// Soft body worlds use 1e30 as the inverse of 0, also in single precision.
TEST_P( Contract, CT32_RaysAcceptInversesOf1e30 )
{
    const NoMargin exact;
    Arena arena( GetParam(), 34, 6 );
    createCubes( arena.bodies, 100, 6 );
    size_t hitCount = 0;
    for ( int i = 0; i < 300; ++i )
    {
        Ray ray;
        ray.from = ray.to = randomPoint( arena.bodies.random(), 7 );
        ray.to[i % 3] = -ray.to[i % 3];
        CollectRay hits;
        aim( hits, ray.from, ray.to );
        for ( int axis = 0; axis < 3; ++axis )
        {
            if ( axis != i % 3 )
            {
                hits.m_rayDirectionInverse[axis] = btScalar( 1e30 );
            }
        }
        arena.broadphase.rayTest( ray.from, ray.to, hits );
        ASSERT_EQ( expectedRayHits( arena.bodies, ray ), hits.ids() ) << "ray " << i;
        hitCount += hits.ids().size();
    }
    ASSERT_GT( hitCount, 100u );
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
}

/// A ray without a direction, as from convexSweepTest or rayTest with equal end points.
static size_t countHitsAt( const Arena& arena, const btVector3& at, btScalar inverse, btScalar length )
{
    CollectRay ray;
    ray.m_rayDirectionInverse.setValue( inverse, inverse, inverse );
    ray.m_signs[0] = ray.m_signs[1] = ray.m_signs[2] = 0;
    ray.m_lambda_max = length;
    arena.broadphase.rayTest( at, at, ray );
    return ray.proxies.size();
}

TEST_P( Contract, CT33_RaysWithoutLengthOrDirectionHitOnlyFromInside )
{
    const NoMargin exact;
    Arena arena( GetParam() );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    const btVector3 inside( half, half, half );
    EXPECT_EQ( 1u, countHitsAt( arena, inside, BT_LARGE_FLOAT, 0 ) );
    EXPECT_EQ( 0u, countHitsAt( arena, btVector3( 0, half, half ), BT_LARGE_FLOAT, 0 ) ) << "on a face";
    EXPECT_EQ( 0u, countHitsAt( arena, btVector3( -1, half, half ), BT_LARGE_FLOAT, 0 ) ) << "outside";
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    EXPECT_EQ( 0u, countHitsAt( arena, inside, nan, nan ) );
}

TEST_P( Contract, CT33_WorldRayOfZeroLengthHitsNothing )
{
    BulletWorld world( makeRig( GetParam() ) );
    const btVector3 inside( 0, 0, 0 );
    world.addObject( world.shape<btBoxShape>( btVector3( 1, 1, 1 ) ), inside );
    btCollisionWorld::ClosestRayResultCallback hit( inside, inside );
    world.world().rayTest( inside, inside, hit );
    EXPECT_FALSE( hit.hasHit() );
}
