// SPDX-License-Identifier: Zlib
/// \file test_expectation.cpp
/// The table in expectation.h, line by line, with two bodies; and what must not be in a pair array, whatever the boxes.
#include "demos/stress/expectation.h"
#include "demos/stress/fault.h"
#include "demos/stress/query_checks.h"

#include <gtest/gtest.h>

namespace test
{

using namespace cullet;
using namespace cullet::stress;

namespace
{

constexpr PairKey pair12 = pairKey( 1, 2 );

/// The detail of the fault that `check` ends with; empty if with none.
template <typename Check>
std::string complaintAbout( Check check )
{
    try
    {
        check();
    }
    catch ( const Fault& fault )
    {
        return fault.detail;
    }
    return "";
}

/// Bodies 1, 2 and 3 in the unit cube.
class UnitCubes : public testing::Test
{
protected:
    explicit UnitCubes( std::uint32_t count = 3 )
    {
        for ( std::uint32_t k = 0; k < count; ++k )
        {
            proxies[k] = btBroadphaseProxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), nullptr, 1, -1 );
            proxies[k].m_uniqueId = int( k + 1 );
            population.add(
                { &proxies[k], k + 1, { { 0, 0, 0 }, { 1, 1, 1 } }, { 1, -1 }, Client::none, false, 0, 0 } );
        }
    }

    btBroadphaseProxy proxies[3];
    Population population;
};

/// Bullet's sorted cache takes everything.
class HeldPairs : public UnitCubes
{
protected:
    std::string complaint()
    {
        return complaintAbout( [this] { readPairs( cache, population ); } );
    }

    btSortedOverlappingPairCache cache;
};

/// Bodies 1 and 2; a step follows a step.
class Expected : public UnitCubes
{
protected:
    Expected() : UnitCubes( 2 )
    {
    }

    void refuse()
    {
        a.filter.mask = 0;
        expectation.filterChanged( FilterRule::stock );
    }

    void letIn()
    {
        a.filter.mask = -1;
        expectation.filterChanged( FilterRule::stock );
    }

    void move( Body& body, double x )
    {
        body.box = { { x, 0, 0 }, { x + 1, 1, 1 } };
        body.lastSet = step;
    }

    /// An update, and the check of a cache with these pairs. Empty if they are right, else the complaint.
    std::string updateWith( const PairSet& keys )
    {
        std::vector<HeldPair> held;
        for ( const PairKey key : keys )
        {
            held.push_back( { key, nullptr } );
        }
        update();
        return complaintAbout(
            [&]
            {
                expectation.check( findOverlaps( population ), FilterRule::stock, held );
                expectation.accept( findOverlaps( population ), FilterRule::stock, held );
            } );
    }

    /// An update that nobody checks.
    void update()
    {
        expectation.updated( population, step++ );
    }

    std::uint64_t step = 1;
    Body& a = population[0];
    Body& b = population[1];
    Expectation expectation{ true };
};

} // namespace

TEST_F( HeldPairs, AreReadInOrder )
{
    cache.addOverlappingPair( &proxies[2], &proxies[1] );
    cache.addOverlappingPair( &proxies[1], &proxies[0] );
    const std::vector<HeldPair> held = readPairs( cache, population );
    ASSERT_EQ( 2u, held.size() );
    EXPECT_EQ( pair12, held[0].key );
    EXPECT_EQ( pairKey( 2, 3 ), held[1].key );
}

TEST_F( HeldPairs, HeldTwiceAreRefused )
{
    cache.addOverlappingPair( &proxies[0], &proxies[1] );
    cache.addOverlappingPair( &proxies[1], &proxies[0] );
    EXPECT_EQ( "twice (1, 2)", complaint() );
}

TEST_F( HeldPairs, InTheWrongOrderAreRefused )
{
    cache.addOverlappingPair( &proxies[0], &proxies[1] );
    std::swap( cache.getOverlappingPairArray()[0].m_pProxy0, cache.getOverlappingPairArray()[0].m_pProxy1 );
    EXPECT_EQ( "out of order (2, 1)", complaint() );
}

TEST_F( HeldPairs, OfDeadProxiesAreRefused )
{
    cache.addOverlappingPair( &proxies[0], &proxies[1] );
    population.remove( 1 );
    EXPECT_EQ( "a pair with a proxy that does not live, the other one is 1", complaint() );
}

TEST_F( Expected, OverlapIsAPair )
{
    EXPECT_EQ( "", updateWith( { pair12 } ) );
    EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
}

TEST_F( Expected, OverlapsAreBySmallerUid )
{
    std::swap( a.uid, b.uid );
    const std::vector<Overlap> overlaps = findOverlaps( population );
    ASSERT_EQ( 1u, overlaps.size() );
    EXPECT_EQ( pair12, overlaps[0].key );
    EXPECT_EQ( &b, overlaps[0].a );
    EXPECT_EQ( &a, overlaps[0].b );
}

TEST_F( Expected, NoOverlapIsNone )
{
    move( a, 5 );
    EXPECT_EQ( "", updateWith( {} ) );
    EXPECT_EQ( "extra (1, 2), which do not overlap", updateWith( { pair12 } ) );
}

TEST_F( Expected, EndedOverlapIsNone )
{
    EXPECT_EQ( "", updateWith( { pair12 } ) );
    move( a, 5 );
    EXPECT_EQ( "stale (1, 2), which overlaps no more", updateWith( { pair12 } ) );
}

TEST_F( Expected, RefusedOverlapIsNone )
{
    refuse();
    EXPECT_EQ( "extra (1, 2), which the filter refuses", updateWith( { pair12 } ) );
    EXPECT_EQ( "", updateWith( {} ) );
}

TEST_F( Expected, PairOutlivesItsFilter )
{
    updateWith( { pair12 } );
    refuse();
    EXPECT_EQ( "missing (1, 2), which still overlaps since the filter let it in", updateWith( {} ) );
    EXPECT_EQ( "", updateWith( { pair12 } ) );
}

TEST_F( Expected, RefusedPairEndsWithItsOverlap )
{
    updateWith( { pair12 } );
    refuse();
    updateWith( { pair12 } );
    move( a, 5 );
    update();
    move( a, 0 );
    EXPECT_EQ( "extra (1, 2), which the filter refuses", updateWith( { pair12 } ) );
    EXPECT_EQ( "", updateWith( {} ) );
}

TEST_F( Expected, PairLetInAgainIsFreeUntilSetAgain )
{
    refuse();
    updateWith( {} );
    letIn();
    EXPECT_EQ( "", updateWith( {} ) );
    EXPECT_EQ( 1u, expectation.freeCount() );
    update();
    b.lastSet = step;
    EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
    EXPECT_EQ( "", updateWith( { pair12 } ) );
}

TEST_F( Expected, PairIsFreeWhileAnEditIsForgottenUnlessThatIsRead )
{
    for ( const bool readsForgotten : { true, false } )
    {
        expectation = Expectation( readsForgotten );
        refuse();
        updateWith( {} );
        letIn();
        a.isForgotten = true;
        b.lastSet = step;
        EXPECT_EQ( readsForgotten ? "missing (1, 2)" : "", updateWith( {} ) );
        a.isForgotten = false;
        a.lastSet = step;
        EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
    }
}

TEST_F( Expected, FreePairThatAppearsStays )
{
    refuse();
    updateWith( {} );
    letIn();
    EXPECT_EQ( "", updateWith( { pair12 } ) );
    EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
}

TEST_F( Expected, PairTakenOutComesBackUnlessRefused )
{
    updateWith( { pair12 } );
    expectation.pairTakenOut( pair12 );
    EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
    updateWith( { pair12 } );
    refuse();
    expectation.pairTakenOut( pair12 );
    EXPECT_EQ( "extra (1, 2), which the filter refuses", updateWith( { pair12 } ) );
}

TEST( StressQuery, InflatedBoxesReachAtLeastAsFar )
{
    const double big = 1 << 24;
    const double infinite = std::numeric_limits<double>::infinity();
    const cltAabbD box = { { -big, 0, 0 }, { big, 1, infinite } };
    const cltAabbD larger = inflated( box, btScalar( 0.05 ) );
    EXPECT_LT( larger.lower[0], box.lower[0] );
    EXPECT_GT( larger.upper[0], box.upper[0] );
    EXPECT_LE( larger.lower[1], -0.05 );
    EXPECT_EQ( larger.upper[2], infinite );
}

} // namespace test
