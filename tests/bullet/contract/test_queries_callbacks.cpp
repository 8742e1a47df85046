// SPDX-License-Identifier: Zlib
// What a query's callback may do, and what it is told: CT-34, CT-36 and CT-37.
#include "bullet_world.h"
#include "queries.h"

using namespace test;

static const Ray diagonal = { btVector3( -7, -7, -7 ), btVector3( 7, 7, 7 ) };

TEST_P( Contract, CT34_BoxQueryContinuesWhenTheCallbackReturnsFalse )
{
    Arena arena( GetParam(), 34, 6 );
    arena.bodies.createRandom( 300 );
    CollectBox refusing;
    refusing.answer = false;
    arena.broadphase.aabbTest( everywhere.lower, everywhere.upper, refusing );
    EXPECT_EQ( 300u, refusing.proxies.size() );
}

TEST_P( Contract, CT34_RayQueryLosesNoHitWhenTheCallbackShortensIt )
{
    Arena arena( GetParam(), 35, 6 );
    arena.bodies.createRandom( 300 );
    const std::vector<int> expected = expectedRayHits( arena.bodies, diagonal );
    ASSERT_GT( expected.size(), 3u );
    CollectRay shortening; // says no and gives up at the first proxy, as far as its own view goes
    aim( shortening, diagonal.from, diagonal.to );
    shortening.answer = false;
    shortening.onHit = [&]( const btBroadphaseProxy& ) { shortening.m_lambda_max = 0; };
    arena.broadphase.rayTest( diagonal.from, diagonal.to, shortening );
    const std::vector<int> hits = shortening.ids();
    EXPECT_TRUE( std::includes( hits.begin(), hits.end(), expected.begin(), expected.end() ) );
}

/// Asks, for each proxy it is told of, what else is where that one is.
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

/// Casts the same ray again for each proxy on it.
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

/// Counts contacts with what a ray meets, while it meets it.
class ContactsOnRay : public btCollisionWorld::RayResultCallback
{
public:
    explicit ContactsOnRay( btCollisionWorld& world ) : m_world( world )
    {
    }

    btScalar addSingleResult( btCollisionWorld::LocalRayResult& hit, bool ) override
    {
        Contacts contacts;
        m_world.contactTest( const_cast<btCollisionObject*>( hit.m_collisionObject ), contacts );
        contactCount += contacts.count;
        ++hitCount;
        return 1;
    }

    int hitCount = 0;
    int contactCount = 0;

private:
    struct Contacts : btCollisionWorld::ContactResultCallback
    {
        btScalar addSingleResult( btManifoldPoint&, const btCollisionObjectWrapper*, int, int,
                                  const btCollisionObjectWrapper*, int, int ) override
        {
            ++count;
            return 0;
        }

        int count = 0;
    };

    btCollisionWorld& m_world;
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
    EXPECT_EQ( 18, ray.contactCount ) << "each sphere touches two others, the outer ones one";
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
        arena.bodies.create( arena.bodies.randomBox(), 0, 0 ); // collides with nothing
    }
    CollectBox box;
    arena.broadphase.aabbTest( everywhere.lower, everywhere.upper, box );
    expectOwnPointersOnce( arena.bodies, box.proxies );

    CollectRay ray; // sweeps so large a box that it meets all
    aim( ray, diagonal.from, diagonal.to );
    arena.broadphase.rayTest( diagonal.from, diagonal.to, ray, everywhere.lower, everywhere.upper );
    expectOwnPointersOnce( arena.bodies, ray.proxies );
}
