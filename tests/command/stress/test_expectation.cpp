// SPDX-License-Identifier: Zlib
/// \file test_expectation.cpp
/// The table in expectation.h, line by line, with two bodies; and pair arrays that are wrong for any boxes.
#include "demos/stress/expectation.h"

#include <gtest/gtest.h>

namespace test
{

using namespace cullet;
using namespace cullet::stress;

namespace
{

constexpr PairKey pair12 = pairKey( 1, 2 );

/// The detail of the fault that `check` throws; empty if it throws none.
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
    UnitCubes()
    {
        for ( std::uint32_t k = 0; k < 3; ++k )
        {
            proxies[k] = btBroadphaseProxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), nullptr, 1, -1 );
            proxies[k].m_uniqueId = int( k + 1 );
            population.add( { { k + 1, { 1, -1 } }, &proxies[k], { { 0, 0, 0 }, { 1, 1, 1 } }, false, 0, 0, false } );
        }
    }

    btBroadphaseProxy proxies[3];
    Population population;
};

/// Bodies 1 and 2, and a count of steps.
class Expected : public UnitCubes
{
protected:
    Expected()
    {
        population.remove( 2 );
    }

    void setMask( int mask )
    {
        a.filter.mask = mask;
        expectation->filterChanged( nullptr );
    }

    void move( Body& body, double x )
    {
        body.box = { { x, 0, 0 }, { x + 1, 1, 1 } };
        body.lastSet = step;
    }

    /// Updates, then checks a cache with these pairs. Returns the complaint, empty if they are right.
    std::string updateWith( const PairSet& held )
    {
        update();
        return complaintAbout(
            [&]
            {
                expectation->check( findOverlaps( population ), held );
                expectation->accept( findOverlaps( population ), held, step );
            } );
    }

    void takeOut()
    {
        expectation->pairsTakenOut( []( PairKey key ) { return key == pair12; } );
    }

    /// An update without a check.
    void update()
    {
        expectation->updated( step++ );
    }

    std::uint64_t step = 1;
    Body& a = population[0];
    Body& b = population[1];
    std::optional<Expectation> expectation{ std::in_place, population, true };
};

} // namespace

TEST_F( UnitCubes, ReadPairsSortsValidPairsAndRejectsOthers )
{
    btSortedOverlappingPairCache cache; // takes everything
    cache.addOverlappingPair( &proxies[1], &proxies[2] );
    cache.addOverlappingPair( &proxies[0], &proxies[1] );
    const std::vector<HeldPair> held = readPairs( cache, population );
    ASSERT_EQ( 2u, held.size() );
    EXPECT_EQ( pair12, held[0].key );
    EXPECT_EQ( pairKey( 2, 3 ), held[1].key );

    const auto complaint = [&] { return complaintAbout( [&] { readPairs( cache, population ); } ); };
    cache.addOverlappingPair( &proxies[1], &proxies[0] );
    EXPECT_EQ( "twice (1, 2)", complaint() );
    std::swap( cache.getOverlappingPairArray()[1].m_pProxy0, cache.getOverlappingPairArray()[1].m_pProxy1 );
    EXPECT_EQ( "out of order (2, 1)", complaint() );
    population.remove( 2 );
    EXPECT_EQ( "a pair with a proxy that does not live, the other one is 2", complaint() );
}

TEST_F( Expected, OverlappingBodiesMustBeAPairAndOthersMustNot )
{
    EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
    EXPECT_EQ( "", updateWith( { pair12 } ) );
    move( a, 5 );
    EXPECT_EQ( "stale (1, 2), which overlaps no more", updateWith( { pair12 } ) );
    EXPECT_EQ( "", updateWith( {} ) );
    EXPECT_EQ( "extra (1, 2), which do not overlap", updateWith( { pair12 } ) );
}

TEST_F( Expected, RejectedOverlapIsAPairOnlyIfItWasOne )
{
    setMask( 0 );
    EXPECT_EQ( "extra (1, 2), which the filter refuses", updateWith( { pair12 } ) );
    EXPECT_EQ( "", updateWith( {} ) );
    setMask( -1 );
    EXPECT_EQ( "", updateWith( { pair12 } ) );
    EXPECT_EQ( "missing (1, 2)", updateWith( {} ) ) << "a free pair that has appeared stays";
    setMask( 0 );
    EXPECT_EQ( "missing (1, 2), which still overlaps since the filter let it in", updateWith( {} ) );
    EXPECT_EQ( "", updateWith( { pair12 } ) );
}

TEST_F( Expected, RejectedPairEndsWithItsOverlap )
{
    updateWith( { pair12 } );
    setMask( 0 );
    updateWith( { pair12 } );
    move( a, 5 );
    update();
    move( a, 0 );
    EXPECT_EQ( "extra (1, 2), which the filter refuses", updateWith( { pair12 } ) );
    EXPECT_EQ( "", updateWith( {} ) );
}

TEST_F( Expected, NewlyAcceptedPairIsFreeUntilABoxIsSet )
{
    setMask( 0 );
    updateWith( {} );
    setMask( -1 );
    EXPECT_EQ( "", updateWith( {} ) );
    EXPECT_EQ( 1u, expectation->freeCount() );
    update();
    b.lastSet = step;
    EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
    EXPECT_EQ( "", updateWith( { pair12 } ) );
}

TEST_F( Expected, PairIsFreeWhileAnEditIsUnreadUnlessAllEditsAreRead )
{
    for ( const bool readsForgotten : { true, false } )
    {
        expectation.emplace( population, readsForgotten );
        setMask( 0 );
        updateWith( {} );
        setMask( -1 );
        a.isForgotten = true;
        b.lastSet = step;
        EXPECT_EQ( readsForgotten ? "missing (1, 2)" : "", updateWith( {} ) );
        a.isForgotten = false;
        a.lastSet = step;
        EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
    }
}

TEST_F( Expected, RemovedPairReturnsUnlessRejected )
{
    updateWith( { pair12 } );
    takeOut();
    EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
    updateWith( { pair12 } );
    setMask( 0 );
    takeOut();
    EXPECT_EQ( "extra (1, 2), which the filter refuses", updateWith( { pair12 } ) );
}

} // namespace test
