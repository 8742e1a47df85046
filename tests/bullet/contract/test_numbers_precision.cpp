// SPDX-License-Identifier: Zlib
// Pairs depend on unrounded boxes, and getAabb returns boxes as given: CT-42 and CT-44.
#include "numbers.h"
#include "queries.h"

#include <cmath>
#include <cstring>

using namespace test;

/// The scalar that is `steps` representable values above or below `from`.
static btScalar neighbourOf( btScalar from, int steps )
{
    for ( int i = 0; i < std::abs( steps ); ++i )
    {
        from = std::nextafter( from, steps > 0 ? infinity : -infinity );
    }
    return from;
}

/// Rows of two bodies a million units from the origin. The second one begins some bits before or after the end of the
/// first one.
static void createNeighbours( Bodies& bodies, int rowCount )
{
    const int gaps[] = { 1, -1, 0, 3, -3 };
    for ( int i = 0; i < rowCount; ++i )
    {
        const btScalar y = btScalar( 3 * i );
        const btScalar x = btScalar( 1e6 + bodies.random().unit() );
        const btScalar face = x + 1;
        const btScalar next = neighbourOf( face, gaps[i % 5] );
        bodies.create( { btVector3( x, y, 0 ), btVector3( face, y + 1, 1 ) } );
        bodies.create( { btVector3( next, y, 0 ), btVector3( next + 1, y + 1, 1 ) } );
    }
}

TEST_P( Contract, CT42_GapOfOneBitFarFromTheOriginSeparates )
{
    Arena arena( GetParam(), 42 );
    createNeighbours( arena.bodies, 500 );
    arena.bodies.update();
    ASSERT_EQ( 300, arena.pairCount() ) << "three of five gaps are zero or negative";
    ASSERT_TRUE( arena.hasExactPairs() );
}

/// Pairs separate and meet by moves of a few bits.
TEST_P( Contract, CT42_MovesOfAFewBitsChangePairs )
{
    const NoMargin exact;
    Arena arena( GetParam(), 43 );
    createNeighbours( arena.bodies, 300 );
    arena.bodies.update();
    for ( int step = 0; step < 4; ++step )
    {
        for ( size_t i = 0; i < arena.bodies.size(); i += 2 )
        {
            Box box = arena.bodies.at( i ).box;
            const int bits = ( step + int( i / 2 ) ) % 2 ? 4 : -4;
            box.lower[0] = neighbourOf( box.lower[0], bits );
            box.upper[0] = neighbourOf( box.upper[0], bits );
            arena.bodies.move( arena.bodies.at( i ), box );
        }
        arena.bodies.update();
        ASSERT_TRUE( arena.hasExactPairs() ) << "step " << step;
    }
}

/// In double precision these exceed the range of float at both ends.
TEST_P( Contract, CT42_LargestAndSmallestNumbersFormExactPairs )
{
    using Limits = std::numeric_limits<btScalar>;
    Arena arena( GetParam(), 44 );
    const btScalar largest = Limits::max();
    for ( btScalar size : { btScalar( 1e30 ), largest / 1000000, largest / 2, largest } )
    {
        arena.bodies.create( { btVector3( -size, 0, 0 ), btVector3( size, 1, 1 ) } );
        arena.bodies.create( { btVector3( size, 0, 0 ), btVector3( size, 1, 1 ) } );
        arena.bodies.create(
            { btVector3( size * btScalar( 0.99 ), 0, 0 ), btVector3( size * btScalar( 0.999 ), 1, 1 ) } );
    }
    for ( btScalar size : { Limits::min(), Limits::denorm_min(), btScalar( 0 ) } )
    {
        arena.bodies.create( { btVector3( size, 0, 0 ), btVector3( size, 1, 1 ) } );
    }
    arena.bodies.update();
    ASSERT_TRUE( arena.hasExactPairs() );
}

static bool sameBits( const btVector3& a, const btVector3& b )
{
    return std::memcmp( a.m_floats, b.m_floats, 3 * sizeof( btScalar ) ) == 0; // the fourth component has no meaning
}

TEST_P( Contract, CT44_BoxesAreReturnedExactly )
{
    Arena arena( GetParam(), 44, 5 );
    arena.bodies.createRandom( 100 );
    for ( int i = 0; i < 300; ++i )
    {
        Box box = arena.bodies.randomBox();
        box.lower[i % 3] = btMin( oddCoordinate( arena.bodies.random() ), box.upper[i % 3] );
        Body& body = arena.bodies.at( size_t( i % 100 ) );
        arena.bodies.move( body, box );
        btVector3 lower, upper;
        arena.broadphase.getAabb( body.proxies[0], lower, upper );
        ASSERT_TRUE( sameBits( box.lower, lower ) && sameBits( box.upper, upper ) );
        ASSERT_TRUE( sameBits( box.lower, body.proxies[0]->m_aabbMin ) );
        ASSERT_TRUE( sameBits( box.upper, body.proxies[0]->m_aabbMax ) );
    }
}

static bool contains( const Box& outer, const Box& inner )
{
    bool inside = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        inside = inside && outer.lower[axis] <= inner.lower[axis] && inner.upper[axis] <= outer.upper[axis];
    }
    return inside;
}

static Box boundsOf( const Arena& arena )
{
    Box bounds;
    arena.broadphase.getBroadphaseAabb( bounds.lower, bounds.upper );
    return bounds;
}

TEST_P( Contract, CT44_BoundsContainAllBoxes )
{
    Arena arena( GetParam(), 45, 5 );
    for ( int step = 0; step < 20; ++step )
    {
        arena.bodies.create( arena.bodies.randomBox() );
        arena.bodies.move( arena.bodies.at( size_t( step / 2 ) ), arena.bodies.randomBox() );
        for ( const auto& body : arena.bodies.all() )
        {
            ASSERT_TRUE( contains( boundsOf( arena ), body->box ) );
        }
    }
    arena.bodies.create( planeBox() );
    EXPECT_TRUE( contains( boundsOf( arena ), planeBox() ) );
}

TEST_P( Contract, CT44_BoundsAreZeroWithoutProxies )
{
    Arena arena( GetParam() );
    EXPECT_TRUE( sameBits( btVector3( 0, 0, 0 ), boundsOf( arena ).lower ) );
    EXPECT_TRUE( sameBits( btVector3( 0, 0, 0 ), boundsOf( arena ).upper ) );
}

TEST_P( Contract, CT44_BoundsIgnoreBoxesWithNan )
{
    Arena arena( GetParam() );
    arena.bodies.create( withNan( cube( 0, 0, 0, 9 ), arena.bodies.random() ) );
    arena.bodies.create( cube( 3, -4, 5, 1 ) );
    arena.bodies.create( cube( -7, 8, 6, 2 ) );
    EXPECT_TRUE( contains( boundsOf( arena ), { btVector3( -7, -4, 5 ), btVector3( 4, 10, 8 ) } ) );
}
