// SPDX-License-Identifier: Zlib
// Which pairs there are after calculateOverlappingPairs: CT-01 to CT-04.
#include "contestants.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace test;

static void liveRandomly( const RigKind& kind, int bodyCount, int operationCount )
{
    Arena arena( kind, uint64_t( bodyCount ), spreadFor( bodyCount ) );
    arena.bodies.createRandom( bodyCount );
    arena.bodies.update();
    ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
    for ( int operation = 0; operation < operationCount; )
    {
        const int burst = 1 + int( arena.bodies.random().below( 20 ) );
        for ( int i = 0; i < burst; ++i, ++operation )
        {
            arena.bodies.randomOperation();
        }
        arena.bodies.update();
        ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) ) << "operation " << operation;
    }
}

TEST_P( Contract, CT01_SetEqualsOracle )
{
    for ( int bodyCount : { 1, 2, 5, 40, 300, 1500 } )
    {
        SCOPED_TRACE( bodyCount );
        liveRandomly( GetParam(), bodyCount, 200 );
    }
}

TEST_P( Contract, CT01Large_TwentyThousandBodies )
{
    Arena arena( GetParam(), 1, spreadFor( 19000 ) );
    arena.bodies.createRandom( 19000 );
    arena.bodies.update();
    ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
    for ( int i = 0; i < 5000; ++i )
    {
        arena.bodies.randomOperation();
    }
    arena.bodies.update();
    ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
}

TEST_P( Contract, CT02_SubsetOfDbvtAndSap )
{
    const Rig ours = makeRig( GetParam() );
    const Rig dbvt = makeRig( bulletDbvt );
    const Rig sap = makeRig( bulletSap );
    Bodies bodies( { ours.broadphase.get(), dbvt.broadphase.get(), sap.broadphase.get() }, 2, spreadFor( 400 ) );
    bodies.createRandom( 400 );
    for ( int step = 0; step < 60; ++step )
    {
        for ( int i = 0; i < 40; ++i )
        {
            bodies.randomOperation();
        }
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

TEST_P( Contract, CT03_WellFormedArray )
{
    Arena arena( GetParam(), 3, spreadFor( 300 ) );
    arena.bodies.createRandom( 300 );
    for ( int step = 0; step < 20; ++step )
    {
        for ( int i = 0; i < 50; ++i )
        {
            arena.bodies.randomOperation();
        }
        arena.bodies.update();
        const btBroadphasePairArray& array = arena.cache().getOverlappingPairArray();
        ASSERT_GT( array.size(), 0 );
        ASSERT_EQ( array.size(), arena.cache().getNumOverlappingPairs() );
        ASSERT_EQ( &array[0], arena.cache().getOverlappingPairArrayPtr() );
        std::set<IdPair> seen;
        for ( int i = 0; i < array.size(); ++i )
        {
            ASSERT_NE( nullptr, array[i].m_pProxy0 );
            ASSERT_NE( nullptr, array[i].m_pProxy1 );
            ASSERT_LT( array[i].m_pProxy0->m_uniqueId, array[i].m_pProxy1->m_uniqueId );
            ASSERT_TRUE( seen.insert( idsOf( array[i] ) ).second );
            ASSERT_EQ( &array[i], arena.cache().findPair( array[i].m_pProxy1, array[i].m_pProxy0 ) );
        }
    }
}

/// A lattice of side^3 boxes whose faces, edges and corners are shared to the last bit, or, with a gap, kept apart by
/// one unit in the last place.
static std::vector<Box> lattice( int side, btScalar origin, btScalar edge, bool gap )
{
    std::vector<btScalar> planes;
    for ( int i = 0; i <= side; ++i )
    {
        planes.push_back( origin + btScalar( i ) * edge );
    }
    std::vector<Box> boxes;
    for ( int cell = 0; cell < side * side * side; ++cell )
    {
        const int at[3] = { cell % side, cell / side % side, cell / side / side };
        Box box;
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] = planes[size_t( at[axis] )];
            box.upper[axis] = planes[size_t( at[axis] ) + 1];
            box.upper[axis] = gap ? std::nextafter( box.upper[axis], box.lower[axis] ) : box.upper[axis];
        }
        boxes.push_back( box );
    }
    return boxes;
}

static size_t pairsInLattice( const RigKind& kind, btScalar origin, btScalar edge, bool gap )
{
    Arena arena( kind );
    for ( const Box& box : lattice( 6, origin, edge, gap ) )
    {
        arena.bodies.create( box );
    }
    arena.bodies.update();
    return arena.pairs().size();
}

TEST_P( Contract, CT04_TouchingPairsAndOneBitApartDoesNot )
{
    const size_t touching = ( 16 * 16 * 16 - 6 * 6 * 6 ) / 2; // (3n-2)^3 neighbourhoods of 26, each pair seen twice
    for ( btScalar edge : { btScalar( 1 ), btScalar( 0.1 ), btScalar( 3.7 ) } )
    {
        for ( btScalar origin : { btScalar( 0 ), btScalar( -3 ) * edge, btScalar( -900 ), btScalar( 65536 ) } )
        {
            SCOPED_TRACE( testing::Message() << "edge " << edge << " origin " << origin );
            EXPECT_EQ( touching, pairsInLattice( GetParam(), origin, edge, false ) );
            EXPECT_EQ( 0u, pairsInLattice( GetParam(), origin, edge, true ) );
        }
    }
}
