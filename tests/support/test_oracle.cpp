// SPDX-License-Identifier: Zlib
// The oracle's own tests: the sweep against brute force over boxes of all kinds, and the definition of an overlap.
#include "demos/oracle/arena.h"

#include <gtest/gtest.h>
#include <limits>

namespace test
{

using namespace cullet;

namespace
{

/// A third of the boxes are ordinary. Most others are infinite, inverted, points or with a NaN, beside an earlier box.
std::vector<cltAabbD> mixedBoxes( std::size_t count, std::uint64_t seed, cltPrecision precision )
{
    const Arena arena( count, precision );
    Random random( seed );
    std::vector<cltAabbD> boxes = { arena.ordinary( random ) };
    while ( boxes.size() < count )
    {
        const cltAabbD neighbour = boxes[random.below( boxes.size() )];
        const cltAabbD box = random.oneIn( 3 ) ? arena.ordinary( random ) : arena.odd( neighbour, random );
        boxes.push_back( random.oneIn( 50 ) ? arena.wide( random ) : box );
    }
    return boxes;
}

PairSet sweptPairsOf( const std::vector<cltAabbD>& boxes, const std::vector<cltFilter>& filters, int axis )
{
    std::vector<Candidate<cltAabbD>> candidates;
    for ( std::uint32_t k = 0; k < boxes.size(); ++k )
    {
        candidates.push_back( { boxes[k], filters[k], k } );
    }
    return sweptPairs( candidates, axis );
}

/// The definition of an overlap once more, negated: two boxes are apart if an axis separates them.
bool apart( const cltAabbD& a, const cltAabbD& b )
{
    bool isApart = hasNan( a ) || hasNan( b );
    for ( int axis = 0; axis < 3; ++axis )
    {
        isApart = isApart || a.lower[axis] > b.upper[axis] || b.lower[axis] > a.upper[axis];
    }
    return isApart;
}

PairSet notApart( const std::vector<cltAabbD>& boxes, const std::vector<cltFilter>& filters )
{
    PairSet pairs;
    for ( std::uint32_t a = 0; a < boxes.size(); ++a )
    {
        for ( std::uint32_t b = a + 1; b < boxes.size(); ++b )
        {
            if ( !apart( boxes[a], boxes[b] ) && mayPair( filters[a], filters[b] ) )
            {
                pairs.push_back( pairKey( a, b ) );
            }
        }
    }
    return pairs;
}

} // namespace

TEST( Oracle, SweepEqualsBruteForce )
{
    for ( std::uint64_t seed = 1; seed <= 20; ++seed )
    {
        const std::vector<cltAabbD> boxes =
            mixedBoxes( 400, seed, seed % 2 == 0 ? clt_precisionFloat : clt_precisionDouble );
        std::vector<cltFilter> filters( boxes.size(), { 1, -1 } );
        filters[seed] = { 2, -2 };
        filters[3 * seed] = { 2, 2 };
        const PairSet expected = notApart( boxes, filters );
        EXPECT_LT( 400u, expected.size() );
        for ( int axis = 0; axis < 3; ++axis )
        {
            EXPECT_EQ( expected, sweptPairsOf( boxes, filters, axis ) ) << "seed " << seed << ", axis " << axis;
        }
    }
}

TEST( Oracle, BoxesHaveCoordinatesOfThePrecision )
{
    for ( const cltPrecision precision : { clt_precisionFloat, clt_precisionDouble } )
    {
        bool isAnyBeyondFloat = false;
        for ( const cltAabbD& box : mixedBoxes( 400, 5, precision ) )
        {
            isAnyBeyondFloat = isAnyBeyondFloat || box.lower[0] > toDouble( toFloat( box ) ).lower[0];
        }
        EXPECT_EQ( precision == clt_precisionDouble, isAnyBeyondFloat );
    }
}

TEST( Oracle, OverlapIncludesTouchingBoxesAndTestsInvertedOnesInTheSameWay )
{
    const cltAabbD first = { { 0, 0, 0 }, { 1, 1, 1 } }, inverted = { { 2, 0, 0 }, { 1, 1, 1 } };
    EXPECT_TRUE( overlap( first, cltAabbD{ { 1, 1, 1 }, { 2, 2, 2 } } ) );
    EXPECT_FALSE( overlap( first, cltAabbD{ { std::nextafter( 1.0, 2.0 ), 0, 0 }, { 2, 1, 1 } } ) );
    EXPECT_TRUE( overlap( inverted, cltAabbD{ { 0, 0, 0 }, { 3, 1, 1 } } ) );
    EXPECT_FALSE( overlap( inverted, cltAabbD{ { 1.2, 0, 0 }, { 1.8, 1, 1 } } ) );
}

TEST( Oracle, NamesTheFirstWrongPair )
{
    const PairSet expected = { pairKey( 1, 2 ), pairKey( 1, 3 ), pairKey( 4, 2 ) };
    EXPECT_EQ( "", firstWrongPair( expected, expected, true ) );
    EXPECT_EQ( "misses 2 of 3 pairs, first (1, 3)", firstWrongPair( { pairKey( 1, 2 ) }, expected, true ) );
    EXPECT_EQ( "reports 1 pairs too many, first (7, 8)",
               firstWrongPair( { expected[0], expected[1], expected[2], pairKey( 8, 7 ) }, expected, true ) );
    EXPECT_EQ( "", firstWrongPair( { expected[0], expected[1], expected[2], pairKey( 8, 7 ) }, expected, false ) );
    EXPECT_EQ( "reports pair (1, 2) twice", firstWrongPair( { expected[0], expected[0] }, expected, false ) );
    EXPECT_EQ( "reports its pairs out of order", firstWrongPair( { expected[2], expected[0] }, expected, false ) );
}

TEST( Oracle, ReportedPairsApplyChangesAndNameContradictions )
{
    const PairKey a = pairKey( 1, 2 ), b = pairKey( 1, 3 ), c = pairKey( 2, 4 );
    ReportedPairs reported;
    EXPECT_EQ( "", reported.add( { a, c }, {} ) );
    EXPECT_EQ( "", reported.add( { b }, { a } ) );
    EXPECT_EQ( ( PairSet{ b, c } ), reported.pairs() );
    EXPECT_EQ( "the previous and the begun pairs: reports pair (1, 3) twice", reported.add( { b }, {} ) );
    EXPECT_EQ( "reports the end of what was no pair, or out of order", ReportedPairs().add( { a, b }, { c } ) );
    EXPECT_EQ( "reports the end of what was no pair, or out of order", ReportedPairs().add( { a, b }, { b, a } ) );
    EXPECT_EQ( "the previous and the begun pairs: reports its pairs out of order",
               ReportedPairs().add( { b, a }, {} ) );
}

} // namespace test
