// SPDX-License-Identifier: Zlib
/// \file test_expectation.cpp
/// The table in expectation.h, line by line, with two bodies.
#include "demos/stress/expectation.h"
#include "demos/stress/fault.h"

#include <gtest/gtest.h>

namespace test
{

using namespace cullet::stress;

namespace
{

constexpr PairKey pair12 = cullet::pairKey( 1, 2 );

/// Two bodies that overlap; a step follows a step.
class Expected : public testing::Test
{
protected:
    Expected()
    {
        const Box box = { { 0, 0, 0 }, { 1, 1, 1 } };
        a = &population.add( { &proxies[0], 1, box, 1, -1, Client::none, false, 0, 0 } );
        b = &population.add( { &proxies[1], 2, box, 1, -1, Client::none, false, 0, 0 } );
    }

    void refuse()
    {
        a->mask = 0;
        expectation.filterChanged( FilterRule::stock );
    }

    void letIn()
    {
        a->mask = -1;
        expectation.filterChanged( FilterRule::stock );
    }

    void move( Body& body, btScalar x )
    {
        body.box = { { x, 0, 0 }, { x + 1, 1, 1 } };
        body.lastSet = step;
    }

    /// An update, and the check of a cache with these pairs. Empty if they are right, else the complaint.
    std::string updateWith( const std::vector<PairKey>& keys )
    {
        std::vector<HeldPair> held;
        for ( const PairKey key : keys )
        {
            held.push_back( { key, nullptr } );
        }
        expectation.updated( population, step );
        ++step;
        try
        {
            std::vector<Overlap> overlaps = findOverlaps( population );
            expectation.check( overlaps, FilterRule::stock, held );
            expectation.accept( std::move( overlaps ), FilterRule::stock, held );
        }
        catch ( const Fault& fault )
        {
            return fault.detail;
        }
        return "";
    }

    /// An update that nobody checks.
    void update()
    {
        expectation.updated( population, step++ );
    }

    std::uint64_t step = 1;
    btBroadphaseProxy proxies[2];
    Population population;
    Body* a;
    Body* b;
    Expectation expectation{ true };
};

} // namespace

TEST_F( Expected, OverlapIsAPair )
{
    EXPECT_EQ( "", updateWith( { pair12 } ) );
    EXPECT_EQ( "missing (1, 2)", updateWith( {} ) );
}

TEST_F( Expected, NoOverlapIsNone )
{
    move( *a, 5 );
    EXPECT_EQ( "", updateWith( {} ) );
    EXPECT_EQ( "extra (1, 2), which do not overlap", updateWith( { pair12 } ) );
}

TEST_F( Expected, EndedOverlapIsNone )
{
    EXPECT_EQ( "", updateWith( { pair12 } ) );
    move( *a, 5 );
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
    move( *a, 5 );
    update();
    move( *a, 0 );
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
    b->lastSet = step;
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
        a->isForgotten = true;
        b->lastSet = step;
        EXPECT_EQ( readsForgotten ? "missing (1, 2)" : "", updateWith( {} ) );
        a->isForgotten = false;
        a->lastSet = step;
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

} // namespace test
