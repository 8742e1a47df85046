// SPDX-License-Identifier: Zlib
// Many rays, with every instruction set, against a copy of btRayAabb2; single segments of any size against their exact
// test; odd rays and segments; and what callbacks return.
#include "cullet_queries.h"
#include "gpu/core/segment.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <algorithm>
#include <tuple>

using namespace test;

namespace
{

/// A ray's index, a proxy, and the length at which the ray enters the proxy's box.
using Hit = std::tuple<size_t, cltProxyId, double>;

double collect( size_t ray, cltProxyId proxy, uint64_t, double enter, double length, void* context )
{
    static_cast<std::vector<Hit>*>( context )->emplace_back( ray, proxy, enter );
    return length;
}

template <typename Scalar>
Scalar clamped( double value )
{
    const double most = double( std::numeric_limits<Scalar>::max() );
    return Scalar( std::max( -most, std::min( most, value ) ) );
}

/// Copies btRayAabb2 (Bullet 3.24, LinearMath/btAabbUtil2.h): the same comparisons, in the same order and precision.
template <typename Scalar>
bool bulletsRule( const cltRay& ray, const cltAabbD& box, double& enter )
{
    Scalar in[3];
    Scalar out[3];
    for ( int axis = 0; axis < 3; ++axis )
    {
        const Scalar bounds[2] = { Scalar( box.lower[axis] ) - clamped<Scalar>( ray.swept.upper[axis] ),
                                   Scalar( box.upper[axis] ) - clamped<Scalar>( ray.swept.lower[axis] ) };
        const bool sign = ray.inverse[axis] < 0;
        const Scalar from = clamped<Scalar>( ray.from[axis] );
        const Scalar inverse = clamped<Scalar>( ray.inverse[axis] );
        in[axis] = ( bounds[sign] - from ) * inverse;
        out[axis] = ( bounds[1 - sign] - from ) * inverse;
    }
    if ( in[0] > out[1] || in[1] > out[0] )
    {
        return false;
    }
    in[0] = in[1] > in[0] ? in[1] : in[0];
    out[0] = out[1] < out[0] ? out[1] : out[0];
    if ( in[0] > out[2] || in[2] > out[0] )
    {
        return false;
    }
    in[0] = in[2] > in[0] ? in[2] : in[0];
    out[0] = out[2] < out[0] ? out[2] : out[0];
    enter = in[0] > 0 ? double( in[0] ) : 0.0;
    return in[0] < clamped<Scalar>( ray.length ) && out[0] > 0;
}

struct Segment
{
    double from[3];
    double to[3];
};

double collectOnSegment( cltProxyId proxy, uint64_t, double, double maxFraction, void* context )
{
    static_cast<Ids*>( context )->push_back( proxy );
    return maxFraction;
}

class CastRays : public testing::TestWithParam<Config>
{
protected:
    World world{ defOf( GetParam() ) };
    Random random{ 3 };

    std::vector<Hit> cast( const std::vector<cltRay>& rays ) const
    {
        std::vector<Hit> hits;
        EXPECT_EQ( clt_ok, cltBroadphase_CastRays( world.broadphase(), rays.size(), rays.data(), collect, &hits ) );
        EXPECT_TRUE( std::is_sorted( hits.begin(), hits.end(),
                                     []( const Hit& a, const Hit& b )
                                     { return std::get<0>( a ) < std::get<0>( b ); } ) )
            << "one ray after the other";
        std::sort( hits.begin(), hits.end() );
        return hits;
    }

    std::vector<Hit> expected( const std::vector<cltRay>& rays ) const
    {
        const bool isDouble = GetParam().precision == clt_precisionDouble;
        std::vector<Hit> hits;
        for ( size_t ray = 0; ray < rays.size(); ++ray )
        {
            for ( const auto& [id, proxy] : world.proxies() )
            {
                double enter;
                if ( !hasNan( proxy.box ) && ( isDouble ? bulletsRule<double>( rays[ray], proxy.box, enter )
                                                        : bulletsRule<float>( rays[ray], proxy.box, enter ) ) )
                {
                    hits.emplace_back( ray, id, enter );
                }
            }
        }
        return hits;
    }

    size_t expectRight( const std::vector<cltRay>& rays ) const
    {
        const std::vector<Hit> right = expected( rays );
        EXPECT_EQ( right, cast( rays ) );
        return right.size();
    }

    /// A random number. Half are from a coarse grid, so that some rays touch boxes, slide along faces or start on them.
    double coordinate()
    {
        return random.below( 2 ) ? random.between( -5, 5 ) : random.below( 11 ) - 5.0;
    }

    cltRay randomRay()
    {
        double from[3];
        double to[3];
        for ( int axis = 0; axis < 3; ++axis )
        {
            from[axis] = coordinate();
            to[axis] = random.below( 4 ) ? coordinate() : from[axis];
        }
        cltRay ray = cltRayBetween( from, to );
        const double lengths[] = { 1, 0.5, 0, 3, 1e30, infinity };
        ray.length = lengths[random.below( 6 )];
        if ( random.below( 3 ) == 0 )
        {
            const double odd[] = { 1e30, -1e30, 1e18, infinity, -infinity, 1e-20 };
            ray.inverse[random.below( 3 )] = odd[random.below( 6 )];
        }
        if ( random.below( 3 ) == 0 )
        {
            const double far = random.below( 2 ) ? 1e7 : 0.25; // far beyond all boxes: sums are rounded
            ray.swept = { { -0.1, -0.5, 0 }, { 1, far, 0 } };
        }
        return ray;
    }

    void createScaled( cltAabbD box, double scale )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] *= scale;
            box.upper[axis] *= scale;
        }
        world.create( world.roundedToPrecision( box ) );
    }

    /// A random segment; along some axes both ends have the same coordinate.
    Segment randomSegment( double scale )
    {
        Segment segment;
        for ( int axis = 0; axis < 3; ++axis )
        {
            segment.from[axis] = scale * coordinate();
            segment.to[axis] = random.below( 3 ) ? scale * coordinate() : segment.from[axis];
        }
        return segment;
    }

    /// Compares the hits of a segment with those of the exact test. Returns their number.
    size_t expectRight( const Segment& segment ) const
    {
        const cltSegment exact = cltSegment_Make( segment.from, segment.to );
        Ids right;
        for ( const auto& [id, proxy] : world.proxies() )
        {
            double enter;
            if ( cltSegment_Meets( &exact, &proxy.box, 1.0, &enter ) )
            {
                right.push_back( id );
            }
        }
        Ids hits;
        EXPECT_EQ( clt_ok,
                   cltBroadphase_CastRay( world.broadphase(), segment.from, segment.to, collectOnSegment, &hits ) );
        std::sort( hits.begin(), hits.end() );
        EXPECT_EQ( right, hits );
        return right.size();
    }

    std::vector<cltRay> randomRays( size_t count )
    {
        std::vector<cltRay> rays( count );
        std::generate( rays.begin(), rays.end(), [this] { return randomRay(); } );
        return rays;
    }

    cltAabbD oddBox()
    {
        switch ( random.below( 16 ) )
        {
        case 0:
            return { { 0, notANumber, 0 }, { 1, 1, 1 } };
        case 1:
            return span( -infinity, infinity );
        case 2:
            return span( 2, -2 );
        case 3:
            return { { -infinity, 0, 0 }, { 1, 1, infinity } };
        case 4:
            return { { coordinate(), 1, 1 }, { 1, 2, 1 } };
        case 5:
            return { { 1, -infinity, -infinity }, { 0, infinity, infinity } }; // a hit, although it is inverted
        default:
            return cube( random.below( 9 ) - 4.0, random.below( 9 ) - 4.0, coordinate(), 0.5 );
        }
    }
};

std::vector<Config> castConfigs()
{
    std::vector<Config> configs;
    for ( cltPrecision precision : allPrecisions )
    {
        for ( cltSimd simd : allSimds )
        {
            if ( isUsable( simd ) )
            {
                configs.push_back( { testDevice, clt_algorithmAuto, precision, 1, simd } );
            }
        }
    }
    return configs;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, CastRays, testing::ValuesIn( castConfigs() ), configName );

TEST_P( CastRays, MeetTheBoxesOfBulletsRayTest )
{
    for ( int i = 0; i < 400; ++i )
    {
        world.create( oddBox() );
    }
    size_t hitCount = expectRight( randomRays( 300 ) ); // boxes are in no tree, then in the tree of queries
    world.update();
    hitCount += expectRight( randomRays( 300 ) ); // in the tree of the update
    for ( cltProxyId proxy = 0; proxy < 60; ++proxy )
    {
        world.move( proxy, oddBox() );
        hitCount += expectRight( randomRays( 10 ) );
    }
    EXPECT_GT( hitCount, 3000u );
}

/// The directions have almost no length, and the rays are long enough to pass boxes nevertheless.
TEST_P( CastRays, OfTinyDirectionsMeetTheBoxes )
{
    world.createAll( randomCubes( random, 300, 5 ) );
    world.update();
    std::vector<cltRay> rays;
    for ( int exponent = 0; exponent < 45; ++exponent )
    {
        for ( int repeat = 0; repeat < 10; ++repeat )
        {
            cltRay ray = {};
            for ( int axis = 0; axis < 3; ++axis )
            {
                const bool isParallel = random.oneIn( 4 );
                ray.from[axis] = random.between( -6, 6 );
                ray.inverse[axis] =
                    isParallel ? 1e18 : std::pow( 10.0, exponent ) / random.between( random.oneIn( 2 ) ? -1 : 0.1, 1 );
            }
            ray.length = 10 * std::pow( 10.0, exponent );
            rays.push_back( ray );
        }
    }
    EXPECT_GT( expectRight( rays ), 500u );
}

/// Distances to the box exceed the range of float, but not its bounds.
TEST_P( CastRays, FromBeyondTheRangeOfFloatMeetTheBox )
{
    world.createAll( { span( 1e37, 2e37 ) } );
    world.update();
    cltRay ray = {};
    for ( int axis = 0; axis < 3; ++axis )
    {
        ray.from[axis] = -5e38;
        ray.inverse[axis] = 1e-20;
    }
    ray.length = 1e20;
    EXPECT_EQ( GetParam().precision == clt_precisionDouble ? 1u : 0u, expectRight( { ray } ) );
}

TEST_P( CastRays, SegmentsOfAnySizeEqualTheExactTest )
{
    const bool isDouble = GetParam().precision == clt_precisionDouble;
    for ( double scale : { 1e-300, 1e-40, 1e-18, 1e-5, 1.0, 1e6, 1e18, 1e36, 1e37, 1e300 } )
    {
        SCOPED_TRACE( scale );
        if ( !isDouble && ( scale < 1e-30 || scale > 1e36 ) )
        {
            continue;
        }
        World other( defOf( GetParam() ) );
        std::swap( world, other );
        for ( int i = 0; i < 300; ++i )
        {
            createScaled( oddBox(), scale );
        }
        world.update();
        std::vector<cltRay> rays;
        size_t hitCount = 0;
        for ( int i = 0; i < 300 && !HasFailure(); ++i )
        {
            const Segment segment = randomSegment( scale );
            rays.push_back( cltRayBetween( segment.from, segment.to ) );
            hitCount += expectRight( segment );
        }
        expectRight( rays );
        EXPECT_GT( hitCount, 300u );
    }
}

TEST_P( CastRays, ReportTheNearestBoxLast )
{
    world.createAll( randomCubes( random, 500, 5 ) );
    world.update();
    const std::vector<cltRay> rays = randomRays( 300 );
    struct Nearest
    {
        std::vector<double> enters;
        size_t callCount;
    } nearest = { std::vector<double>( rays.size(), -1 ), 0 };
    const auto keepNearest = []( size_t ray, cltProxyId, uint64_t, double enter, double length, void* context )
    {
        Nearest* it = static_cast<Nearest*>( context );
        EXPECT_LE( enter, length );
        it->enters[ray] = enter;
        ++it->callCount;
        return enter;
    };
    ASSERT_EQ( clt_ok, cltBroadphase_CastRays( world.broadphase(), rays.size(), rays.data(), keepNearest, &nearest ) );
    std::vector<double> right( rays.size(), -1 );
    size_t hitCount = 0;
    for ( const auto& [ray, proxy, enter] : expected( rays ) )
    {
        right[ray] = right[ray] < 0 ? enter : std::min( right[ray], enter );
        ++hitCount;
    }
    EXPECT_EQ( right, nearest.enters );
    EXPECT_LT( nearest.callCount, hitCount );
}

TEST_P( CastRays, EndIfTheCallbackReturnsZeroOrLess )
{
    world.createAll( Boxes( 20, span( 2, 3 ) ) );
    const double from[3] = { 0, 2.5, 2.5 }, to[3] = { 9, 2.5, 2.5 };
    const std::vector<cltRay> rays( 3, cltRayBetween( from, to ) );
    int calls = 0;
    const auto endRay = []( size_t, cltProxyId, uint64_t, double, double, void* context )
    { return -1.0 * ++*static_cast<int*>( context ); };
    ASSERT_EQ( clt_ok, cltBroadphase_CastRays( world.broadphase(), 3, rays.data(), endRay, &calls ) );
    EXPECT_EQ( 3, calls ) << "the next ray follows";
    const auto endSegment = []( cltProxyId, uint64_t, double, double, void* context )
    { return 0.0 * ++*static_cast<int*>( context ); };
    ASSERT_EQ( clt_ok, cltBroadphase_CastRay( world.broadphase(), from, to, endSegment, &calls ) );
    EXPECT_EQ( 4, calls );
}

/// A search for the closest hit: boxes behind an earlier hit are not reported.
TEST_P( CastRays, SegmentsEndAtTheFractionThatTheCallbackReturns )
{
    for ( int x : { 40, 10, 30, 20, 5, 50 } )
    {
        world.create( cube( x, 0, 0, 1 ) );
    }
    std::vector<double> fractions = { 1 };
    const auto keepClosest = []( cltProxyId, uint64_t, double fraction, double maxFraction, void* context )
    {
        auto* known = static_cast<std::vector<double>*>( context );
        EXPECT_LE( fraction, maxFraction );
        EXPECT_EQ( known->back(), maxFraction );
        known->push_back( fraction );
        return fraction;
    };
    const Segment segment = { { 0, 0, 0 }, { 100, 0, 0 } };
    EXPECT_EQ( clt_ok, cltBroadphase_CastRay( world.broadphase(), segment.from, segment.to, keepClosest, &fractions ) );
    ASSERT_EQ( 4u, fractions.size() ); // 1, then boxes 40, 10 and 5
    EXPECT_NEAR( 0.04, fractions.back(), 1e-12 );
}

/// The callback shortens the ray so that it only just meets one of the boxes. Half of the boxes have a neighbour that
/// is as near as rounding.
TEST_P( CastRays, MeetTheBoxesOnTheShortenedRay )
{
    for ( const cltAabbD& cube : randomCubes( random, 300, 5 ) )
    {
        world.create( cube );
        world.create( shifted( cube, 2e-7 ) );
    }
    world.update();
    struct Cast
    {
        double length;
        Ids met;
    };
    const auto shorten = []( size_t, cltProxyId proxy, uint64_t, double, double, void* context )
    {
        Cast* cast = static_cast<Cast*>( context );
        cast->met.push_back( proxy );
        return cast->length;
    };
    const bool isDouble = GetParam().precision == clt_precisionDouble;
    for ( const cltRay& ray : randomRays( 100 ) )
    {
        for ( const auto& [index, proxy, enter] : expected( { ray } ) )
        {
            cltRay shortened = ray;
            shortened.length =
                isDouble ? std::nextafter( enter, infinity ) : std::nextafter( float( enter ), INFINITY );
            Cast cast = { shortened.length, {} };
            ASSERT_EQ( clt_ok, cltBroadphase_CastRays( world.broadphase(), 1, &ray, shorten, &cast ) );
            Ids right;
            for ( const auto& [ignored, met, enters] : expected( { shortened } ) )
            {
                right.push_back( met );
            }
            if ( std::count( right.begin(), right.end(), cast.met[0] ) == 0 )
            {
                cast.met.erase( cast.met.begin() ); // met before the ray was shortened
            }
            std::sort( cast.met.begin(), cast.met.end() );
            ASSERT_EQ( right, cast.met );
        }
    }
}

TEST_P( CastRays, AreNotLengthenedByTheCallback )
{
    world.createAll( cubesInARow( 20, 3, 1 ) );
    const double from[3] = { -5, 0, 0 }, to[3] = { 10, 0, 0 };
    const cltRay ray = cltRayBetween( from, to );
    int calls = 0;
    const auto lengthenRay = []( size_t, cltProxyId, uint64_t, double, double length, void* context )
    { return 2.0 * length * ( ++*static_cast<int*>( context ) > 0 ); };
    ASSERT_EQ( clt_ok, cltBroadphase_CastRays( world.broadphase(), 1, &ray, lengthenRay, &calls ) );
    EXPECT_EQ( 4, calls );
    const auto lengthenSegment = []( cltProxyId, uint64_t, double, double maxFraction, void* context )
    { return 2.0 * maxFraction * ( ++*static_cast<int*>( context ) > 0 ); };
    ASSERT_EQ( clt_ok, cltBroadphase_CastRay( world.broadphase(), from, to, lengthenSegment, &calls ) );
    EXPECT_EQ( 8, calls );
}

TEST_P( CastRays, SegmentsThatAreNotFiniteAreRefused )
{
    world.create( span( -infinity, infinity ) );
    for ( double bad : { notANumber, infinity, -infinity } )
    {
        for ( int place = 0; place < 6; ++place )
        {
            Segment segment = { { 0, 0, 0 }, { 1, 1, 1 } };
            ( place < 3 ? segment.from : segment.to )[place % 3] = bad;
            Ids hits;
            EXPECT_EQ( clt_invalidArgument,
                       cltBroadphase_CastRay( world.broadphase(), segment.from, segment.to, collectOnSegment, &hits ) );
            EXPECT_TRUE( hits.empty() );
        }
    }
    const double most = std::numeric_limits<double>::max();
    EXPECT_EQ( 1u, expectRight( Segment{ { -most, 1, 1 }, { most, 1, 1 } } ) ); // as long as can be
}

TEST_P( CastRays, WithANanHitNothing )
{
    const cltProxyId proxy = world.create( span( -1, 1 ) );
    const double from[3] = { 0, 0, -3 }, to[3] = { 0, 0, 3 }, inside[3] = { 0, 0, 0 };
    const cltRay good = cltRayBetween( from, to );
    for ( size_t place = 0; place < sizeof( cltRay ) / sizeof( double ); ++place )
    {
        std::vector<cltRay> rays = { good, good, good };
        reinterpret_cast<double*>( &rays[1] )[place] = notANumber;
        const std::vector<Hit> hits = cast( rays );
        ASSERT_EQ( 2u, hits.size() ) << "number " << place;
        EXPECT_EQ( 2u, std::get<0>( hits[1] ) );
    }
    EXPECT_TRUE( cast( { cltRayBetween( from, from ) } ).empty() );
    EXPECT_EQ( ( std::vector<Hit>{ { 0, proxy, 0 } } ), cast( { cltRayBetween( inside, inside ) } ) );
}
