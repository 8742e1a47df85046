// SPDX-License-Identifier: Zlib
// Bodies that tremble: they make small moves about a place of rest. Such moves need no search. Pairs may change if a
// body comes near, grows, hides, is created or gets another filter.
#include "cullet_queries.h"
#include "tests/behaviour/backends/each_config.h"

#include <algorithm>
#include <cfloat>

using namespace test;

CLT_EACH_CONFIG( Trembling );

namespace
{

constexpr double tremor = 2e-4;
constexpr size_t side = 8; // of the lattice

/// As large as the box of Bullet's static plane; below the lattice.
constexpr cltAabbD plane = { { -1e18, -1e18, -1e18 }, { 1e18, -0.5, 1e18 } };

/// Unit cubes at rest. Most are far from a change of their pairs. Some gaps to the next cube, and some overlaps, are
/// hardly larger than the tremor.
Boxes resting( size_t count, Random& random )
{
    Boxes boxes;
    for ( size_t i = 0; i < count; ++i )
    {
        const double tight = i % 13 == 0 ? 0.1 + random.between( -2, 2 ) * tremor : 0;
        boxes.push_back( cube( 0.9 * double( i % side ) + tight, 1.1 * double( i / side % side ),
                               0.95 * double( i / side / side ), 0.5 ) );
    }
    return boxes;
}

cltAabbD near( const cltAabbD& box, Random& random, double most )
{
    cltAabbD moved = box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double step = random.between( -most, most );
        moved.lower[axis] += step;
        moved.upper[axis] += step;
    }
    return moved;
}

/// A world of bodies that tremble, each about its place of rest.
class TremblingWorld
{
public:
    TremblingWorld( const cltBroadphaseDef& def, size_t count ) : m_world( def ), m_rest( resting( count, m_random ) )
    {
        m_ids = m_world.createAll( m_rest );
        m_world.updateOnly();
    }

    void tremble( size_t stride = 1 )
    {
        for ( size_t i = 0; i < m_ids.size(); i += stride )
        {
            m_world.move( m_ids[i], near( m_rest[i], m_random, tremor ) );
        }
    }

    /// From step 12 on, when the backend has detected bodies that tremble, makes a change of another kind in each step.
    void disturb( int step )
    {
        const size_t body = any();
        switch ( step < 12 ? 9 : step % 9 )
        {
        case 0:
            m_rest[body] = near( m_rest[body], m_random, 0.3 );
            break;
        case 1: // moves through all other bodies
            m_world.move( m_ids[0], cube( -1 + step % 9, 2, 1.5, 0.5 ) );
            break;
        case 2:
            replace( body );
            break;
        case 3:
            m_world.setFilter( m_ids[body], { 1, step % 2 == 0 ? 0 : -1 } );
            break;
        case 4: // hidden until it trembles again
            m_world.move( m_ids[body], { { notANumber, 0, 0 }, { 1, 1, 1 } } );
            break;
        case 5: // many bodies, by about the largest move that needs no search
            for ( size_t i = 0; i < m_ids.size(); i += 5 )
            {
                m_world.move( m_ids[i], near( m_rest[i], m_random, 1.0 / 64 ) );
            }
            break;
        case 6:
            m_world.move( m_ids[1], span( -50, 3 ) ); // a huge box
            break;
        default:
            break;
        }
    }

    /// Expects a query to find a body even if the query's box only touches the body's exact box.
    void expectQueries()
    {
        for ( size_t i = 0; i < m_ids.size(); i += 13 )
        {
            const int axis = i / 2 % 3;
            cltAabbD beside = m_world.boxOf( m_ids[i] );
            double& near = i % 2 == 0 ? beside.lower[axis] : beside.upper[axis];
            double& far = i % 2 == 0 ? beside.upper[axis] : beside.lower[axis];
            near = far;
            far += i % 2 == 0 ? 0.25 : -0.25;
            m_world.expectQuery( m_world.roundedToPrecision( beside ) );
        }
    }

    void update()
    {
        m_world.updateOnly();
        m_known = m_world.proxies();
    }

    /// Moves all bodies and disturbs them. Calls QueryNew for some bodies, each right after its move: for one body in
    /// eight in each step, as for ghosts, and for the other bodies in turn. Returns the number of current overlaps of
    /// the queried bodies, and how many of these overlaps were reported although the last update had found them.
    std::pair<size_t, size_t> queryNew( int step )
    {
        std::pair<size_t, size_t> counts;
        for ( size_t i = 0; i < m_ids.size(); ++i )
        {
            m_world.move( m_ids[i], near( m_rest[i], m_random, tremor ) );
            if ( i == m_ids.size() / 2 )
            {
                disturb( step );
            }
            if ( i % 8 != 1 && ( i + size_t( step ) ) % 4 != 0 )
            {
                continue;
            }
            if ( i > 0 && i % 13 == 0 && step % 9 == 7 ) // the neighbour that body i nearly touches moves into it
            {
                m_world.move( m_ids[i - 1], cube( m_rest[i - 1].lower[0] + 0.53, m_rest[i - 1].lower[1] + 0.5,
                                                  m_rest[i - 1].lower[2] + 0.5, 0.5 ) );
            }
            const Ids found = findNew( m_ids[i] );
            for ( const auto& [other, proxy] : m_world.proxies() )
            {
                const bool isMet = overlaps( m_world.boxOf( m_ids[i] ), proxy.box ) && other != m_ids[i];
                const bool wasMet = overlapped( m_ids[i], other );
                const ptrdiff_t times = std::count( found.begin(), found.end(), other );
                EXPECT_GE( isMet, times ) << m_ids[i] << " " << other;
                EXPECT_GE( times, isMet && !wasMet ) << m_ids[i] << " " << other;
                counts.first += isMet;
                counts.second += isMet && wasMet && times > 0;
            }
        }
        return counts;
    }

    void replaceSome()
    {
        for ( size_t i = 0; i < m_ids.size(); i += 8 )
        {
            replace( i );
        }
    }

    World& world()
    {
        return m_world;
    }

    size_t count() const
    {
        return m_ids.size();
    }

private:
    Ids findNew( cltProxyId proxy )
    {
        Ids found;
        const auto note = []( cltProxyId other, uint64_t, void* context )
        {
            static_cast<Ids*>( context )->push_back( other );
            return true;
        };
        EXPECT_EQ( clt_ok, cltBroadphase_QueryNew( m_world.broadphase(), proxy, note, &found ) );
        return found;
    }

    /// True if the boxes of two proxies overlapped at the last update.
    bool overlapped( cltProxyId a, cltProxyId b ) const
    {
        return m_known.count( a ) != 0 && m_known.count( b ) != 0 &&
               overlaps( m_known.at( a ).box, m_known.at( b ).box );
    }

    size_t any()
    {
        return m_random.below( uint32_t( m_ids.size() ) );
    }

    void replace( size_t body )
    {
        m_world.destroy( m_ids[body] );
        m_ids[body] = m_world.create( m_rest[body] );
    }

    Random m_random{ 5 };
    World m_world;
    Boxes m_rest;
    Ids m_ids;
    std::map<cltProxyId, World::Proxy> m_known; ///< proxies as of the last update
};

} // namespace

/// Bodies have rest margins only with `wide` on a CPU.
static bool hasRestMargins( const World& world )
{
    const cltStats stats = world.stats();
    return stats.device == clt_deviceCpu && stats.algorithm == clt_algorithmWide;
}

/// With `wide` there are so many bodies that several threads measure the gaps between them.
TEST_P( Trembling, KeepsPairsExactWhenDisturbed )
{
    TremblingWorld stack( def(), def().algorithm == clt_algorithmWide ? 4000 : 300 );
    for ( int step = 0; step < 24 && !HasFailure(); ++step )
    {
        SCOPED_TRACE( "step " + std::to_string( step ) );
        stack.tremble();
        stack.disturb( step );
        stack.world().updateOnly();
    }
}

/// One of two touching boxes trembles. Both are infinite, or so far from the origin that no tremor changes a float.
TEST_P( Trembling, VeryFarPairsEndInTheRightStep )
{
    const double far = 2e6 + 0.03;
    const Boxes twos[] = {
        { { { far - 100, far, far }, { far, far + 100, far + 100 } },
          { { far, far, far }, { far + 100, far + 100, far + 100 } } },
        { { { infinity, 21, 0 }, { infinity, 2000, 1 } }, { { -infinity, 20, 0 }, { infinity, 21, 1 } } } };
    for ( const Boxes& two : twos )
    {
        TremblingWorld stack( def(), 400 );
        const Ids ids = stack.world().createAll( two );
        stack.world().updateOnly(); // the box that does not tremble is at rest
        Random random( 13 );
        for ( int step = 0; step < 30 && !HasFailure(); ++step )
        {
            SCOPED_TRACE( "step " + std::to_string( step ) );
            stack.tremble();
            stack.world().move( ids[0], near( two[0], random, tremor ) );
            stack.world().updateOnly();
        }
    }
}

/// Floats do not show a bound's move from one number beyond their range to another.
TEST_P( Trembling, DoublesBeyondFloatsMeetInTheRightStep )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        World world( def() );
        Boxes two( 2, cube( 0, 0, 0, 0.5 ) );
        two[0].lower[axis] = -1e39;
        two[1].lower[axis] = -3e39;
        two[1].upper[axis] = -1.5e39;
        const Ids ids = world.createAll( two );
        const Ids others = world.createAll( cubesInARow( 400, 3, 1 ) );
        world.updateOnly();
        two[0].upper[0] += tremor; // so that the body is at rest from the next update on
        world.move( ids[0], two[0] );
        world.move( others[100], shifted( cube( 300, 0, 0, 1 ), tremor ) );
        world.updateOnly();
        two[0].lower[axis] = -2e39;
        world.move( ids[0], two[0] );
        world.updateOnly();
    }
}

/// Pairs of boxes that slowly separate, so far out that neighbouring floats are about a tenth of a millimetre apart.
TEST_P( Trembling, PairsFarFromTheOriginEndInTheRightStep )
{
    constexpr size_t count = 400;
    constexpr double creep = 2e-5;
    World world( def() );
    Random random( 3 );
    Boxes boxes;
    for ( size_t i = 0; i < count; i += 2 )
    {
        const double x = 1000 + 3 * double( i % 20 );
        const double y = 3 * double( i / 20 );
        boxes.push_back( cube( x, y, 0, 0.5 ) );
        boxes.push_back( cube( x + 1 - random.between( 1e-3, 4e-3 ), y, 0, 0.5 ) );
    }
    const Ids ids = world.createAll( boxes );
    for ( int step = 0; step < 100 && !HasFailure(); ++step )
    {
        SCOPED_TRACE( "step " + std::to_string( step ) );
        for ( size_t i = 0; i < count; ++i )
        {
            boxes[i].lower[0] += i % 2 == 0 ? -creep : creep;
            boxes[i].upper[0] += i % 2 == 0 ? -creep : creep;
            world.move( ids[i], near( boxes[i], random, tremor / 2 ) );
        }
        world.updateOnly();
        if ( step == 20 && hasRestMargins( world ) )
        {
            EXPECT_GE( count / 2, world.stats().changedCount );
        }
    }
}

/// QueryNew finds every overlap that is new since the last update; with `wide` and many bodies, hardly any older one.
TEST_P( Trembling, QueriesForNewPairsFindThem )
{
    for ( size_t count : { 40u, 300u } )
    {
        TremblingWorld stack( def(), count );
        stack.update();
        std::pair<size_t, size_t> late;
        for ( int step = 0; step < 36 && !HasFailure(); ++step )
        {
            SCOPED_TRACE( std::to_string( count ) + " bodies, step " + std::to_string( step ) );
            const auto counts = stack.queryNew( step );
            late = step > 12 && step % 9 == 8 ? counts : late; // a step without other changes
            stack.update();
        }
        const bool isPruned = count == 300 && hasRestMargins( stack.world() );
        EXPECT_GE( isPruned ? late.first / 4 : late.first, late.second ) << count;
    }
}

/// Bodies tremble, also above a plane with such large bounds that rounding shifts a bound by more than the width of the
/// lattice. With `wide`, hardly any box counts as changed. Queries use current boxes, also after all bodies are sorted.
TEST_P( Trembling, CountsAsRest )
{
    size_t bytes[2];
    for ( bool onPlane : { false, true } )
    {
        TremblingWorld stack( def(), 400 );
        if ( onPlane )
        {
            stack.world().create( plane );
            stack.world().create( cube( 0, -1e6, 0, 0.5 ) ); // a body that fell off the plane
        }
        const bool isMargined = hasRestMargins( stack.world() );
        for ( int step = 0; step < 24; ++step )
        {
            stack.tremble();
            stack.expectQueries();
            stack.tremble( 2 );
            stack.world().updateOnly();
            stack.expectQueries();
            const size_t changedCount = stack.world().stats().changedCount;
            if ( isMargined && step > 12 )
            {
                EXPECT_GE( stack.count() / 20, changedCount );
            }
            if ( !isMargined )
            {
                EXPECT_EQ( stack.count() + ( onPlane && step == 0 ? 2 : 0 ), changedCount );
            }
        }
        bytes[onPlane] = stack.world().stats().hostBytes;
        stack.tremble();
        stack.replaceSome(); // new bodies cause all bodies to be sorted
        stack.world().updateOnly();
        stack.expectQueries();
    }
    EXPECT_GE( 2 * bytes[0], bytes[1] ); // few pairs are near pairs
}

/// A step is small or large in relation to the boxes.
TEST( TremblingBodies, RestInBoxesOfEverySize )
{
    for ( const double size : { 1e-3, 1.0, 1e3 } )
    {
        World world( defOf( clt_algorithmWide ) );
        const Boxes cubes = cubesInARow( 200, 3 * size, size );
        const Ids proxies = world.createAll( cubes );
        for ( int step = 0; step < 24; ++step )
        {
            for ( size_t i = 0; i < proxies.size(); ++i )
            {
                world.move( proxies[i], shifted( cubes[i], step % 2 == 0 ? 1e-4 * size : 0 ) );
            }
            world.updateOnly();
        }
        EXPECT_EQ( 0u, world.stats().changedCount ) << "size " << size;
    }
}

/// The inverses of the largest edges are so small that their sum rounds to an infinite mean edge.
TEST( TremblingHugeBoxes, HaveNoRestBoxes )
{
    World world( defOf( clt_algorithmWide ) );
    cltAabbD huge = cube( 0, 0, 0, 1 );
    huge.upper[0] = double( FLT_MAX );
    const Ids proxies = world.createAll( Boxes( 100, huge ) );
    world.update();
    for ( int step = 1; step <= 40; ++step )
    {
        huge.lower[1] = -1.0 - 0.001 * step;
        for ( int body = 0; body < 5; ++body )
        {
            world.move( proxies[size_t( body )], huge );
        }
        world.update();
        EXPECT_EQ( 5u, world.stats().changedCount );
    }
}
