// SPDX-License-Identifier: Zlib
// Ray casts against slabs in long double: a box that is clearly met must be reported, one that is clearly missed must
// not, and between the two lies only rounding.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <cmath>
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

/// Whether the segment meets the box grown by `growth` on every side, and where it gets in.
bool slabsMeet( const Segment& segment, const cltAabbD& box, long double growth, long double& enter )
{
    enter = 0;
    long double exit = 1;
    for ( int axis = 0; axis < 3; ++axis )
    {
        long double from = segment.from[axis];
        long double way = segment.to[axis] - from;
        long double toLower = box.lower[axis] - growth - from;
        long double toUpper = box.upper[axis] + growth - from;
        if ( way == 0 )
        {
            if ( toLower > 0 || toUpper < 0 )
            {
                return false;
            }
            continue;
        }
        enter = std::max( enter, std::min( toLower / way, toUpper / way ) );
        exit = std::min( exit, std::max( toLower / way, toUpper / way ) );
    }
    return enter <= exit;
}

class Rays : public testing::TestWithParam<cltPrecision>
{
protected:
    World world{ defOf( clt_algorithmAuto, GetParam() ) };
    Random random{ 7 };

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

    Segment randomSegment( double reach )
    {
        Segment segment;
        for ( int axis = 0; axis < 3; ++axis )
        {
            segment.from[axis] = random.between( -reach, reach );
            segment.to[axis] = random.below( 4 ) == 0 ? segment.from[axis] : random.between( -reach, reach );
        }
        return segment;
    }

    /// Each proxy that is met by more than rounding is hit once, none that is missed by more than rounding.
    void expectRight( const Segment& segment, double rounding )
    {
        std::vector<Hit> hits = cast( segment );
        size_t next = 0;
        for ( const auto& [id, proxy] : world.proxies() )
        {
            bool isHit = next < hits.size() && hits[next].proxy == id;
            long double enter;
            bool mayHit = slabsMeet( segment, proxy.box, rounding, enter );
            EXPECT_TRUE( mayHit || !isHit ) << "proxy " << id << " is missed clearly";
            bool mustHit = slabsMeet( segment, proxy.box, -rounding, enter );
            EXPECT_TRUE( isHit || !mustHit ) << "proxy " << id << " is met clearly";
            if ( isHit )
            {
                slabsMeet( segment, proxy.box, 0, enter );
                EXPECT_NEAR( static_cast<double>( enter ), hits[next].fraction, 1e-6 );
            }
            next += isHit;
        }
        EXPECT_EQ( hits.size(), next ) << "a hit twice, or one too many";
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Rays, testing::ValuesIn( allPrecisions ), precisionName );

TEST_P( Rays, RandomSegments )
{
    world.createAll( randomCubes( random, 200, 5 ) );
    size_t hitCount = 0;
    for ( int repeat = 0; repeat < 300; ++repeat )
    {
        Segment segment = randomSegment( 6 );
        expectRight( segment, 1e-12 );
        hitCount += cast( segment ).size();
    }
    EXPECT_GT( hitCount, 500u );
}

TEST_P( Rays, SeeEveryChangeAtOnce )
{
    Ids proxies = world.createAll( randomCubes( random, 60, 2 ) );
    world.update();
    for ( int round = 0; round < 30; ++round )
    {
        world.move( proxies[random.below( 30 )], randomCube( random, 2 ) );
        world.destroy( proxies.back() );
        proxies.pop_back();
        expectRight( randomSegment( 3 ), 1e-12 );
    }
}

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

/// Shortens the segment to each hit, as a search for the closest does.
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
