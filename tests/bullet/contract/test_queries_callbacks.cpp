// SPDX-License-Identifier: Zlib
// Callbacks of queries may return false and run other queries, and get each proxy once: CT-34, CT-36 and CT-37.
#include "bullet_world.h"
#include "queries.h"

using namespace test;

static const Ray diagonal = { btVector3( -7, -7, -7 ), btVector3( 7, 7, 7 ) };

TEST_P( Contract, CT34_BoxQueryContinuesWhenTheCallbackReturnsFalse )
{
    Arena arena( GetParam(), 34, 6 );
    arena.bodies.createRandom( 300 );
    CollectBox rejecting;
    rejecting.answer = false;
    arena.broadphase.aabbTest( everywhere.lower, everywhere.upper, rejecting );
    EXPECT_EQ( 300u, rejecting.proxies.size() );
}

TEST_P( Contract, CT34_RayQueryLosesNoHitWhenTheCallbackShortensIt )
{
    Arena arena( GetParam(), 35, 6 );
    arena.bodies.createRandom( 300 );
    const std::vector<int> expected = expectedRayHits( arena.bodies, diagonal );
    ASSERT_GT( expected.size(), 3u );
    CollectRay shortening; // returns false, and shortens the ray to 0 at the first proxy
    aim( shortening, diagonal.from, diagonal.to );
    shortening.answer = false;
    shortening.onHit = [&]( const btBroadphaseProxy& ) { shortening.m_lambda_max = 0; };
    arena.broadphase.rayTest( diagonal.from, diagonal.to, shortening );
    const std::vector<int> hits = shortening.ids();
    EXPECT_TRUE( std::includes( hits.begin(), hits.end(), expected.begin(), expected.end() ) );
}

/// Runs a box query with the box of each reported proxy.
TEST_P( Contract, CT36_BoxQueryMayRunInsideABoxQuery )
{
    const NoMargin exact;
    Arena arena( GetParam(), 36, 6 );
    createCubes( arena.bodies, 100, 3 );
    CollectBox nesting;
    size_t innerHits = 0;
    nesting.onHit = [&]( const btBroadphaseProxy& proxy ) {
        innerHits += boxHits( arena.broadphase, { proxy.m_aabbMin, proxy.m_aabbMax } ).size();
    };
    arena.broadphase.aabbTest( everywhere.lower, everywhere.upper, nesting );
    EXPECT_EQ( 100u, nesting.proxies.size() );
    EXPECT_EQ( 100 + 2 * arena.bodies.expectedPairs().size(), innerHits );
}

/// Casts the same ray again for each reported proxy.
TEST_P( Contract, CT36_RayQueryMayRunInsideARayQuery )
{
    Arena arena( GetParam(), 37, 6 );
    arena.bodies.createRandom( 300 );
    const size_t hitCount = rayHits( arena.broadphase, diagonal ).size();
    ASSERT_GT( hitCount, 3u );
    CollectRay nesting;
    size_t innerHits = 0;
    aim( nesting, diagonal.from, diagonal.to );
    nesting.onHit = [&]( const btBroadphaseProxy& ) { innerHits += rayHits( arena.broadphase, diagonal ).size(); };
    arena.broadphase.rayTest( diagonal.from, diagonal.to, nesting );
    EXPECT_EQ( hitCount, nesting.proxies.size() );
    EXPECT_EQ( hitCount * hitCount, innerHits );
}

struct CountContacts : btCollisionWorld::ContactResultCallback
{
    btScalar addSingleResult( btManifoldPoint&, const btCollisionObjectWrapper*, int, int,
                              const btCollisionObjectWrapper*, int, int ) override
    {
        ++count;
        return 0;
    }

    int count = 0;
};

/// Runs a contact test on each object that a ray hits, within the callback.
struct ContactsOnRay : btCollisionWorld::RayResultCallback
{
    explicit ContactsOnRay( btCollisionWorld& world ) : world( world )
    {
    }

    btScalar addSingleResult( btCollisionWorld::LocalRayResult& hit, bool ) override
    {
        world.contactTest( const_cast<btCollisionObject*>( hit.m_collisionObject ), contacts );
        ++hitCount;
        return 1;
    }

    btCollisionWorld& world;
    CountContacts contacts;
    int hitCount = 0;
};

TEST_P( Contract, CT36_ContactTestMayRunInsideARayQuery )
{
    BulletWorld world( makeRig( GetParam() ) );
    btSphereShape& sphere = world.shape<btSphereShape>( btScalar( 1 ) );
    for ( int i = 0; i < 10; ++i )
    {
        world.addObject( sphere, btVector3( btScalar( i ) * btScalar( 1.9 ), 0, 0 ) );
    }
    ContactsOnRay ray( world.world() );
    world.world().rayTest( btVector3( -5, 0, 0 ), btVector3( 25, 0, 0 ), ray );
    EXPECT_EQ( 10, ray.hitCount );
    EXPECT_EQ( 18, ray.contacts.count ) << "each sphere touches two others, the first and last one other";
}

static void expectOwnPointersOnce( const Bodies& bodies, const std::vector<const btBroadphaseProxy*>& hits )
{
    EXPECT_EQ( bodies.size(), hits.size() );
    for ( const auto& body : bodies.all() )
    {
        EXPECT_EQ( 1, std::count( hits.begin(), hits.end(), body->proxies[0] ) );
    }
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
    expectOwnPointersOnce( arena.bodies, box.proxies );

    CollectRay ray; // sweeps a box that contains all others
    aim( ray, diagonal.from, diagonal.to );
    arena.broadphase.rayTest( diagonal.from, diagonal.to, ray, everywhere.lower, everywhere.upper );
    expectOwnPointersOnce( arena.bodies, ray.proxies );
}
