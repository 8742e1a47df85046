// SPDX-License-Identifier: Zlib
// How the pair set changes when boxes move, stay, grow and shrink: CT-05 to CT-08 and CT-11 to CT-13.
#include "bullet_world.h"
#include "contestants.h"

#include <map>

using namespace test;

static Box homeOf( int i, btScalar shift )
{
    return cube( btScalar( i % 4 ) + shift, btScalar( i / 4 % 4 ) + shift, btScalar( i / 16 ) + shift,
                 btScalar( 1.5 ) );
}

TEST_P( Contract, CT05_PersistingPairsKeepTheirAlgorithm )
{
    CountingDispatcher dispatcher;
    Arena arena( GetParam(), 5, 3, &dispatcher );
    Bodies& bodies = arena.bodies;
    for ( int i = 0; i < 40; ++i )
    {
        bodies.create( homeOf( i, 0 ) );
    }
    bodies.update();
    const auto find = [&]( const IdPair& ids )
    {
        return arena.cache.findPair( bodies.at( size_t( ids.first - 1 ) ).proxies[0],
                                     bodies.at( size_t( ids.second - 1 ) ).proxies[0] );
    };
    std::map<IdPair, const btCollisionAlgorithm*> given;
    for ( const IdPair& ids : bodies.expectedPairs() ) // not to additional pairs of a broadphase with fat boxes
    {
        given[ids] = dispatcher.giveAlgorithm( *find( ids ) );
    }
    ASSERT_GT( given.size(), 100u );

    for ( int step = 0; step < 100; ++step )
    {
        for ( int i = 0; i < 40; ++i ) // moves of at most 0.2; boxes that overlapped by 0.5 still do
        {
            bodies.move( bodies.at( size_t( i ) ), homeOf( i, btScalar( bodies.random().between( -0.2, 0.2 ) ) ) );
        }
        bodies.createRandom( 5 ); // other bodies come and go, so pairs change their places in the array
        bodies.update();
        while ( bodies.size() > 40 )
        {
            bodies.destroy( bodies.size() - 1 );
        }
        bodies.update();
        for ( const auto& [ids, algorithm] : given )
        {
            const btBroadphasePair* pair = find( ids );
            ASSERT_NE( nullptr, pair );
            ASSERT_EQ( algorithm, pair->m_algorithm );
        }
    }
    EXPECT_EQ( 0, dispatcher.freed );
    bodies.destroyAll();
    EXPECT_EQ( int( given.size() ), dispatcher.freed );
}

TEST_P( Contract, CT06_SeparationDestroysTheAlgorithmOnce )
{
    CountingDispatcher dispatcher;
    Arena arena( GetParam(), 6, 1, &dispatcher );
    const Box there = cube( btScalar( 0.5 ), 0, 0, 1 );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    Body& mover = arena.bodies.create( there );
    arena.bodies.update();
    ASSERT_EQ( 1, arena.pairCount() );
    dispatcher.giveAlgorithm( arena.pair( 0 ) );

    arena.bodies.move( mover, cube( 5, 0, 0, 1 ) );
    arena.bodies.update();
    EXPECT_EQ( 0, arena.pairCount() );
    EXPECT_EQ( 1, dispatcher.destroyed );
    EXPECT_EQ( 1, dispatcher.freed );

    arena.bodies.move( mover, there );
    arena.bodies.update();
    ASSERT_EQ( 1, arena.pairCount() );
    EXPECT_EQ( nullptr, arena.pair( 0 ).m_algorithm );
    EXPECT_EQ( 1, dispatcher.destroyed );
}

/// Expects no callback and no change of the bytes of the array.
static void expectUnchangedBy( const RigKind& kind, void ( *act )( Bodies& ) )
{
    GhostPairTracker ghost;
    Arena arena( kind, 7, spreadFor( 200 ) );
    arena.cache.setInternalGhostPairCallback( &ghost );
    arena.bodies.update(); // without any body
    arena.bodies.createRandom( 200 );
    arena.bodies.update();
    const std::vector<char> previous = bytesOf( arena.cache );
    ASSERT_GT( ghost.pairs.size(), 50u );
    ghost.calls.clear();
    act( arena.bodies );
    arena.bodies.update();
    EXPECT_EQ( previous, bytesOf( arena.cache ) );
    EXPECT_TRUE( ghost.calls.empty() );
}

TEST_P( Contract, CT07_SecondUpdateChangesNothing )
{
    expectUnchangedBy( GetParam(), []( Bodies& bodies ) { bodies.update(); } );
}

TEST_P( Contract, CT08_UnchangedBoxesChangeNothing )
{
    expectUnchangedBy( GetParam(),
                       []( Bodies& bodies )
                       {
                           bodies.moveAll(
                               []( const Body& body )
                               {
                                   Box same = body.box;
                                   same.lower[3] = btScalar( body.id ); // the fourth component has no meaning
                                   same.upper[3] = -btScalar( body.id );
                                   return same;
                               } );
                       } );
}

TEST_P( Contract, CT11_TeleportRemovesAllOldPairsInOneUpdate )
{
    Arena arena( GetParam(), 11, 2 );
    Bodies& bodies = arena.bodies;
    bodies.createBoxes( 50 );
    Body& mover = bodies.create( { btVector3( -2, -2, -2 ), btVector3( 2, 2, 2 ) } );
    bodies.create( cube( 500, 0, 0, 1 ) );
    bodies.update();
    ASSERT_TRUE( arena.hasExpectedPairs() );
    const int previousCount = arena.pairCount();

    bodies.move( mover, cube( 500, 0, 0, 1 ) );
    bodies.update();
    EXPECT_TRUE( arena.hasExpectedPairs() );
    EXPECT_EQ( previousCount - 50 + 1, arena.pairCount() );
}

/// A box shrinks away from another one in its corner.
static void shrink( Arena& arena )
{
    Body& shrinker = arena.bodies.create( cube( 0, 0, 0, 10 ) );
    arena.bodies.create( cube( 8, 8, 8, 1 ) );
    arena.bodies.update();
    EXPECT_EQ( 1, arena.pairCount() );
    arena.bodies.move( shrinker, cube( 0, 0, 0, 1 ) );
}

TEST_P( Contract, CT12_ShrinkingDropsPairs )
{
    Arena arena( GetParam() );
    shrink( arena );
    arena.bodies.update();
    EXPECT_EQ( 0, arena.pairCount() );
}

TEST_P( Contract, CT12_ShrinkingDropsHits )
{
    Arena arena( GetParam() );
    shrink( arena );
    CollectBox hits;
    arena.broadphase.aabbTest( btVector3( 5, 5, 5 ), btVector3( 6, 6, 6 ), hits );
    EXPECT_TRUE( hits.proxies.empty() );
}

TEST_P( Contract, CT13_BodiesThatAreNeverUpdatedStillPair )
{
    Arena arena( GetParam() );
    Bodies& bodies = arena.bodies;
    for ( int i = 0; i < 20; ++i )
    {
        bodies.create(
            cube( btScalar( i ) * btScalar( 0.9 ), 0, 0, 1 ) ); // a row of sleeping bodies, each touching the next
    }
    Body& newcomer = bodies.create( cube( 0, 100, 0, 1 ) );
    for ( int step = 0; step < 1000; ++step )
    {
        bodies.move( newcomer, cube( btScalar( step % 20 ), 100, 0, 1 ) );
        bodies.update();
    }
    ASSERT_EQ( 19, arena.pairCount() );
    bodies.move( newcomer, cube( 7, btScalar( 0.5 ), 0, 1 ) );
    bodies.update();
    EXPECT_GT( arena.pairCount(), 19 );
    EXPECT_TRUE( arena.hasExpectedPairs() );
}

/// Only active bodies get new boxes, as in pybullet.
TEST_P( Contract, CT13_SleepingBodiesWakeWhenHit )
{
    BulletWorld world( makeRig( GetParam() ) );
    world.world().setForceUpdateAllAabbs( false );
    btBoxShape& box = world.shape<btBoxShape>( btVector3( 1, 1, 1 ) );
    world.add( 0, world.shape<btStaticPlaneShape>( btVector3( 0, 1, 0 ), 0 ), at( 0, 0, 0 ) );
    btRigidBody &lower = world.add( 1, box, at( 0, 1, 0 ) ), &upper = world.add( 1, box, at( 0, 3, 0 ) );
    world.step( 1000 );
    ASSERT_EQ( 0, world.awakeCount() );
    EXPECT_NE( nullptr, world.cache().findPair( lower.getBroadphaseHandle(), upper.getBroadphaseHandle() ) );

    const btRigidBody& newcomer = world.add( 1, box, at( 0, 8, 0 ) );
    world.step( 60 );
    EXPECT_TRUE( upper.isActive() );
    EXPECT_GT( newcomer.getWorldTransform().getOrigin().y(), 4 ) << "it must lie on the others";
}
