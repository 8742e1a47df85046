// SPDX-License-Identifier: Zlib
// Pairs after calculateOverlappingPairs, and those right after createProxy and setAabb: CT-01 to CT-04 and CT-09.
#include "contestants.h"

#include <algorithm>
#include <cmath>

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
    const int touching = ( 16 * 16 * 16 - 6 * 6 * 6 ) / 2; // n = 6: (3n-2)^3 neighbourhoods, each pair counted twice
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
