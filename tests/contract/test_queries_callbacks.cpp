// SPDX-License-Identifier: Zlib
// What a query's callback may do, and what it is told: CT-34, CT-36 and CT-37.
#include "queries.h"

using namespace test;

static const Box everywhere = { btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ) };
static const Ray diagonal = { btVector3( -7, -7, -7 ), btVector3( 7, 7, 7 ), {} };

TEST_P( Contract, CT34_FalseDoesNotStopABoxQuery )
{
    Arena arena( GetParam(), 34, 6 );
    arena.bodies.createRandom( 300 );
    CollectBox refusing;
    refusing.answer = false;
    arena.broadphase.aabbTest( everywhere.lower, everywhere.upper, refusing );
    EXPECT_EQ( 300u, refusing.proxies.size() );
}

/// Says no and gives up at the first proxy, as far as its own view goes.
class Shortening : public CollectRay
{
public:
    bool process( const btBroadphaseProxy* proxy ) override
    {
        m_lambda_max = 0;
        CollectRay::process( proxy );
        return false;
    }
};

TEST_P( Contract, CT34_ShorteningTheRayLosesNothing )
{
    Arena arena( GetParam(), 35, 6 );
    arena.bodies.createRandom( 300 );
    const std::vector<int> expected = expectedRayHits( arena.bodies, diagonal );
    ASSERT_GT( expected.size(), 3u );
    Shortening shortening;
    aim( shortening, diagonal.from, diagonal.to );
    arena.broadphase.rayTest( diagonal.from, diagonal.to, shortening );
    const std::vector<int> hits = shortening.ids();
    EXPECT_TRUE( std::includes( hits.begin(), hits.end(), expected.begin(), expected.end() ) );
}

/// Asks, for each proxy it is told of, what else is where that one is.
class NestingBox : public CollectBox
{
public:
    explicit NestingBox( btBroadphaseInterface& broadphase ) : m_broadphase( broadphase )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        innerHits += boxHits( m_broadphase, { proxy->m_aabbMin, proxy->m_aabbMax } ).size();
        return CollectBox::process( proxy );
    }

    size_t innerHits = 0;

private:
    btBroadphaseInterface& m_broadphase;
};

TEST_P( Contract, CT36_BoxQueriesInsideABoxQuery )
{
    const NoMargin exact;
    Arena arena( GetParam(), 36, 6 );
    for ( int i = 0; i < 100; ++i )
    {
        createCube( arena.bodies, 3 );
    }
    NestingBox nesting( arena.broadphase );
    arena.broadphase.aabbTest( everywhere.lower, everywhere.upper, nesting );
    EXPECT_EQ( 100u, nesting.proxies.size() );
    EXPECT_EQ( 100 + 2 * arena.bodies.expectedPairs().size(), nesting.innerHits );
}

/// Casts the same ray again for each proxy on it.
class NestingRay : public CollectRay
{
public:
    explicit NestingRay( btBroadphaseInterface& broadphase ) : m_broadphase( broadphase )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        innerHits += rayHits( m_broadphase, diagonal ).size();
        return CollectRay::process( proxy );
    }

    size_t innerHits = 0;

private:
    btBroadphaseInterface& m_broadphase;
};

TEST_P( Contract, CT36_RaysInsideARay )
{
    Arena arena( GetParam(), 37, 6 );
    arena.bodies.createRandom( 300 );
    const size_t hitCount = rayHits( arena.broadphase, diagonal ).size();
    ASSERT_GT( hitCount, 3u );
    NestingRay nesting( arena.broadphase );
    aim( nesting, diagonal.from, diagonal.to );
    arena.broadphase.rayTest( diagonal.from, diagonal.to, nesting );
    EXPECT_EQ( hitCount, nesting.proxies.size() );
    EXPECT_EQ( hitCount * hitCount, nesting.innerHits );
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

TEST_P( Contract, CT36_ContactTestsInsideARay )
{
    Physics physics( GetParam() );
    btSphereShape shape( 1 );
    std::vector<btCollisionObject> objects( 10 );
    for ( size_t i = 0; i < objects.size(); ++i )
    {
        objects[i].setCollisionShape( &shape );
        objects[i].getWorldTransform().setOrigin( btVector3( btScalar( i ) * btScalar( 1.9 ), 0, 0 ) );
        physics.world.addCollisionObject( &objects[i] );
    }
    ContactsOnRay ray( physics.world );
    physics.world.rayTest( btVector3( -5, 0, 0 ), btVector3( 25, 0, 0 ), ray );
    EXPECT_EQ( 10, ray.hitCount );
    EXPECT_EQ( 18, ray.contactCount ) << "each sphere touches two others, the outer ones one";
    for ( btCollisionObject& object : objects )
    {
        physics.world.removeCollisionObject( &object );
    }
}

static void expectOwnPointersOnce( Bodies& bodies, const std::vector<const btBroadphaseProxy*>& hits )
{
    std::set<const btBroadphaseProxy*> given;
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        given.insert( bodies.at( i ).proxies[0] );
    }
    EXPECT_EQ( bodies.size(), hits.size() );
    EXPECT_EQ( given, std::set<const btBroadphaseProxy*>( hits.begin(), hits.end() ) );
}

TEST_P( Contract, CT37_OwnPointersOnceEachAndUnfiltered )
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
