// SPDX-License-Identifier: Zlib
/// \file test_oracle.cpp
/// The sweep against every box tested with every other, among boxes of all kinds.
#include "demos/stress/arena.h"
#include "demos/stress/oracle.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace test
{

using namespace cullet::stress;

namespace
{

/// One third ordinary boxes, the others odd ones beside them, in the order of their uids.
std::vector<Box> mixedBoxes( std::size_t count, std::uint64_t seed )
{
    const Arena arena( count );
    Random random( seed, Purpose::operations, 0 );
    std::vector<Box> boxes;
    while ( boxes.size() < count )
    {
        const bool isOrdinary = boxes.empty() || random.oneIn( 3 );
        const Box box =
            isOrdinary ? arena.ordinary( random ) : arena.odd( boxes[random.below( boxes.size() )], random );
        boxes.push_back( random.oneIn( 50 ) ? arena.wide( random ) : box );
    }
    return boxes;
}

/// Proxies only to be told apart by their addresses.
Population populationOf( const std::vector<Box>& boxes, std::vector<btBroadphaseProxy>& proxies )
{
    Population population;
    proxies.resize( boxes.size() );
    for ( std::size_t k = 0; k < boxes.size(); ++k )
    {
        population.add( { &proxies[k], int( k + 1 ), boxes[k], 1, -1, Client::none, false, 0, 0 } );
    }
    return population;
}

/// From the definition once more, in the form of what keeps boxes apart.
bool apart( const Box& a, const Box& b )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        const btScalar coordinates[] = { a.lower[axis], a.upper[axis], b.lower[axis], b.upper[axis] };
        for ( const btScalar coordinate : coordinates )
        {
            if ( std::isnan( coordinate ) )
            {
                return true;
            }
        }
        if ( a.lower[axis] > b.upper[axis] || b.lower[axis] > a.upper[axis] )
        {
            return true;
        }
    }
    return false;
}

std::vector<PairKey> sweptPairs( const std::vector<Box>& boxes )
{
    std::vector<btBroadphaseProxy> proxies;
    const Population population = populationOf( boxes, proxies );
    std::vector<PairKey> keys;
    for ( const Overlap& overlap : findOverlaps( population ) )
    {
        EXPECT_EQ( overlap.key, pairOf( *overlap.a, *overlap.b ) );
        EXPECT_LT( overlap.a->uid, overlap.b->uid );
        keys.push_back( overlap.key );
    }
    return keys;
}

} // namespace

TEST( StressOracle, SweepFindsWhatBruteForceFinds )
{
    for ( std::uint64_t seed = 1; seed <= 20; ++seed )
    {
        const std::vector<Box> boxes = mixedBoxes( 400, seed );
        std::vector<PairKey> expected;
        for ( std::uint32_t a = 0; a < boxes.size(); ++a )
        {
            for ( std::uint32_t b = a + 1; b < boxes.size(); ++b )
            {
                if ( !apart( boxes[a], boxes[b] ) )
                {
                    expected.push_back( cullet::pairKey( a + 1, b + 1 ) );
                }
            }
        }
        EXPECT_EQ( expected, sweptPairs( boxes ) ) << "seed " << seed;
    }
}

TEST( StressOracle, TouchingCountsAndTheNextNumberDoesNot )
{
    const btScalar beyond = std::nextafter( btScalar( 1 ), btScalar( 2 ) );
    const Box first = { { 0, 0, 0 }, { 1, 1, 1 } };
    const Box touching = { { 1, 1, 1 }, { 2, 2, 2 } };
    const Box parted = { { beyond, 0, 0 }, { 2, 1, 1 } };
    EXPECT_TRUE( overlap( first, touching ) );
    EXPECT_FALSE( overlap( first, parted ) );
}

TEST( StressOracle, InvertedBoxesMeanWhatTheComparisonsSay )
{
    const Box inverted = { { 2, 0, 0 }, { 1, 1, 1 } };
    const Box around = { { 0, 0, 0 }, { 3, 1, 1 } };
    const Box between = { { btScalar( 1.2 ), 0, 0 }, { btScalar( 1.8 ), 1, 1 } };
    const std::vector<PairKey> expected = { cullet::pairKey( 1, 2 ), cullet::pairKey( 2, 3 ) };
    EXPECT_EQ( expected, sweptPairs( { inverted, around, between } ) );
}

TEST( StressOracle, InflatedBoxesReachAtLeastAsFar )
{
    const btScalar big = btScalar( 1 << 24 );
    const Box box = { { -big, 0, 0 }, { big, 1, std::numeric_limits<btScalar>::infinity() } };
    const Box larger = inflated( box, btScalar( 0.05 ) );
    EXPECT_LT( larger.lower[0], box.lower[0] );
    EXPECT_GT( larger.upper[0], box.upper[0] );
    EXPECT_LE( larger.lower[1], btScalar( -0.05 ) );
    EXPECT_GE( larger.upper[2], box.upper[2] );
}

} // namespace test
