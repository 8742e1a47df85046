// SPDX-License-Identifier: Zlib
// Pairs after calculateOverlappingPairs, and those right after createProxy and setAabb: CT-01 to CT-04 and CT-09. How
// the pair set changes when boxes move, stay, grow and shrink: CT-05 to CT-08 and CT-11 to CT-13.
#include "contestants.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace test;

static void expectExactPairsDuringRandomOperations( const RigKind& kind, int bodyCount, int roundCount,
                                                    int operationsInARound )
{
    Arena arena( kind, uint64_t( bodyCount ), spreadFor( bodyCount ) );
    arena.bodies.createRandom( bodyCount );
    arena.bodies.update();
    ASSERT_TRUE( arena.hasExactPairs() );
    for ( int round = 0; round < roundCount; ++round )
    {
        arena.bodies.runRandomOperations( 1 +
                                          int( arena.bodies.random().below( 2 * uint32_t( operationsInARound ) ) ) );
        arena.bodies.update();
        ASSERT_TRUE( arena.hasExactPairs() ) << "round " << round;
    }
}

TEST_P( Contract, CT01_PairsEqualTheOracle )
{
    for ( int bodyCount : { 1, 2, 5, 40, 300, 1500 } )
    {
        SCOPED_TRACE( bodyCount );
        expectExactPairsDuringRandomOperations( GetParam(), bodyCount, 20, 10 );
    }
}

TEST_P( Contract, CT01Large_PairsOfTwentyThousandBodiesEqualTheOracle )
{
    const RigKind& kind = GetParam();
    if ( kind.engine == Engine::simple ||
         ( kind.engine != Engine::cullet && kind.algorithm == clt_algorithmBruteForce ) )
    {
        GTEST_SKIP() << "compares every two boxes, as cullet_bruteForce_own does";
    }
    expectExactPairsDuringRandomOperations( kind, 19000, 1, 5000 );
}

TEST_P( Contract, CT02_PairsAreASubsetOfDbvtAndSap )
{
    const Rig ours = makeRig( GetParam() ), dbvt = makeRig( bulletDbvt ), sap = makeRig( bulletSap );
    Bodies bodies( { ours.broadphase.get(), dbvt.broadphase.get(), sap.broadphase.get() }, 2, spreadFor( 400 ) );
    bodies.createRandom( 400 );
    for ( int step = 0; step < 60; ++step )
    {
        bodies.runRandomOperations( 40 );
        bodies.update();
        const std::vector<IdPair> pairs = pairsOf( ours.cache() );
        ASSERT_GT( pairs.size(), 100u );
        for ( const Rig* fat : { &dbvt, &sap } )
        {
            const std::vector<IdPair> theirs = pairsOf( fat->cache() );
            ASSERT_TRUE( std::includes( theirs.begin(), theirs.end(), pairs.begin(), pairs.end() ) );
        }
    }
    bodies.destroyAll();
}

TEST_P( Contract, CT03_PairArrayIsWellFormed )
{
    Arena arena( GetParam(), 3, spreadFor( 300 ) );
    arena.bodies.createRandom( 300 );
    for ( int step = 0; step < 20; ++step )
    {
        arena.bodies.runRandomOperations( 50 );
        arena.bodies.update();
        const btBroadphasePairArray& array = arena.cache.getOverlappingPairArray();
        ASSERT_GT( array.size(), 0 );
        ASSERT_EQ( array.size(), arena.pairCount() );
        ASSERT_EQ( &array[0], &arena.pair( 0 ) );
        std::set<IdPair> seen;
        for ( int i = 0; i < array.size(); ++i )
        {
            ASSERT_NE( nullptr, array[i].m_pProxy0 );
            ASSERT_NE( nullptr, array[i].m_pProxy1 );
            ASSERT_LT( array[i].m_pProxy0->m_uniqueId, array[i].m_pProxy1->m_uniqueId );
            ASSERT_TRUE( seen.insert( idsOf( array[i] ) ).second );
            ASSERT_EQ( &array[i], arena.cache.findPair( array[i].m_pProxy1, array[i].m_pProxy0 ) );
        }
    }
}

/// The pairs in a lattice of 6^3 boxes that share faces, edges and corners exactly. With a gap, one unit in the last
/// place separates them.
static int pairsInLattice( const RigKind& kind, btScalar origin, btScalar edge, bool gap )
{
    Arena arena( kind );
    for ( int cell = 0; cell < 6 * 6 * 6; ++cell )
    {
        const int at[3] = { cell % 6, cell / 6 % 6, cell / 36 };
        Box box;
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] = origin + btScalar( at[axis] ) * edge;
            box.upper[axis] = origin + btScalar( at[axis] + 1 ) * edge;
            box.upper[axis] = gap ? std::nextafter( box.upper[axis], box.lower[axis] ) : box.upper[axis];
        }
        arena.bodies.create( box );
    }
    arena.bodies.update();
    return arena.pairCount();
}

TEST_P( Contract, CT04_TouchingBoxesPairAndBoxesOneBitApartDoNot )
{
    const int touching = ( 16 * 16 * 16 - 6 * 6 * 6 ) / 2; // n = 6: (3n-2)^3 ordered pairs, n^3 of them of equal cells
    for ( btScalar edge : { btScalar( 1 ), btScalar( 0.1 ), btScalar( 3.7 ) } )
    {
        for ( btScalar origin : { btScalar( 0 ), btScalar( -3 ) * edge, btScalar( -900 ), btScalar( 65536 ) } )
        {
            SCOPED_TRACE( testing::Message() << "edge " << edge << " origin " << origin );
            EXPECT_EQ( touching, pairsInLattice( GetParam(), origin, edge, false ) );
            EXPECT_EQ( 0, pairsInLattice( GetParam(), origin, edge, true ) );
        }
    }
}

/// The number of expected pairs of this body that the cache does not hold.
static int missingPairsOf( const Arena& arena, int id )
{
    const std::vector<IdPair> actual = arena.pairs();
    int missing = 0;
    for ( const IdPair& pair : arena.bodies.expectedPairs() )
    {
        const bool isOfBody = pair.first == id || pair.second == id;
        missing += isOfBody && !std::binary_search( actual.begin(), actual.end(), pair );
    }
    return missing;
}

TEST_P( Contract, CT09_CreateProxyFormsItsPairsAtOnce )
{
    Arena arena( GetParam(), 9, spreadFor( 150 ) );
    for ( int i = 0; i < 150; ++i )
    {
        arena.bodies.createRandom( 1 );
        ASSERT_TRUE( arena.hasExpectedPairs() ) << "the set must be complete, because no box has moved";
    }
    ASSERT_GT( arena.pairCount(), 50 );
}

/// Tools and controllers move a few bodies and read their pairs at once. A new box also pairs with boxes that moved
/// since the last update.
TEST_P( Contract, CT09_FirstMovesAndLaterProxiesFormTheirPairsAtOnce )
{
    GhostPairTracker ghost; // fails the test if a pair is added twice
    Arena arena( GetParam(), 10, spreadFor( 200 ) );
    arena.cache.setInternalGhostPairCallback( &ghost );
    arena.bodies.createRandom( 200 );
    for ( int step = 0; step < 20; ++step )
    {
        arena.bodies.update();
        ASSERT_TRUE( arena.hasExpectedPairs() );
        for ( int i = 0; i < 10; ++i )
        {
            Body& body = arena.bodies.at( arena.bodies.random().below( 200 ) );
            arena.bodies.move( body, arena.bodies.randomBox() );
            ASSERT_EQ( 0, missingPairsOf( arena, body.id ) );
        }
        arena.bodies.randomizeBoxes();
        for ( int i = 0; i < 5; ++i )
        {
            const Body& body = arena.bodies.create( arena.bodies.randomBox() );
            ASSERT_EQ( 0, missingPairsOf( arena, body.id ) );
        }
    }
}

static Box shiftedLatticeCube( int i, btScalar shift )
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
        bodies.create( shiftedLatticeCube( i, 0 ) );
    }
    bodies.update();
    const auto find = [&]( const IdPair& ids )
    {
        return arena.cache.findPair( bodies.at( size_t( ids.first - 1 ) ).proxies[0],
                                     bodies.at( size_t( ids.second - 1 ) ).proxies[0] );
    };
    std::map<IdPair, const btCollisionAlgorithm*> given;
    for ( const IdPair& ids : bodies.expectedPairs() ) // leaves out additional pairs of fat boxes
    {
        given[ids] = dispatcher.giveAlgorithm( *find( ids ) );
    }
    ASSERT_GT( given.size(), 100u );

    for ( int step = 0; step < 100; ++step )
    {
        for ( int i = 0; i < 40; ++i ) // moves of at most 0.2; boxes that overlapped by 0.5 still do
        {
            bodies.move( bodies.at( size_t( i ) ),
                         shiftedLatticeCube( i, btScalar( bodies.random().between( -0.2, 0.2 ) ) ) );
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

/// Expects that `act` causes no callback and changes no byte of the array.
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
    expectUnchangedBy( GetParam(), []( Bodies& bodies ) { bodies.moveAll( withAnotherFourth ); } );
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

TEST_P( Contract, CT12_ShrinkingDropsPairsAndHits )
{
    Arena arena( GetParam() );
    Body& shrinker = arena.bodies.create( cube( 0, 0, 0, 10 ) );
    arena.bodies.create( cube( 8, 8, 8, 1 ) );
    arena.bodies.update();
    EXPECT_EQ( 1, arena.pairCount() );
    arena.bodies.move( shrinker, cube( 0, 0, 0, 1 ) );
    CollectBox hits;
    arena.broadphase.aabbTest( btVector3( 5, 5, 5 ), btVector3( 6, 6, 6 ), hits );
    EXPECT_TRUE( hits.proxies.empty() );
    arena.bodies.update();
    EXPECT_EQ( 0, arena.pairCount() );
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
