// SPDX-License-Identifier: Zlib
// Ray queries meet what btRayAabb2 meets, up to and including its edges: CT-32 and CT-33.
#include "queries.h"

#include <limits>

using namespace test;

TEST_P( Contract, CT32_HundredThousandRaysEqualBulletsOwnTest )
{
    const NoMargin exact;
    Arena arena( GetParam(), 32, 6 );
    for ( int i = 0; i < 100; ++i )
    {
        createCube( arena.bodies, 6 );
    }
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

TEST_P( Contract, CT32_NothingIsLostAmongBoxesOfAllSizes )
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

/// As the worlds of soft bodies ask, also in single precision.
TEST_P( Contract, CT32_InversesOfTenToTheThirty )
{
    const NoMargin exact;
    Arena arena( GetParam(), 34, 6 );
    for ( int i = 0; i < 100; ++i )
    {
        createCube( arena.bodies, 6 );
    }
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

static size_t hitsOf( const Arena& arena, const btVector3& from, const btVector3& to )
{
    return rayHits( arena.broadphase, { from, to, { btVector3( 0, 0, 0 ), btVector3( 0, 0, 0 ) } } ).size();
}

static const btScalar half = btScalar( 0.5 );

TEST_P( Contract, CT33_RaysAtTheEdgesOfABox )
{
    const NoMargin exact;
    Arena arena( GetParam() );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    EXPECT_EQ( 0u, hitsOf( arena, btVector3( -1, half, half ), btVector3( 0, half, half ) ) ) << "ends on a face";
    EXPECT_EQ( 1u, hitsOf( arena, btVector3( -1, half, half ), btVector3( half, half, half ) ) ) << "ends inside";
    EXPECT_EQ( 1u, hitsOf( arena, btVector3( half, half, half ), btVector3( half, 2, half ) ) ) << "starts inside";
    EXPECT_EQ( 1u, hitsOf( arena, btVector3( 0, half, half ), btVector3( 2, half, half ) ) ) << "starts on entering";
    EXPECT_EQ( 0u, hitsOf( arena, btVector3( 1, half, half ), btVector3( 2, half, half ) ) ) << "starts on leaving";
    EXPECT_EQ( 0u, hitsOf( arena, btVector3( -1, 1, half ), btVector3( 2, 1, half ) ) ) << "slides along a face";
    EXPECT_EQ( 0u, hitsOf( arena, btVector3( -2, half, half ), btVector3( -1, half, half ) ) ) << "ends before";
    EXPECT_EQ( 0u, hitsOf( arena, btVector3( -1, half, half ), btVector3( -2, half, half ) ) ) << "turns away";
}

/// As convexSweepTest asks for a sweep that goes nowhere, or as rayTest asks for a ray that has no direction.
static CollectRay aimless( btScalar inverse, btScalar length )
{
    CollectRay ray;
    ray.m_rayDirectionInverse.setValue( inverse, inverse, inverse );
    ray.m_signs[0] = ray.m_signs[1] = ray.m_signs[2] = 0;
    ray.m_lambda_max = length;
    return ray;
}

static size_t stillHits( const Arena& arena, const btVector3& at )
{
    CollectRay still = aimless( BT_LARGE_FLOAT, 0 );
    arena.broadphase.rayTest( at, at, still );
    return still.proxies.size();
}

TEST_P( Contract, CT33_RaysWithoutLength )
{
    const NoMargin exact;
    Arena arena( GetParam() );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    EXPECT_EQ( 1u, stillHits( arena, btVector3( half, half, half ) ) );
    EXPECT_EQ( 0u, stillHits( arena, btVector3( 0, half, half ) ) ) << "on a face";
    EXPECT_EQ( 0u, stillHits( arena, btVector3( -1, half, half ) ) ) << "outside";
}

TEST_P( Contract, CT33_RaysWithoutDirection )
{
    Arena arena( GetParam() );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    const btVector3 inside( half, half, half );
    CollectRay nowhere = aimless( nan, nan );
    arena.broadphase.rayTest( inside, inside, nowhere );
    EXPECT_TRUE( nowhere.proxies.empty() );
}

TEST_P( Contract, CT33_WorldRayFromAPointToItself )
{
    Physics physics( GetParam() );
    btBoxShape shape( btVector3( 1, 1, 1 ) );
    btCollisionObject object;
    object.setCollisionShape( &shape );
    physics.world.addCollisionObject( &object );
    const btVector3 inside( 0, 0, 0 );
    btCollisionWorld::ClosestRayResultCallback hit( inside, inside );
    physics.world.rayTest( inside, inside, hit );
    EXPECT_FALSE( hit.hasHit() );
    physics.world.removeCollisionObject( &object );
}
