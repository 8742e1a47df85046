// SPDX-License-Identifier: Zlib
// Rays and sweeps through a world hit what they would hit if each body were asked: CT-38.
#include "bullet_world.h"
#include "queries.h"

using namespace test;

/// A heap of boxes, spheres and capsules on a floor, stepped until some of it rests and some still falls.
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

static btScalar closestByWorld( btCollisionWorld& world, const Ray& ray )
{
    btCollisionWorld::ClosestRayResultCallback hit( ray.from, ray.to );
    world.rayTest( ray.from, ray.to, hit );
    return hit.m_closestHitFraction;
}

/// Asks each body, without any broadphase.
static btScalar closestByLoop( btCollisionWorld& world, const Ray& ray )
{
    btCollisionWorld::ClosestRayResultCallback hit( ray.from, ray.to );
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    for ( int i = 0; i < objects.size(); ++i )
    {
        btCollisionWorld::rayTestSingle( btTransform( btQuaternion::getIdentity(), ray.from ),
                                         btTransform( btQuaternion::getIdentity(), ray.to ), objects[i],
                                         objects[i]->getCollisionShape(), objects[i]->getWorldTransform(), hit );
    }
    return hit.m_closestHitFraction;
}

TEST_P( Contract, CT38_ClosestRayHitsAfterEachStep )
{
    const Rig rig = makeRig( GetParam() );
    BulletWorld heap( *rig.broadphase );
    buildHeap( heap );
    Random random( 38 );
    int hitCount = 0;
    for ( int step = 0; step < 120; ++step )
    {
        heap.step();
        for ( int i = 0; i < 20; ++i )
        {
            const Ray ray = { randomPoint( random, 6 ) + btVector3( 0, 7, 0 ), randomPoint( random, 6 ), {} };
            const btScalar expected = closestByLoop( heap.world(), ray );
            ASSERT_EQ( expected, closestByWorld( heap.world(), ray ) ) << "step " << step << ", ray " << i;
            hitCount += expected < 1;
        }
    }
    EXPECT_GT( hitCount, 1000 );
}

static const btScalar noPenetration = 0;

static btScalar sweepByWorld( btCollisionWorld& world, const btConvexShape& shape, const Ray& ray )
{
    btCollisionWorld::ClosestConvexResultCallback hit( ray.from, ray.to );
    world.convexSweepTest( &shape, btTransform( btQuaternion::getIdentity(), ray.from ),
                           btTransform( btQuaternion( btVector3( 0, 0, 1 ), 1 ), ray.to ), hit, noPenetration );
    return hit.m_closestHitFraction;
}

static btScalar sweepByLoop( btCollisionWorld& world, const btConvexShape& shape, const Ray& ray )
{
    btCollisionWorld::ClosestConvexResultCallback hit( ray.from, ray.to );
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    for ( int i = 0; i < objects.size(); ++i )
    {
        btCollisionWorld::objectQuerySingle( &shape, btTransform( btQuaternion::getIdentity(), ray.from ),
                                             btTransform( btQuaternion( btVector3( 0, 0, 1 ), 1 ), ray.to ), objects[i],
                                             objects[i]->getCollisionShape(), objects[i]->getWorldTransform(), hit,
                                             noPenetration );
    }
    return hit.m_closestHitFraction;
}

TEST_P( Contract, CT38_ClosestSweepHitsAfterEachStep )
{
    const Rig rig = makeRig( GetParam() );
    BulletWorld heap( *rig.broadphase );
    buildHeap( heap );
    const btBoxShape shape( btVector3( btScalar( 0.2 ), 1, btScalar( 0.3 ) ) );
    Random random( 39 );
    int hitCount = 0;
    for ( int step = 0; step < 120; ++step )
    {
        heap.step();
        for ( int i = 0; i < 5; ++i )
        {
            const Ray ray = { randomPoint( random, 6 ) + btVector3( 0, 8, 0 ), randomPoint( random, 6 ), {} };
            const btScalar expected = sweepByLoop( heap.world(), shape, ray );
            // The world searches from the closest hit so far, in another order than the loop: not to the last bit.
            ASSERT_NEAR( expected, sweepByWorld( heap.world(), shape, ray ), 0.001 ) << "step " << step;
            hitCount += expected < 1;
        }
    }
    EXPECT_GT( hitCount, 300 );
}

/// As pybullet's resetBasePositionAndOrientation does it, and a client casts a ray at once.
TEST_P( Contract, CT38_RayRightAfterABodyWasPutElsewhere )
{
    const Rig rig = makeRig( GetParam() );
    BulletWorld heap( *rig.broadphase );
    buildHeap( heap );
    heap.world().setForceUpdateAllAabbs( false );
    heap.step( 60 );
    for ( int i = 1; i <= 50; ++i )
    {
        btRigidBody& body = *heap.bodies()[size_t( i )];
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
