// SPDX-License-Identifier: Zlib
// Which pairs there are after calculateOverlappingPairs: CT-01 to CT-04.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

#include <cmath>

using namespace test;

class Pairs : public RigTest
{
};

/// btSimpleBroadphase promises the same as cullet here, and passing shows that the tests are fair.
INSTANTIATE_TEST_SUITE_P(, Pairs, testing::ValuesIn( exactRigs() ), rigName );

static void liveRandomly( const RigKind& kind, int bodyCount, int operationCount, uint64_t seed )
{
    const Rig rig = makeRig( kind );
    Bodies bodies( *rig.broadphase, seed, spreadFor( bodyCount ) );
    bodies.createRandom( bodyCount );
    bodies.update();
    ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
    for ( int operation = 0; operation < operationCount; )
    {
        const int burst = 1 + int( bodies.random().below( 20 ) );
        for ( int i = 0; i < burst; ++i, ++operation )
        {
            bodies.randomOperation();
        }
        bodies.update();
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) ) << "operation " << operation;
    }
}

TEST_P( Pairs, CT01_EqualOracle )
{
    for ( int bodyCount : { 1, 2, 5, 40, 300, 1500 } )
    {
        SCOPED_TRACE( bodyCount );
        liveRandomly( GetParam(), bodyCount, 200, uint64_t( bodyCount ) );
    }
}

TEST( PairsLarge, CT01_TwentyThousandBodies )
{
    const Rig rig = makeRig( culletAuto );
    Bodies bodies( *rig.broadphase, 1, spreadFor( 20000 ) );
    bodies.createRandom( 20000 );
    bodies.update();
    ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
    for ( int i = 0; i < 5000; ++i )
    {
        bodies.randomOperation();
    }
    bodies.update();
    ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
}

TEST( PairsAgainstBullet, CT02_SubsetOfDbvtAndSapAndEqualToSimple )
{
    const Rig cullet = makeRig( culletAuto );
    const Rig simple = makeRig( bulletSimple );
    const Rig dbvt = makeRig( bulletDbvt );
    const Rig sap = makeRig( bulletSap );
    Bodies bodies( { cullet.broadphase.get(), simple.broadphase.get(), dbvt.broadphase.get(), sap.broadphase.get() }, 2,
                   spreadFor( 400 ) );
    bodies.createRandom( 400 );
    for ( int step = 0; step < 60; ++step )
    {
        for ( int i = 0; i < 40; ++i )
        {
            bodies.randomOperation();
        }
        bodies.update();
        const std::vector<IdPair> ours = pairsOf( cullet.cache() );
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), ours ) );
        ASSERT_TRUE( samePairs( pairsOf( simple.cache() ), ours ) );
        for ( const Rig* fat : { &dbvt, &sap } )
        {
            const std::vector<IdPair> theirs = pairsOf( fat->cache() );
            ASSERT_TRUE( std::includes( theirs.begin(), theirs.end(), ours.begin(), ours.end() ) );
        }
    }
    bodies.destroyAll(); // btDbvtBroadphase loses the memory of proxies that outlive it
}

TEST_P( Pairs, CT03_WellFormedArray )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 3, spreadFor( 300 ) );
    bodies.createRandom( 300 );
    for ( int step = 0; step < 20; ++step )
    {
        for ( int i = 0; i < 50; ++i )
        {
            bodies.randomOperation();
        }
        bodies.update();
        const btBroadphasePairArray& array = rig.cache().getOverlappingPairArray();
        ASSERT_EQ( array.size(), rig.cache().getNumOverlappingPairs() );
        ASSERT_EQ( &array[0], rig.cache().getOverlappingPairArrayPtr() );
        std::set<IdPair> seen;
        for ( int i = 0; i < array.size(); ++i )
        {
            ASSERT_NE( nullptr, array[i].m_pProxy0 );
            ASSERT_NE( nullptr, array[i].m_pProxy1 );
            ASSERT_LT( array[i].m_pProxy0->m_uniqueId, array[i].m_pProxy1->m_uniqueId );
            ASSERT_TRUE( seen.insert( idsOf( array[i] ) ).second );
            ASSERT_EQ( &array[i], rig.cache().findPair( array[i].m_pProxy1, array[i].m_pProxy0 ) );
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

TEST_P( Pairs, CT04_TouchingPairsAndOneBitApartDoesNot )
{
    const int side = 6;
    const size_t touching = ( 16 * 16 * 16 - 6 * 6 * 6 ) / 2; // (3n-2)^3 neighbourhoods of 26, each pair seen twice
    for ( btScalar edge : { btScalar( 1 ), btScalar( 0.1 ), btScalar( 3.7 ) } )
    {
        for ( btScalar origin : { btScalar( 0 ), btScalar( -3 ) * edge, btScalar( -1000 ), btScalar( 65536 ) } )
        {
            SCOPED_TRACE( testing::Message() << "edge " << edge << " origin " << origin );
            for ( bool gap : { false, true } )
            {
                const Rig rig = makeRig( GetParam() );
                Bodies bodies( *rig.broadphase, 4, 1 );
                for ( const Box& box : lattice( side, origin, edge, gap ) )
                {
                    bodies.create( box );
                }
                bodies.update();
                ASSERT_EQ( gap ? 0 : touching, pairsOf( rig.cache() ).size() );
                ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
            }
        }
    }
}
