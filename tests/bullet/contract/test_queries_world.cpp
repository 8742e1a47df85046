// SPDX-License-Identifier: Zlib
// Rays and sweeps through a world find the closest hit of a loop over all bodies: CT-38.
#include "bullet_world.h"
#include "queries.h"

using namespace test;

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

/// Compares the closest hits of a world with those of a loop over all bodies, which needs no broadphase.
template <typename Callback, typename World, typename Loop>
static void expectClosestHits( const RigKind& kind, int queryCount, double tolerance, World askWorld, Loop askOne )
{
    BulletWorld heap( makeRig( kind ) );
    buildHeap( heap );
    Random random( 38 );
    int hitCount = 0;
    for ( int step = 0; step < 120; ++step )
    {
        heap.step();
        heap.world().updateAabbs(); // because the step moved bodies after it updated boxes
        for ( int i = 0; i < queryCount; ++i )
        {
            const btVector3 from = randomPoint( random, 6 ) + btVector3( 0, 8, 0 ), to = randomPoint( random, 6 );
            Callback hit( from, to ), expected( from, to );
            askWorld( heap.world(), at( from ), at( to ), hit );
            for ( const auto& object : heap.objects() )
            {
                askOne( *object, at( from ), at( to ), expected );
            }
            ASSERT_NEAR( expected.m_closestHitFraction, hit.m_closestHitFraction, tolerance )
                << "step " << step << ", query " << i;
            hitCount += expected.hasHit();
        }
    }
    EXPECT_GT( hitCount, 60 * queryCount );
}

TEST_P( Contract, CT38_ClosestRayHitsAreCorrectAfterEachStep )
{
    using Hit = btCollisionWorld::ClosestRayResultCallback;
    expectClosestHits<Hit>(
        GetParam(), 20, 0,
        []( btCollisionWorld& world, const btTransform& from, const btTransform& to, Hit& hit )
        { world.rayTest( from.getOrigin(), to.getOrigin(), hit ); },
        []( btCollisionObject& object, const btTransform& from, const btTransform& to, Hit& hit )
        {
            btCollisionWorld::rayTestSingle( from, to, &object, object.getCollisionShape(), object.getWorldTransform(),
                                             hit );
        } );
}

/// Equal up to rounding, because the world clips each test at the closest hit so far.
TEST_P( Contract, CT38_ClosestSweepHitsAreCorrectAfterEachStep )
{
    using Hit = btCollisionWorld::ClosestConvexResultCallback;
    const btBoxShape shape( btVector3( btScalar( 0.2 ), 1, btScalar( 0.3 ) ) );
    const btQuaternion turn( btVector3( 0, 0, 1 ), 1 );
    expectClosestHits<Hit>(
        GetParam(), 5, 0.001,
        [&]( btCollisionWorld& world, const btTransform& from, const btTransform& to, Hit& hit )
        { world.convexSweepTest( &shape, from, btTransform( turn, to.getOrigin() ), hit ); },
        [&]( btCollisionObject& object, const btTransform& from, const btTransform& to, Hit& hit )
        {
            btCollisionWorld::objectQuerySingle( &shape, from, btTransform( turn, to.getOrigin() ), &object,
                                                 object.getCollisionShape(), object.getWorldTransform(), hit, 0 );
        } );
}

/// A ray right after pybullet's resetBasePositionAndOrientation.
TEST_P( Contract, CT38_RayHitsABodyRightAfterItsTransformIsSet )
{
    BulletWorld heap( makeRig( GetParam() ) );
    buildHeap( heap );
    heap.world().setForceUpdateAllAabbs( false );
    heap.step( 60 );
    for ( int i = 1; i <= 50; ++i )
    {
        btCollisionObject& body = *heap.objects()[size_t( i )];
        const btTransform place = at( btScalar( 30 + i * 3 ), 50, 0 );
        body.setWorldTransform( place );
        body.setInterpolationWorldTransform( place );
        heap.world().updateSingleAabb( &body );
        const btVector3 above = place.getOrigin() + btVector3( 0, 5, 0 );
        btCollisionWorld::ClosestRayResultCallback hit( above, place.getOrigin() );
        heap.world().rayTest( above, place.getOrigin(), hit );
        ASSERT_EQ( &body, hit.m_collisionObject ) << "body " << i;
    }
}
