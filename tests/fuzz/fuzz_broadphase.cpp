// SPDX-License-Identifier: Zlib
// The input is a def and a stream of calls of the C API. The World compares each update and query with the oracle.
// A failed expectation throws what nothing catches, so that libFuzzer keeps the input.
#include "tests/fuzz/proxy_calls.h"
#include "tests/support/array_world.h"

#include <memory>

using namespace test;

namespace
{

class Calls : public ProxyCalls
{
public:
    /// \param otherAlgorithm  0, or how far another algorithm is behind that of the input
    Calls( const uint8_t* data, size_t size, int otherAlgorithm = 0 ) : ProxyCalls( data, size, otherAlgorithm )
    {
        m_world.onOutOfMemory = [this]
        {
            m_memory.failAllocations( 1, 0 );
            m_input.flag() ? m_world.expectPairs() : expectProxies();
        };
    }

    void run()
    {
        while ( !m_input.isUsedUp() )
        {
            callOne();
        }
        m_world.update();
        expectProxies();
    }

private:
    void callOne()
    {
        using Call = void ( Calls::* )();
        constexpr Call calls[] = { &Calls::createBoxes, &Calls::createBoxes,
                                   &Calls::createCubes, &Calls::destroyOne,
                                   &Calls::destroyMany, &Calls::moveOne,
                                   &Calls::moveOne,     &Calls::moveBySlot,
                                   &Calls::drift,       &Calls::setFilter,
                                   &Calls::queryBox,    &Calls::castRay,
                                   &Calls::refuse,      &Calls::expectProxies,
                                   &Calls::update,      &Calls::update,
                                   &Calls::nudge,       &Calls::nudge,
                                   &Calls::nudgeFar,    &Calls::tremble,
                                   &Calls::tremble,     &Calls::moveThereAndBack,
                                   &Calls::setFilters,  &Calls::idle,
                                   &Calls::crowd,       &Calls::destroyAllButFew,
                                   &Calls::castSwept,   &Calls::queryNew,
                                   &Calls::draw,        &Calls::updateArrays,
                                   &Calls::failNext,    &Calls::giveFloats };
        ( this->*m_input.pick( calls ) )();
    }

    /// One update in four is tried first with no memory after a few allocations.
    void update()
    {
        const int kind = below( 4 );
        if ( kind == 2 )
        {
            failAllocations( UINT32_MAX );
            tryUpdate();
            m_memory.failAllocations( 1, 0 );
            callOne(); // for example a move, from which the update that is repeated differs
        }
        updateOnce();
        kind % 2 == 1 ? m_world.expectPairs() : void();
    }

    void tryUpdate()
    {
        m_world.tryUpdate() == clt_ok ? void( m_previous = m_world.proxies() ) : void();
    }

    /// Until memory shrinks. A body that trembles is a change for most algorithms.
    void idle()
    {
        if ( proxyCount() > 64 )
        {
            destroyAllButFew();
        }
        const Proxies places = m_world.proxies();
        Random random( below( 256 ) );
        const bool trembles = m_input.flag();
        for ( int left = 250; left > 0; --left )
        {
            trembles ? moveShare( places, random, 32, 1e-4 ) : void();
            updateOnce();
        }
        createBoxes(); // their ids tell
    }

    /// No memory, or none once, after a few allocations in the next call.
    void failNext()
    {
        failAllocations( m_input.pick( { 1u, UINT32_MAX } ) );
        callOne();
        m_memory.failAllocations( 1, 0 );
    }

    void failAllocations( uint32_t count )
    {
        m_memory.failAllocations( 1 + uint64_t( below( 16 ) ), count );
        m_sharesIds = false;
    }

    void giveFloats()
    {
        m_world.giveFloats( m_input.flag() );
    }

    void expectProxies()
    {
        m_world.expectProxies();
        const cltStats stats = m_world.stats();
        EXPECT_EQ( m_memory.bytesHeld(), stats.hostBytes );
        EXPECT_EQ(
            proxiesThat( []( cltProxyId, const World::Proxy& proxy ) { return hasNan( proxy.box ); }, m_world ).size(),
            stats.nanCount );
    }

    void queryBox()
    {
        m_world.expectQuery( m_input.anyBox() );
    }

    void castRay()
    {
        double from[3], to[3];
        anySegment( from, to );
        expectOnSegment( m_world, from, to );
    }

    /// A ray or a box that moves along it, with directions and lengths of any size.
    void castSwept()
    {
        double from[3], to[3];
        anySegment( from, to );
        if ( !areFinite( from ) || !areFinite( to ) )
        {
            return;
        }
        cltRay ray = cltRayBetween( from, to );
        const double scale = m_input.pick( { 1.0, 1.0, 1e20, 1e36, 1e100, 1e-36 } );
        for ( double& inverse : ray.inverse )
        {
            inverse *= scale;
        }
        ray.length = scale * m_input.pick( { 1.0, 0.5, 3.0, infinity } );
        ray.swept = m_input.flag() ? span( -m_input.unit() * below( 4 ), m_input.unit() * below( 4 ) ) : span( 0, 0 );
        if ( std::all_of( ray.inverse, ray.inverse + 3, []( double inverse ) { return float( inverse ) != 0; } ) )
        {
            expectOnRay( m_world, ray ); // zeros would give NaNs, with which Bullet's rule is of no use
        }
    }

    void anySegment( double ( &from )[3], double ( &to )[3] )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            from[axis] = m_input.coordinate();
            to[axis] = m_input.coordinate();
        }
    }

    void queryNew()
    {
        if ( hasProxies() )
        {
            expectNew( m_world, anyProxy(), m_previous );
        }
    }

    void draw()
    {
        expectDrawn( m_world );
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
            const cltAabb boxes[2] = {};
            EXPECT_EQ( clt_unknownProxy, cltBroadphase_DestroyProxies( it, 2, ids ) );
            EXPECT_EQ( clt_unknownProxy, cltBroadphase_SetFilter( it, unknown, &defaultFilter ) );
            EXPECT_EQ( clt_unknownProxy, cltBroadphase_MoveProxies( it, 2, ids, boxes ) );
        }
        EXPECT_NE( clt_ok, cltBroadphase_MoveProxy( it, unknown, nullptr ) );
    }

    /// Gives arrays some of the boxes, first with little memory.
    void updateArrays()
    {
        if ( m_arrays == nullptr )
        {
            cltBroadphaseDef def = cltDefaultBroadphaseDef();
            def.precision = m_world.isDouble() ? clt_precisionDouble : clt_precisionFloat;
            def.threadCount = 1;
            m_memoryOfArrays.installMemory( def );
            m_arrays = std::make_unique<ArrayWorld<HostMemory>>( def );
            m_arrays->onOutOfMemory = [this] { m_memoryOfArrays.failAllocations( 1, 0 ); };
        }
        const int count = std::min( below( 256 ), proxyCount() );
        Boxes boxes;
        Filters filters;
        for ( auto proxy = m_world.proxies().begin(); int( boxes.size() ) < count; ++proxy )
        {
            boxes.push_back( proxy->second.box );
            filters.push_back( proxy->second.filter );
        }
        m_memoryOfArrays.failAllocations( 1 + uint64_t( below( 64 ) ), UINT32_MAX );
        m_arrays->update( boxes, m_input.flag() ? filters : Filters() );
        m_memoryOfArrays.failAllocations( 1, 0 );
        m_arrays->expectPairs();
        EXPECT_EQ( m_memoryOfArrays.bytesHeld(), m_arrays->stats().hostBytes );
    }

    Hooks m_memoryOfArrays;
    std::unique_ptr<ArrayWorld<HostMemory>> m_arrays;
};

} // namespace

extern "C" int LLVMFuzzerInitialize( int*, char*** )
{
    GTEST_FLAG_SET( throw_on_failure, true );
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    Calls calls( data, size );
    calls.run();
    if ( calls.sharesIdsWithOtherAlgorithms() )
    {
        Calls others( data, size, 1 + int( size % 5 ) );
        others.run();
        EXPECT_EQ( calls.ids(), others.ids() );
    }
    return 0;
}
