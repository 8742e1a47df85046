// SPDX-License-Identifier: Zlib
// Infinite, huge and tiny boxes: CT-39. NaN: CT-40. Inverted boxes, and boxes without volume: CT-41. Pairs depend on
// unrounded boxes: CT-42. Any number of pairs: CT-43. Boxes are returned as given: CT-44.
#include "demos/report/timing.h"
#include "queries.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace test;

namespace
{

using Limits = std::numeric_limits<btScalar>;

/// The box of a btStaticPlaneShape.
Box planeBox()
{
    const btVector3 large( BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
    return { -large, large };
}

/// A coordinate that breaks careless code. In double precision some exceed the range of float, at both ends.
btScalar oddCoordinate( Random& random )
{
    const btScalar odd[] = { -Limits::infinity(),
                             Limits::infinity(),
                             -BT_LARGE_FLOAT,
                             BT_LARGE_FLOAT,
                             Limits::max(),
                             -Limits::max() / 2,
                             0,
                             -btScalar( 0.0 ),
                             btScalar( 1e6 ),
                             btScalar( -1e6 ),
                             SIMD_EPSILON,
                             1,
                             Limits::min(),
                             -Limits::denorm_min(),
                             btScalar( 0.99e30 ) };
    return odd[random.below( 15 )];
}

/// Replaces one of the six coordinates with a NaN of either sign.
Box withNan( Box box, Random& random )
{
    const uint32_t side = random.below( 6 );
    ( side < 3 ? box.lower : box.upper )[int( side % 3 )] =
        random.below( 2 ) ? Limits::quiet_NaN() : -Limits::quiet_NaN();
    return box;
}

} // namespace

TEST_P( Contract, CT39_InfiniteHugeAndTinyBoxesFormExactPairs )
{
    Arena arena( GetParam(), 39, 6 );
    Bodies& bodies = arena.bodies;
    Random& random = bodies.random();
    const btVector3 infinite( Limits::infinity(), Limits::infinity(), Limits::infinity() );
    bodies.create( planeBox() );
    bodies.create( planeBox() );
    bodies.create( { -infinite, infinite } );
    bodies.create( { btVector3( -Limits::infinity(), -1, -1 ), btVector3( Limits::infinity(), 1, 1 ) } );
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
            const btScalar a = oddCoordinate( random ), b = oddCoordinate( random );
            box.lower[axis] = btMin( a, b );
            box.upper[axis] = btMax( a, b );
            bodies.move( bodies.at( random.below( uint32_t( bodies.size() ) ) ), box );
        }
        bodies.update();
        ASSERT_TRUE( arena.hasExactPairs() ) << "step " << step;
    }
}

/// Milliseconds of the fastest of three steps in which 10,000 bodies move among `hugeCount` boxes that contain all
/// others. The filters reject all pairs, so this measures the search alone.
static double stepTime( const RigKind& kind, int hugeCount )
{
    Arena arena( kind, 41, spreadFor( 10000 ) );
    for ( int i = 0; i < 10000 + hugeCount; ++i )
    {
        arena.bodies.create( i < hugeCount ? planeBox() : arena.bodies.randomBox(), 0, 0 );
    }
    arena.bodies.update();
    double best = 1e9;
    for ( int step = 0; step < 3; ++step )
    {
        const btVector3 shift( btScalar( step % 2 ? 0.2 : -0.2 ), 0, 0 );
        const auto moveAllAndUpdate = [&]
        {
            arena.bodies.moveAll(
                [shift]( const Body& body ) {
                    return Box{ body.box.lower + shift, body.box.upper + shift };
                } );
            arena.bodies.update();
        };
        best = std::min( best, cullet::compare::millisecondsOf( moveAllAndUpdate ) );
    }
    return best;
}

/// Ten planes cost ten tests per body. If they degraded a tree or the scene bounds, each body would need 10,000 tests.
TEST_P( Contract, CT39Large_HugeBoxCostsOneTestPerBody )
{
    const Engine engine = GetParam().engine;
    if ( GetParam().algorithm == clt_algorithmBruteForce || engine == Engine::simple || engine == Engine::sap )
    {
        GTEST_SKIP() << "10,000 bodies take it seconds without a huge box";
    }
    const double alone = stepTime( GetParam(), 0 );
    EXPECT_LT( stepTime( GetParam(), 10 ), alone * 6 + 5 ) << "milliseconds; alone it took " << alone;
}

/// Bodies are created with a NaN in the box, or their boxes get one. They have no pairs and no hits, and do not affect
/// others. With valid boxes they pair again.
TEST_P( Contract, CT40_BoxesWithNanHaveNoPairsAndNoHitsUntilTheyAreValid )
{
    for ( uint32_t percent : { 1u, 5u, 50u, 100u } )
    {
        SCOPED_TRACE( percent );
        Arena arena( GetParam(), 40, 4 );
        Bodies& bodies = arena.bodies;
        bodies.createRandom( 300 );
        bodies.update();
        bodies.create( withNan( bodies.randomBox(), bodies.random() ) );
        std::vector<int> valid;
        for ( const auto& body : bodies.all() )
        {
            if ( bodies.random().below( 100 ) < percent )
            {
                bodies.move( *body, withNan( body->box, bodies.random() ) );
            }
            if ( overlap( body->box, body->box ) )
            {
                valid.push_back( body->id );
            }
        }
        EXPECT_EQ( valid, boxHits( arena.broadphase, everywhere ) );
        // The sweep is so large that it hits every valid box.
        const Ray ray = { btVector3( -9, 0, 0 ), btVector3( 9, 0, 0 ), everywhere };
        EXPECT_EQ( valid, rayHits( arena.broadphase, ray ) );
        bodies.update();
        ASSERT_TRUE( arena.hasExactPairs() );
        bodies.randomizeBoxes();
        bodies.update();
        ASSERT_TRUE( arena.hasExactPairs() );
        ASSERT_EQ( 301u, boxHits( arena.broadphase, everywhere ).size() );
    }
}

TEST_P( Contract, CT40_QueriesWithNanHitNothing )
{
    Arena arena( GetParam(), 42, 2 );
    arena.bodies.createRandom( 50 );
    const btScalar nan = Limits::quiet_NaN();
    EXPECT_TRUE( boxHits( arena.broadphase, { btVector3( nan, -9, -9 ), btVector3( 9, 9, 9 ) } ).empty() );
    EXPECT_TRUE( boxHits( arena.broadphase, { btVector3( -9, -9, -9 ), btVector3( 9, nan, 9 ) } ).empty() );
}

/// A third of the axes is inverted. Points and segments lie on the faces, edges and corners of a box and of each other.
TEST_P( Contract, CT41_InvertedAndFlatBoxesFollowTheOverlapFormula )
{
    Arena arena( GetParam(), 41, 4 );
    Bodies& bodies = arena.bodies;
    bodies.create( { btVector3( -4, -4, -4 ), btVector3( 4, 4, 4 ) } ); // contains most of the others
    bodies.create( cube( 0, 0, 0, 2 ) );
    for ( int i = 0; i < 25; ++i )
    {
        const btVector3 point( btScalar( i % 5 - 1 ), btScalar( i / 5 - 1 ), 2 );
        bodies.create( { point, point } );
        bodies.create( { point, point + btVector3( 1, 0, 0 ) } );
    }
    for ( int i = 0; i < 400; ++i )
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
        if ( i % 80 == 0 )
        {
            bodies.update();
            ASSERT_TRUE( arena.hasExactPairs() ) << i;
        }
    }
    bodies.update();
    ASSERT_TRUE( arena.hasExactPairs() );
    ASSERT_GT( arena.pairCount(), 700 );
}

/// The scalar that is `steps` representable values above or below `from`.
static btScalar neighbourOf( btScalar from, int steps )
{
    for ( int i = 0; i < std::abs( steps ); ++i )
    {
        from = std::nextafter( from, steps > 0 ? Limits::infinity() : -Limits::infinity() );
    }
    return from;
}

/// Rows of two bodies, a million units from the origin. The gap or overlap of the two is a few representable values
/// wide. Then they separate and meet by moves of a few representable values.
TEST_P( Contract, CT42_GapsOfAFewBitsSeparateFarFromTheOrigin )
{
    const NoMargin exact;
    Arena arena( GetParam(), 42 );
    Bodies& bodies = arena.bodies;
    const int gaps[] = { 1, -1, 0, 3, -3 };
    for ( int i = 0; i < 500; ++i )
    {
        const btScalar y = btScalar( 3 * i ), x = btScalar( 1e6 + bodies.random().unit() );
        const btScalar next = neighbourOf( x + 1, gaps[i % 5] );
        bodies.create( { btVector3( x, y, 0 ), btVector3( x + 1, y + 1, 1 ) } );
        bodies.create( { btVector3( next, y, 0 ), btVector3( next + 1, y + 1, 1 ) } );
    }
    bodies.update();
    ASSERT_EQ( 300, arena.pairCount() ) << "three of five gaps are zero or negative";
    for ( int step = 0; step < 4; ++step )
    {
        for ( size_t i = 0; i < bodies.size(); i += 2 )
        {
            Box box = bodies.at( i ).box;
            const int bits = ( step + int( i / 2 ) ) % 2 ? 4 : -4;
            box.lower[0] = neighbourOf( box.lower[0], bits );
            box.upper[0] = neighbourOf( box.upper[0], bits );
            bodies.move( bodies.at( i ), box );
        }
        bodies.update();
        ASSERT_TRUE( arena.hasExactPairs() ) << "step " << step;
    }
}

/// Bodies in one point: the cache must hold all pairs, each once.
static void expectAllPairs( const RigKind& kind, int bodyCount )
{
    const Rig rig = makeRig( kind );
    Bodies bodies( *rig.broadphase, 43, 1 );
    const btVector3 point( btScalar( 0.1 ), btScalar( 0.2 ), btScalar( 0.3 ) );
    bodies.createAt( { point, point }, bodyCount );
    bodies.update();
    const size_t pairCount = size_t( bodyCount ) * size_t( bodyCount - 1 ) / 2;
    ASSERT_EQ( pairCount, size_t( rig.cache().getNumOverlappingPairs() ) );
    std::vector<bool> seen( pairCount ); // by rank; as many pairs as ranks and no duplicate means all pairs
    const btBroadphasePair* pairs = rig.cache().getOverlappingPairArrayPtr();
    for ( size_t i = 0; i < pairCount; ++i )
    {
        const IdPair ids = idsOf( pairs[i] );
        const size_t rank = size_t( ids.second - 1 ) * size_t( ids.second - 2 ) / 2 + size_t( ids.first - 1 );
        ASSERT_FALSE( seen[rank] ) << ids.first << "-" << ids.second << " is there twice";
        seen[rank] = true;
    }
    if ( !rig.cullet ) // cullet frees its proxies itself; every destroyProxy makes Bullet's cache walk all pairs
    {
        rig.cache().getOverlappingPairArray().resizeNoInitialize( 0 );
        bodies.destroyAll();
    }
}

TEST_P( Contract, CT43_PairCountMayExceed16Bits )
{
    expectAllPairs( GetParam(), 363 ); // 65,703 pairs
}

/// Whether another contestant fills a cache of the same class. Filling it takes most of the time, so one is enough.
static bool repeatsAnotherCache( const RigKind& kind )
{
    const bool isGivenToOthers = kind.engine == Engine::culletHashed && kind.algorithm != clt_algorithmWide;
    return isGivenToOthers || kind.engine == Engine::simple || kind.engine == Engine::sap;
}

TEST_P( Contract, CT41Large_ThreeThousandCoincidentPointsFormAllPairs )
{
    if ( repeatsAnotherCache( GetParam() ) )
    {
        GTEST_SKIP() << "cullet_wide_given and btDbvt fill the same cache";
    }
    expectAllPairs( GetParam(), 3000 ); // 4,498,500 pairs: more than 20 bits
}

TEST_P( Contract, CT43Large_PairCountMayExceed24Bits )
{
    if ( !makeRig( GetParam() ).cullet || GetParam().algorithm != clt_algorithmWide )
    {
        GTEST_SKIP() << "cullet_wide_own and cullet_wide_given fill the same caches";
    }
    // 16,782,321 pairs; memory for three times as many while array and hash table grow
    expectAllPairs( GetParam(), 5794 );
}

/// After steps with few pairs, for which buffers are small, one step has a hundred times as many pairs.
TEST_P( Contract, CT43_PairCountMayGrowAHundredfold )
{
    Arena arena( GetParam(), 43, spreadFor( 1000 ) );
    Bodies& bodies = arena.bodies;
    bodies.createRandom( 1000 );
    for ( int step = 0; step < 5; ++step )
    {
        bodies.randomizeBoxes();
        bodies.update();
    }
    const size_t usual = bodies.expectedPairs().size();
    bodies.moveAll(
        []( const Body& body )
        {
            const btVector3 lower = body.box.lower * btScalar( 0.05 );
            return Box{ lower, lower + ( body.box.upper - body.box.lower ) };
        } );
    bodies.update();
    ASSERT_GT( bodies.expectedPairs().size(), 100 * usual );
    EXPECT_TRUE( arena.hasExpectedPairs() );
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

static bool boundsContain( const Arena& arena, const Box& box )
{
    Box bounds;
    arena.broadphase.getBroadphaseAabb( bounds.lower, bounds.upper );
    bool isInside = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        isInside = isInside && bounds.lower[axis] <= box.lower[axis] && box.upper[axis] <= bounds.upper[axis];
    }
    return isInside;
}

TEST_P( Contract, CT44_BoundsContainAllBoxes )
{
    Arena arena( GetParam(), 45, 5 );
    const btVector3 zero( 0, 0, 0 );
    Box bounds;
    arena.broadphase.getBroadphaseAabb( bounds.lower, bounds.upper );
    EXPECT_TRUE( sameBits( zero, bounds.lower ) && sameBits( zero, bounds.upper ) );
    for ( int step = 0; step < 20; ++step )
    {
        arena.bodies.create( step == 19 ? planeBox() : arena.bodies.randomBox() );
        arena.bodies.move( arena.bodies.at( size_t( step / 2 ) ), arena.bodies.randomBox() );
        for ( const auto& body : arena.bodies.all() )
        {
            ASSERT_TRUE( boundsContain( arena, body->box ) );
        }
    }
}

TEST_P( Contract, CT44_BoundsIgnoreBoxesWithNan )
{
    Arena arena( GetParam() );
    arena.bodies.create( withNan( cube( 0, 0, 0, 9 ), arena.bodies.random() ) );
    arena.bodies.create( cube( 3, -4, 5, 1 ) );
    arena.bodies.create( cube( -7, 8, 6, 2 ) );
    EXPECT_TRUE( boundsContain( arena, { btVector3( -7, -4, 5 ), btVector3( 4, 10, 8 ) } ) );
}
