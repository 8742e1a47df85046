// SPDX-License-Identifier: Zlib
// The input is a def and a stream of calls of the C API. The World compares each update and query with the oracle.
// A failed expectation throws what nothing catches, so that libFuzzer keeps the input.
#include "gpu/core/segment.h"
#include "tests/behaviour/bridge/hooks.h"
#include "tests/fuzz/input.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <cfloat>
#include <cmath>
#include <cstring>

using namespace test;

namespace
{

class Calls
{
public:
    Calls( const uint8_t* data, size_t size ) : m_input( data, size ), m_world( makeDef() )
    {
    }

    void run()
    {
        while ( !m_input.isUsedUp() )
        {
            callOne();
        }
        m_world.update();
        m_world.expectProxies();
    }

private:
    cltBroadphaseDef makeDef()
    {
        m_research = cltDefaultResearchDef();
        m_research.keepFront = m_input.flag();
        cltBroadphaseDef def = defOf( m_input.pick( allAlgorithms ) );
        def.precision = m_input.pick( allPrecisions );
        def.threadCount = below( 8 ) == 7 ? 3 : 1; // threads cost time and take no other branches of a search
        const cltSimd simd = m_input.pick( allSimds );
        def.simd = def.algorithm == clt_algorithmWide && isUsable( simd ) ? simd : clt_simdAuto;
        def.filterMasks = m_input.flag();
        def.reportDestroyed = m_input.flag();
        def.research = def.algorithm == clt_algorithmFrontier ? &m_research : nullptr;
        m_memory.installMemory( def );
        return def;
    }

    void callOne()
    {
        using Call = void ( Calls::* )();
        constexpr Call calls[] = { &Calls::createBoxes, &Calls::createBoxes,   &Calls::createCubes, &Calls::destroyOne,
                                   &Calls::destroyMany, &Calls::moveOne,       &Calls::moveOne,     &Calls::moveBySlot,
                                   &Calls::drift,       &Calls::setFilter,     &Calls::queryBox,    &Calls::castRay,
                                   &Calls::refuse,      &Calls::expectProxies, &Calls::update,      &Calls::update };
        ( this->*m_input.pick( calls ) )();
    }

    void createBoxes()
    {
        createSome( 1 + below( 4 ), [this] { return anyBox(); } );
    }

    template <typename BoxOf>
    void createSome( int count, BoxOf boxOf )
    {
        const Boxes boxes = boxesOf( count, [&]( int ) { return boxOf(); } );
        m_world.createAll( boxes, anyFilter() );
    }

    /// Enough for trees of several levels, from a few bytes of the input.
    void createCubes()
    {
        if ( m_world.proxies().size() < 400 )
        {
            Random random( below( 256 ) );
            const double reach = 2 + below( 16 );
            createSome( 1 + below( 256 ), [&] { return randomCube( random, reach ); } );
        }
    }

    void destroyOne()
    {
        if ( hasProxies() )
        {
            m_world.destroy( anyProxy() );
        }
    }

    void destroyMany()
    {
        for ( int left = below( 256 ); left > 0; --left )
        {
            destroyOne();
        }
    }

    void moveOne()
    {
        if ( hasProxies() )
        {
            m_world.move( anyProxy(), anyBox() );
        }
    }

    void moveBySlot()
    {
        const int count = below( 64 );
        m_world.moveAll( size_t( count ), nullptr, boxesOf( count, [this]( int ) { return anyBox(); } ) );
    }

    /// Moves a share of all proxies by random distances.
    void drift()
    {
        Random random( below( 256 ) );
        const int oneIn = 1 + below( 32 );
        const double reach = m_input.pick( { 1e-7, 0.01, 0.3, 5.0 } );
        Ids ids;
        Boxes boxes;
        for ( const auto& [id, proxy] : m_world.proxies() )
        {
            if ( random.oneIn( unsigned( oneIn ) ) )
            {
                ids.push_back( id );
                boxes.push_back( shifted( proxy.box, random.between( -reach, reach ) ) );
            }
        }
        m_world.moveAll( ids, boxes );
    }

    void setFilter()
    {
        if ( hasProxies() )
        {
            m_world.setFilter( anyProxy(), anyFilter() );
        }
    }

    void queryBox()
    {
        m_world.expectQuery( anyBox() );
    }

    void expectProxies()
    {
        m_world.expectProxies();
    }

    /// One update in four is tried first with no memory after a few allocations.
    void update()
    {
        const int kind = below( 4 );
        if ( kind == 2 )
        {
            m_memory.failAllocations( 1 + uint64_t( below( 16 ) ), UINT32_MAX );
            m_world.tryUpdate();
            m_memory.failAllocations( 1, 0 );
            callOne(); // for example a move, from which the update that is repeated differs
        }
        kind % 2 == 1 ? m_world.update() : m_world.updateOnly();
    }

    /// The proxies that a ray meets are those that single tests of their boxes find.
    void castRay()
    {
        double from[3], to[3];
        for ( int axis = 0; axis < 3; ++axis )
        {
            from[axis] = coordinate();
            to[axis] = coordinate();
        }
        const auto isFinite = []( double number ) { return std::isfinite( number ); };
        Ids met, expected;
        const cltStatus status = cltBroadphase_CastRay( m_world.broadphase(), from, to, collect, &met );
        if ( !std::all_of( from, from + 3, isFinite ) || !std::all_of( to, to + 3, isFinite ) )
        {
            EXPECT_EQ( clt_invalidArgument, status );
            return;
        }
        const cltSegment segment = cltSegment_Make( from, to );
        for ( const auto& [id, proxy] : m_world.proxies() )
        {
            double enter = 0;
            if ( cltSegment_Meets( &segment, &proxy.box, 1, &enter ) )
            {
                expected.push_back( id );
            }
        }
        std::sort( met.begin(), met.end() );
        EXPECT_EQ( clt_ok, status );
        EXPECT_EQ( expected, met );
    }

    static double collect( cltProxyId proxy, uint64_t, double, double maxFraction, void* ids )
    {
        static_cast<Ids*>( ids )->push_back( proxy );
        return maxFraction;
    }

    /// Calls that must be refused as a whole.
    void refuse()
    {
        cltBroadphase* it = m_world.broadphase();
        const cltProxyId unknown = m_input.any<cltProxyId>();
        if ( m_world.proxies().count( unknown ) == 0 )
        {
            const cltProxyId known = hasProxies() ? anyProxy() : unknown;
            const cltProxyId ids[] = { known, unknown };
            EXPECT_EQ( clt_unknownProxy, cltBroadphase_DestroyProxies( it, 2, ids ) );
            EXPECT_EQ( clt_unknownProxy, cltBroadphase_SetFilter( it, unknown, &defaultFilter ) );
        }
        EXPECT_NE( clt_ok, cltBroadphase_MoveProxy( it, unknown, nullptr ) );
    }

    cltAabbD anyBox()
    {
        return m_input.box( [this] { return coordinate(); } );
    }

    /// Mostly small integers, so that faces touch.
    double coordinate()
    {
        constexpr double special[] = { 0.0,     -0.0,  infinity, -infinity, notANumber, FLT_MAX, -FLT_MAX,
                                       FLT_MIN, 1e-45, -1e-45,   5e-324,    -5e-324,    DBL_MAX, -DBL_MAX };
        switch ( below( 8 ) )
        {
        case 0:
            return m_input.pick( special );
        case 1:
            return anyDouble();
        case 2:
            return m_input.any<int16_t>() / 1024.0;
        default:
            return below( 16 );
        }
    }

    /// Any bits.
    double anyDouble()
    {
        const auto bits = m_input.any<uint64_t>();
        double number;
        std::memcpy( &number, &bits, sizeof number );
        return number;
    }

    cltFilter anyFilter()
    {
        constexpr cltFilter filters[] = { { 1, -1 }, { 2, -3 }, { 2, 1 }, { 1, 0 }, { INT32_MIN, -1 }, { -1, -1 } };
        return m_input.pick( filters );
    }

    bool hasProxies() const
    {
        return !m_world.proxies().empty();
    }

    cltProxyId anyProxy()
    {
        const cltProxyId last = m_world.proxies().rbegin()->first;
        return m_world.proxies().lower_bound( m_input.any<uint16_t>() % ( last + 1 ) )->first;
    }

    /// A number from 0 on.
    int below( int count )
    {
        return int( m_input.below( unsigned( count ) ) );
    }

    Input m_input;
    Hooks m_memory;
    cltResearchDef m_research;
    World m_world;
};

} // namespace

extern "C" int LLVMFuzzerInitialize( int*, char*** )
{
    GTEST_FLAG_SET( throw_on_failure, true );
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    Calls( data, size ).run();
    return 0;
}
