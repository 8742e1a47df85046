// SPDX-License-Identifier: Zlib
// Casts of one segment: touching, odd boxes, refused segments, and what callbacks return. test_cast_rays.cpp compares
// random segments with their exact test.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <limits>

using namespace test;

namespace
{

struct Segment
{
    double from[3];
    double to[3];
};

struct Hit
{
    cltProxyId proxy;
    double fraction;
};

double collect( cltProxyId proxy, uint64_t, double fraction, double maxFraction, void* context )
{
    static_cast<std::vector<Hit>*>( context )->push_back( { proxy, fraction } );
    return maxFraction;
}

class Rays : public testing::TestWithParam<cltPrecision>
{
protected:
    World world{ defOf( clt_algorithmAuto, GetParam() ) };

    std::vector<Hit> cast( const Segment& segment ) const
    {
        std::vector<Hit> hits;
        EXPECT_EQ( clt_ok, cltBroadphase_CastRay( world.broadphase(), segment.from, segment.to, collect, &hits ) );
        std::sort( hits.begin(), hits.end(), []( const Hit& a, const Hit& b ) { return a.proxy < b.proxy; } );
        return hits;
    }

    Ids castIds( const Segment& segment ) const
    {
        Ids ids;
        for ( const Hit& hit : cast( segment ) )
        {
            ids.push_back( hit.proxy );
        }
        return ids;
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Rays, testing::ValuesIn( allPrecisions ), precisionName );

TEST_P( Rays, TouchingFacesEdgesAndCorners )
{
    const Ids hit = { world.create( span( 0, 2 ) ) };
    EXPECT_EQ( hit, castIds( { { -1, 2, 1 }, { 3, 2, 1 } } ) ); // along a face
    EXPECT_EQ( hit, castIds( { { -1, 2, 2 }, { 3, 2, 2 } } ) ); // along an edge
    EXPECT_EQ( hit, castIds( { { 1, 3, 1 }, { 3, 1, 1 } } ) );  // across an edge
    EXPECT_EQ( hit, castIds( { { 3, 1, 2 }, { 1, 3, 2 } } ) );  // through one point of an edge, at its end
    EXPECT_EQ( hit, castIds( { { -1, 1, 1 }, { 0, 1, 1 } } ) ); // ends on a face
    EXPECT_EQ( hit, castIds( { { 2, 2, 2 }, { 5, 5, 5 } } ) );  // starts at a corner
    EXPECT_EQ( hit, castIds( { { 2, 2, 2 }, { 2, 2, 2 } } ) );  // is a point
    const double most = std::numeric_limits<double>::max();
    EXPECT_EQ( hit, castIds( { { -most, 1, 1 }, { most, 1, 1 } } ) ); // is as long as can be
    EXPECT_EQ( Ids(), castIds( { { -most, 3, 1 }, { most, 3, 1 } } ) );
    EXPECT_EQ( Ids(), castIds( { { 2, 2, 2.5 }, { 2, 2, 2.5 } } ) );
    EXPECT_EQ( Ids(), castIds( { { -1, 2.001, 1 }, { 3, 2.001, 1 } } ) );
    EXPECT_EQ( Ids(), castIds( { { -1, 1, 1 }, { -0.001, 1, 1 } } ) );
    EXPECT_EQ( Ids(), castIds( { { 1, 3.001, 1 }, { 3, 1.001, 1 } } ) );
}

TEST_P( Rays, OddBoxes )
{
    cltProxyId infinite = world.create( span( -infinity, infinity ) );
    cltProxyId half = world.create( { { -infinity, -infinity, 1 }, { infinity, infinity, infinity } } );
    world.create( { { 0, 0, 0 }, { 1, notANumber, 1 } } );
    world.create( span( 1, -1 ) ); // inverted: no point lies in it
    EXPECT_EQ( ( Ids{ infinite, half } ), castIds( { { 0, 0, 0 }, { 0, 0, 4 } } ) );
    std::vector<Hit> hits = cast( { { 0, 0, 0 }, { 0, 0, 4 } } );
    ASSERT_EQ( 2u, hits.size() );
    EXPECT_EQ( 0.0, hits[0].fraction ); // it starts inside
    EXPECT_NEAR( 0.25, hits[1].fraction, 1e-12 );
}

TEST_P( Rays, SegmentsThatAreNotFiniteAreRefused )
{
    world.create( span( -infinity, infinity ) );
    for ( double bad : { notANumber, infinity, -infinity } )
    {
        for ( int place = 0; place < 6; ++place )
        {
            Segment segment = { { 0, 0, 0 }, { 1, 1, 1 } };
            ( place < 3 ? segment.from : segment.to )[place % 3] = bad;
            std::vector<Hit> hits;
            EXPECT_EQ( clt_invalidArgument,
                       cltBroadphase_CastRay( world.broadphase(), segment.from, segment.to, collect, &hits ) );
            EXPECT_TRUE( hits.empty() );
        }
    }
}

namespace
{

/// Shortens the segment to each hit, as a search for the closest hit does.
struct Closest
{
    int calls = 0;
    double fraction = 1;
};

double keepClosest( cltProxyId, uint64_t, double fraction, double maxFraction, void* context )
{
    Closest* closest = static_cast<Closest*>( context );
    EXPECT_LE( fraction, maxFraction );
    EXPECT_EQ( closest->fraction, maxFraction );
    ++closest->calls;
    closest->fraction = fraction;
    return fraction;
}

} // namespace

TEST_P( Rays, CallbackShortensTheSegment )
{
    for ( int x : { 40, 10, 30, 20, 5, 50 } )
    {
        world.create( cube( x, 0, 0, 1 ) );
    }
    const double from[3] = { 0, 0, 0 };
    const double to[3] = { 100, 0, 0 };
    Closest closest;
    EXPECT_EQ( clt_ok, cltBroadphase_CastRay( world.broadphase(), from, to, keepClosest, &closest ) );
    EXPECT_EQ( 3, closest.calls ); // 40, 10, 5: what lies behind an earlier hit is not met
    EXPECT_NEAR( 0.04, closest.fraction, 1e-12 );
}

TEST_P( Rays, CallbackStopsTheCast )
{
    world.createAll( Boxes( 5, span( 2, 3 ) ) );
    const double from[3] = { 0, 2.5, 2.5 };
    const double to[3] = { 9, 2.5, 2.5 };
    int calls = 0;
    const auto stop = []( cltProxyId, uint64_t, double, double, void* context )
    { return 0.0 * ++*static_cast<int*>( context ); };
    EXPECT_EQ( clt_ok, cltBroadphase_CastRay( world.broadphase(), from, to, stop, &calls ) );
    EXPECT_EQ( 1, calls );
}
