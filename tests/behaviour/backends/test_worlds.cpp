// SPDX-License-Identifier: Zlib
// Worlds that are hard for trees and grids: no body, one body, all in one place or in a line. Odd boxes too: infinite,
// inverted, or beyond the range of float. The oracle decides; some pair counts are also known.
#include "tests/behaviour/backends/each_config.h"
#include "tests/support/float_mode.h"

#include <cfloat>
#include <cmath>

using namespace test;

namespace
{

/// Random cubes within `reach`, each changed by `change( box, random )`, and the boxes `more`.
template <typename Change>
Boxes cubesAnd( size_t count, double reach, Change change, const Boxes& more = {} )
{
    Random random( count );
    Boxes boxes = randomCubes( random, count, reach );
    for ( cltAabbD& box : boxes )
    {
        change( box, random );
    }
    return joined( boxes, more );
}

auto scale( double factor )
{
    return [factor]( cltAabbD& box, Random& )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] *= factor;
            box.upper[axis] *= factor;
        }
    };
}

/// Makes one coordinate NaN in `percent` percent of the boxes.
auto spoil( uint32_t percent )
{
    return [percent]( cltAabbD& box, Random& random )
    {
        const uint32_t place = random.below( 6u );
        ( place < 3 ? box.lower : box.upper )[place % 3] *= random.below( 100u ) < percent ? notANumber : 1.0;
    };
}

/// Moves a box to infinity on one axis, or on none. Its size on that axis is infinity minus infinity, which is NaN.
void sendToInfinity( cltAabbD& box, Random& random )
{
    const uint32_t axis = random.below( 6u );
    if ( axis < 3 )
    {
        box.lower[axis] = box.upper[axis] = random.oneIn( 2 ) ? infinity : -infinity;
    }
}

void turnInsideOut( cltAabbD& box, Random& random )
{
    const uint32_t axis = random.below( 6u );
    if ( axis < 3 )
    {
        std::swap( box.lower[axis], box.upper[axis] );
    }
}

/// For each coordinate: a flat box at it, a flat box at the next larger number of type Real, and a box that reaches
/// from the coordinate to that number and touches both flat boxes.
template <typename Real>
Boxes oneBitApart( std::initializer_list<Real> coordinates )
{
    Boxes boxes;
    for ( const Real where : coordinates )
    {
        const double here = double( where ), next = double( std::nextafter( where, Real( INFINITY ) ) );
        boxes.push_back( { { here, 0, 0 }, { here, 1, 1 } } );
        boxes.push_back( { { next, 0, 0 }, { next, 1, 1 } } );
        boxes.push_back( { { here, 1, 1 }, { next, 2, 2 } } );
    }
    return boxes;
}

cltAabbD latticeCell( int cell )
{
    const double x = cell % 6 - 3, y = cell / 6 % 6 - 3, z = cell / 36 - 3;
    return { { x, y, z }, { x + 1, y + 1, z + 1 } };
}

cltAabbD subnormal( int i )
{
    const double step = double( FLT_TRUE_MIN );
    const Boxes aroundZero = { span( -step, 0 ), span( -0.0, 0.0 ) };
    return i < 2 ? aroundZero[size_t( i )] : span( ( 2 * i - 4 ) * step, ( 2 * i - 3 ) * step );
}

constexpr size_t any = SIZE_MAX;

struct NamedWorld
{
    const char* name;
    Boxes boxes;
    size_t pairCount = any;   ///< any: compared with the oracle alone
    bool isForDouble = false; ///< pairCount holds in double only; float rounds the boxes
};

const std::vector<NamedWorld>& namedWorlds()
{
    static const std::vector<NamedWorld> worlds = {
        { "nothing", {}, 0 },
        { "one", { span( 0, 1 ) }, 0 },
        { "two that touch in a point", { span( 0, 1 ), span( 1, 2 ) }, 1 },
        { "all equal", Boxes( 150, span( -1, 1 ) ), 150u * 149u / 2u },
        // 16 ordered pairs of positions per axis are at most one apart. Each pair of cells is among their combinations
        // twice, once in each order, and each cell is once paired with itself.
        { "lattice where all neighbours touch", boxesOf( 216, latticeCell ), ( 16u * 16u * 16u - 216u ) / 2u },
        { "points", boxesOf( 120, []( int i ) { return cube( i % 40, 2, 3, 0 ); } ), 40u * 3u },
        { "one line", cubesInARow( 200, 0.75, 0.5 ), 199 },
        // Only boxes around zero touch. The gaps between all others are the smallest subnormal number.
        { "subnormal", boxesOf( 22, subnormal ), 3 },
        { "infinite planes and everything", cubesAnd( 100, 4, scale( 1 ),
                                                      { { { -infinity, -infinity, -1 }, { infinity, infinity, 0 } },
                                                        { { 0, -infinity, -infinity }, { 0, infinity, infinity } },
                                                        span( -infinity, infinity ),
                                                        span( infinity, infinity ),
                                                        span( -infinity, -infinity ),
                                                        span( 0, infinity ) } ) },
        { "wholly at infinity on some axis", cubesAnd( 60, 2, sendToInfinity ) },
        { "inside out", cubesAnd( 150, 3, turnInsideOut, { span( 2, -2 ), span( infinity, -infinity ) } ) },
        { "huge", cubesAnd( 100, 3, scale( 1e37 ), { span( -FLT_MAX, FLT_MAX ), span( FLT_MAX, FLT_MAX ) } ) },
        { "beyond float", // infinite in a float world, finite in a double world
          { span( 1e300, 2e300 ), span( 2e300, 3e300 ), span( 4e300, 5e300 ), span( -1e308, 1e308 ), span( 0, 1 ) } },
        { "one bit of a double apart", oneBitApart( { 0.1, 1.0, -1.0, 1e6, -1e12, 1e39, -1e300, 5e-324, 1e-40 } ) },
        { "one bit of a float apart", oneBitApart( { 0.1f, 1.f, -1.f, 1e6f, -1e12f, 3e38f, 1e-45f, 0.f } ) },
        { "half not a number", cubesAnd( 200, 3, spoil( 50 ) ) },
        { "all not a number", cubesAnd( 200, 3, spoil( 100 ) ), 0 },
        { "a gap of a nanometre", { span( 1e6, 1e6 + 1 ), span( 1e6 + 1 + 1e-9, 1e6 + 2 ) }, 0, true },
        { "an overlap of a nanometre", { span( 1e6, 1e6 + 1 ), span( 1e6 + 1 - 1e-9, 1e6 + 2 ) }, 1, true },
    };
    return worlds;
}

} // namespace

CLT_EACH_CONFIG( Worlds );

/// Each box is created, replaced by an ordinary one, and restored.
TEST_P( Worlds, HaveTheExpectedPairs )
{
    for ( const NamedWorld& named : namedWorlds() )
    {
        SCOPED_TRACE( named.name );
        const bool isCounted =
            named.pairCount != any && ( !named.isForDouble || GetParam().precision == clt_precisionDouble );
        World world( def() );
        Random random( 9 );
        const Ids proxies = world.createAll( named.boxes );
        world.update();
        EXPECT_EQ( isCounted ? named.pairCount : world.pairCount(), world.pairCount() );
        world.update();
        EXPECT_EQ( 0u, world.stats().changedCount );
        EXPECT_EQ( std::count_if( named.boxes.begin(), named.boxes.end(), hasNan<cltAabbD> ), world.stats().nanCount );
        world.moveAll( proxies, randomCubes( random, proxies.size(), 5 ) );
        world.update();
        world.moveAll( proxies, named.boxes );
        world.update();
        EXPECT_EQ( isCounted ? named.pairCount : world.pairCount(), world.pairCount() );
    }
}

/// Programs change the floating-point mode of their threads, also between updates. A mode that flushes results to zero
/// must not change pairs. Nor must a mode that flushes operands to zero, with double boxes or on a device.
TEST_P( Worlds, SubnormalBoxesStayApartInEveryModeOfTheCaller )
{
    const bool comparesThere = GetParam().precision == clt_precisionDouble || GetParam().device == clt_deviceCuda;
    const unsigned flushing = flushResults | ( comparesThere ? flushOperands : 0u );
    const unsigned mode = getFloatMode();
    World world( def() );
    Random random( 12 );
    Boxes boxes = cubesAnd( 150, 4, scale( 1e-40 ), cubesAnd( 149, 4, scale( 3e-39 ) ) );
    const Ids proxies = world.createAll( boxes );
    for ( int round = 0; round < 12 && !HasFailure(); ++round )
    {
        SCOPED_TRACE( round );
        setFloatMode( round % 3 == 0 ? mode : mode | flushing );
        world.update();
        setFloatMode( mode );
        for ( cltAabbD& box : boxes )
        {
            const double step = 1e-40 * ( double( random.below( 3u ) ) - 1 );
            box.lower[round % 3] += step;
            box.upper[round % 3] += step;
        }
        world.moveAll( proxies, boxes );
    }
}

class WorldsLarge : public EachConfig
{
};

INSTANTIATE_TEST_SUITE_P(, WorldsLarge, testing::ValuesIn( configsWith( 3 ) ), configName );

/// More than 2^20 pairs.
TEST_P( WorldsLarge, AllPairsAreFoundInOnePlace )
{
    World world( def() );
    world.createAll( Boxes( 1500, span( 7, 8 ) ) );
    world.update();
    EXPECT_EQ( 1500u * 1499u / 2u, world.pairCount() );
}
