// SPDX-License-Identifier: Zlib
// Boxes at the ends of what numbers can say, and counts larger than someone's buffer: CT-39 to CT-44.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

#include <cmath>
#include <limits>

using namespace test;

static const btScalar infinity = std::numeric_limits<btScalar>::infinity();
static const btScalar quietNan = std::numeric_limits<btScalar>::quiet_NaN();

/// btSimpleBroadphase computes the same formula, NaN and all.
class Numbers : public RigTest
{
};

INSTANTIATE_TEST_SUITE_P(, Numbers, testing::ValuesIn( exactRigs() ), rigName );

/// A side of a box that is anything but usual.
static btScalar oddEnd( Random& random )
{
    const btScalar odd[] = { -infinity,        infinity,        -BT_LARGE_FLOAT,  BT_LARGE_FLOAT, 0,
                             -btScalar( 0.0 ), btScalar( 1e6 ), btScalar( -1e6 ), SIMD_EPSILON,   1 };
    return odd[random.below( 10 )];
}

TEST_P( Numbers, CT39_InfiniteHugeAndTinyBoxes )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 39, 6 );
    Random& random = bodies.random();
    const btVector3 large( BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
    const btVector3 everywhere( infinity, infinity, infinity );
    bodies.create( { -large, large } );
    bodies.create( { -everywhere, everywhere } );
    bodies.create( { btVector3( -infinity, -1, -1 ), btVector3( infinity, 1, 1 ) } );
    for ( int i = 0; i < 400; ++i )
    {
        Box box = bodies.randomBox();
        const btScalar scales[] = { btScalar( 1e-6 ), 1, 1, 1, btScalar( 1e6 ) };
        box.upper = box.lower + ( box.upper - box.lower ) * scales[random.below( 5 )];
        bodies.create( box );
    }
    for ( int step = 0; step < 10; ++step )
    {
        for ( int i = 0; i < 20; ++i )
        {
            Box box = bodies.randomBox();
            const int axis = int( random.below( 3 ) );
            const btScalar a = oddEnd( random ), b = oddEnd( random );
            box.lower[axis] = btMin( a, b );
            box.upper[axis] = btMax( a, b );
            bodies.move( bodies.at( random.below( uint32_t( bodies.size() ) ) ), box );
        }
        bodies.update();
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
    }
}

static Box withNan( Box box, Random& random )
{
    const uint32_t lane = random.below( 6 );
    ( lane < 3 ? box.lower : box.upper )[int( lane % 3 )] = random.below( 2 ) ? quietNan : -quietNan;
    return box;
}

class NumbersOfCullet : public RigTest
{
};

INSTANTIATE_TEST_SUITE_P(, NumbersOfCullet, testing::ValuesIn( culletRigs() ), rigName );

static std::vector<int> hitsEverywhere( btBroadphaseInterface& broadphase )
{
    CollectBox box;
    broadphase.aabbTest( btVector3( -infinity, -infinity, -infinity ), btVector3( infinity, infinity, infinity ), box );
    return box.ids();
}

static std::vector<int> healthyIds( Bodies& bodies )
{
    std::vector<int> ids;
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        if ( overlap( bodies.at( i ).box, bodies.at( i ).box ) )
        {
            ids.push_back( bodies.at( i ).id );
        }
    }
    return ids;
}

TEST_P( NumbersOfCullet, CT40_NanHidesABoxUntilAGoodOneComes )
{
    for ( int percent : { 0, 1, 5, 50, 100 } )
    {
        SCOPED_TRACE( percent );
        const Rig rig = makeRig( GetParam() );
        Bodies bodies( *rig.broadphase, 40, 4 );
        bodies.createRandom( 300 );
        bodies.update();
        for ( size_t i = 0; i < 300; ++i )
        {
            if ( int( bodies.random().below( 100 ) ) < percent )
            {
                bodies.move( bodies.at( i ), withNan( bodies.at( i ).box, bodies.random() ) );
            }
        }
        bodies.update();
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
        ASSERT_EQ( healthyIds( bodies ), hitsEverywhere( *rig.broadphase ) );

        CollectRay ray;
        aim( ray, btVector3( -9, 0, 0 ), btVector3( 9, 0, 0 ) );
        const btVector3 sweep( 5, 5, 5 ); // so large that nothing is missed but what has a NaN
        rig.broadphase->rayTest( btVector3( -9, 0, 0 ), btVector3( 9, 0, 0 ), ray, -sweep, sweep );
        ASSERT_EQ( healthyIds( bodies ), ray.ids() );

        for ( size_t i = 0; i < bodies.size(); ++i )
        {
            bodies.move( bodies.at( i ), bodies.randomBox() );
        }
        bodies.update();
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
        ASSERT_EQ( 300u, hitsEverywhere( *rig.broadphase ).size() );
    }
}

TEST_P( NumbersOfCullet, CT40_CreatedWithNan )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 41, 2 );
    bodies.createRandom( 100 );
    Body& hidden = bodies.create( withNan( cube( 0, 0, 0, 1 ), bodies.random() ) );
    bodies.update();
    ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
    bodies.move( hidden, { btVector3( -2, -2, -2 ), btVector3( 2, 2, 2 ) } );
    bodies.update();
    ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
}

TEST_P( Numbers, CT41_InvertedBoxesFollowTheFormula )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 41, 4 );
    for ( int step = 0; step < 5; ++step )
    {
        for ( int i = 0; i < 80; ++i )
        {
            Box box = bodies.randomBox();
            for ( int axis = 0; axis < 3; ++axis )
            {
                if ( bodies.random().below( 3 ) == 0 )
                {
                    btSwap( box.lower[axis], box.upper[axis] );
                }
            }
            bodies.create( box );
        }
        bodies.create( { btVector3( -4, -4, -4 ), btVector3( 4, 4, 4 ) } ); // spans both ends of most
        bodies.update();
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
    }
    ASSERT_GT( rig.cache().getNumOverlappingPairs(), 1000 );
}

static void expectAllPairs( const RigKind& kind, int bodyCount )
{
    const Rig rig = makeRig( kind );
    Bodies bodies( *rig.broadphase, 42, 1 );
    const btVector3 point( btScalar( 0.1 ), btScalar( 0.2 ), btScalar( 0.3 ) );
    for ( int i = 0; i < bodyCount; ++i )
    {
        bodies.create( { point, point } );
    }
    bodies.update();
    const std::vector<IdPair> pairs = pairsOf( rig.cache() );
    ASSERT_EQ( size_t( bodyCount ) * size_t( bodyCount - 1 ) / 2, pairs.size() );
    ASSERT_EQ( pairs.end(), std::adjacent_find( pairs.begin(), pairs.end() ) );
    if ( rig.cullet )
    {
        EXPECT_EQ( clt_ok, rig.cullet->getStatus() );
    }
}

TEST_P( Numbers, CT41_CoincidentPoints )
{
    expectAllPairs( GetParam(), 300 );
}

TEST( NumbersLarge, CT41_ThreeThousandCoincidentPoints )
{
    expectAllPairs( culletAuto, 3000 );
}

#if defined( BT_USE_DOUBLE_PRECISION )
TEST_P( Numbers, CT42_DoubleBoxesFarFromTheOrigin )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 42, 1 );
    const double gaps[] = { 1e-9, -1e-9, 0, 2e-10, -2e-10 }; // a float's step at 1e6 is 0.06
    for ( int i = 0; i < 500; ++i )
    {
        const double y = 3.0 * i;
        const double x = 1e6 + bodies.random().unit();
        const double face = x + 1;
        const double next = face + gaps[i % 5];
        bodies.create( { btVector3( x, y, 0 ), btVector3( face, y + 1, 1 ) } );
        bodies.create( { btVector3( next, y, 0 ), btVector3( next + 1, y + 1, 1 ) } );
    }
    bodies.update();
    ASSERT_EQ( 300u, pairsOf( rig.cache() ).size() ) << "three gaps of five are none";
    ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
    for ( size_t i = 0; i < bodies.size(); i += 2 ) // from apart to together and back, by less than a float can say
    {
        Box box = bodies.at( i ).box;
        box.upper[0] += i % 4 == 0 ? 2e-9 : -2e-9;
        bodies.move( bodies.at( i ), box );
    }
    bodies.update();
    ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
}

TEST_P( Numbers, CT42_DoublesThatNoFloatHolds )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 43, 1 );
    for ( double size : { 1e30, 1e39, 1e200, 1.7e308 } )
    {
        bodies.create( { btVector3( -size, 0, 0 ), btVector3( size, 1, 1 ) } );
        bodies.create( { btVector3( size, 0, 0 ), btVector3( size, 1, 1 ) } );
        bodies.create( { btVector3( size * 0.99, 0, 0 ), btVector3( size * 0.999, 1, 1 ) } );
    }
    for ( double size : { 1e-300, 5e-324, 0.0 } )
    {
        bodies.create( { btVector3( size, 0, 0 ), btVector3( size, 1, 1 ) } );
    }
    bodies.update();
    ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
}
#endif

TEST_P( NumbersOfCullet, CT43_MorePairsThanSixteenBits )
{
    expectAllPairs( GetParam(), 363 ); // 65,703 pairs
}

TEST( NumbersLarge, CT43_MorePairsThanTwentyBits )
{
    expectAllPairs( { "lbvh_hashed", Engine::culletHashed, clt_algorithmLbvh, 1 }, 1449 ); // 1,049,076 pairs
}

TEST_P( Numbers, CT44_BoxesAreReturnedToTheLastBit )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 44, 5 );
    bodies.createRandom( 100 );
    for ( int i = 0; i < 300; ++i )
    {
        Box box = bodies.randomBox();
        box.lower[i % 3] = oddEnd( bodies.random() );
        Body& body = bodies.at( size_t( i % 100 ) );
        bodies.move( body, box );
        btVector3 lower, upper;
        rig.broadphase->getAabb( body.proxies[0], lower, upper );
        for ( int axis = 0; axis < 3; ++axis )
        {
            ASSERT_EQ( box.lower[axis], lower[axis] );
            ASSERT_EQ( box.upper[axis], upper[axis] );
            ASSERT_EQ( std::signbit( box.lower[axis] ), std::signbit( body.proxies[0]->m_aabbMin[axis] ) );
            ASSERT_EQ( box.lower[axis], body.proxies[0]->m_aabbMin[axis] );
            ASSERT_EQ( box.upper[axis], body.proxies[0]->m_aabbMax[axis] );
        }
    }
}

TEST( NumbersOfBounds, CT44_BoundsHoldEveryFiniteBox )
{
    const Rig rig = makeRig( culletAuto );
    btVector3 lower, upper;
    rig.broadphase->getBroadphaseAabb( lower, upper );
    EXPECT_EQ( btVector3( 0, 0, 0 ), lower );
    EXPECT_EQ( btVector3( 0, 0, 0 ), upper );

    Bodies bodies( *rig.broadphase, 45, 5 );
    bodies.create( withNan( cube( 0, 0, 0, 9 ), bodies.random() ) );
    rig.broadphase->getBroadphaseAabb( lower, upper );
    EXPECT_EQ( btVector3( 0, 0, 0 ), lower );

    bodies.create( cube( 3, -4, 5, 1 ) );
    bodies.create( cube( -7, 8, 6, 2 ) );
    rig.broadphase->getBroadphaseAabb( lower, upper );
    EXPECT_EQ( btVector3( -7, -4, 5 ), lower );
    EXPECT_EQ( btVector3( 4, 10, 8 ), upper );

    const btVector3 large( BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
    bodies.create( { -large, large } );
    rig.broadphase->getBroadphaseAabb( lower, upper );
    EXPECT_EQ( -large, lower );
    EXPECT_EQ( large, upper );
}
