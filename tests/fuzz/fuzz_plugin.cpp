// SPDX-License-Identifier: Zlib
// The input is a stream of calls that a Bullet program makes: of the broadphase, of its pair cache, and edits of the
// proxies. The world of `cullet stress` compares pairs, ghost callbacks, algorithms and queries with its expectation.
#include "demos/stress/world.h"
#include "tests/fuzz/input.h"

#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <limits>

using namespace cullet;
using namespace cullet::stress;

namespace
{

constexpr std::size_t bodyCount = 100; ///< so few that each update reads all edited filters, see stress::World
constexpr cltPrecision bulletPrecision =
    sizeof( btScalar ) == sizeof( double ) ? clt_precisionDouble : clt_precisionFloat;

class Calls
{
public:
    Calls( const std::uint8_t* data, std::size_t size )
        : m_input( data, size ), m_arena( bodyCount, bulletPrecision ),
          m_world( createSubject( makeDef(), m_input.flag() ), bodyCount, [] {} )
    {
    }

    void run()
    {
        while ( !m_input.isUsedUp() )
        {
            step();
        }
        step(); // without input it changes nothing
    }

private:
    cltBroadphaseDef makeDef()
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.algorithm = m_input.pick( { clt_algorithmAuto, clt_algorithmBruteForce, clt_algorithmGrid,
                                        clt_algorithmLbvh, clt_algorithmWide, clt_algorithmFrontier } );
        def.simd = m_input.flag() ? clt_simdAuto : clt_simdPlain;
        def.threadCount = 1;
        return def;
    }

    /// The expectation requires that filters and the cache are edited right after a check.
    void step()
    {
        m_world.beginStep();
        for ( unsigned left = below( 4 ); left > 0; --left )
        {
            editFilter();
        }
        m_world.filtersEdited();
        for ( unsigned left = below( 4 ); left > 0; --left )
        {
            editCache();
        }
        for ( unsigned left = below( 32 ); left > 0; --left )
        {
            callOne();
        }
        m_world.update( 1 + int( below( 8 ) == 7 ) );
        if ( m_input.flag() )
        {
            query();
        }
        m_world.check();
    }

    void editFilter()
    {
        if ( below( 4 ) == 3 )
        {
            m_world.installFilter( below( 4 ) );
        }
        else if ( m_world.count() > 0 )
        {
            m_world.setFilter( anyBody(), anyFilter() );
        }
    }

    void editCache()
    {
        const PairSet& held = m_world.expectation.heldPairs();
        const unsigned kind = below( 4 );
        if ( kind < 2 && !held.empty() )
        {
            m_world.takeOut( held[m_input.any<std::uint16_t>() % held.size()] );
        }
        else if ( m_world.count() > 0 )
        {
            kind == 2 ? m_world.takeOutAllOf( anyBody() ) : m_world.cleanAllOf( anyBody() );
        }
    }

    void callOne()
    {
        using Call = void ( Calls::* )();
        constexpr Call calls[] = { &Calls::create, &Calls::create,    &Calls::createMany, &Calls::destroy,
                                   &Calls::move,   &Calls::move,      &Calls::drift,      &Calls::repeat,
                                   &Calls::query,  &Calls::resetPool, &Calls::destroyMany };
        ( this->*m_input.pick( calls ) )();
    }

    void create()
    {
        if ( m_world.count() < bodyCount )
        {
            m_world.create( anyBox(), anyFilter() );
        }
    }

    /// A world with pairs, from a few bytes of the input.
    void createMany()
    {
        Random random( m_input.any<std::uint8_t>() );
        for ( unsigned left = below( 64 ); left > 0 && m_world.count() < bodyCount; --left )
        {
            m_world.create( m_arena.ordinary( random ), anyFilter() );
        }
    }

    void destroy()
    {
        if ( m_world.count() > 0 )
        {
            m_world.destroy( anyBody() );
        }
    }

    void destroyMany()
    {
        for ( unsigned left = below( 128 ); left > 0; --left )
        {
            destroy();
        }
    }

    void move()
    {
        if ( m_world.count() > 0 )
        {
            m_world.move( anyBody(), anyBox() );
        }
    }

    void drift()
    {
        Random random( m_input.any<std::uint8_t>() );
        const double reach = m_input.pick( { 1e-6, 0.01, 0.3, 5.0 } );
        const unsigned oneIn = 1 + below( 32 );
        for ( std::size_t body = 0; body < m_world.count(); ++body )
        {
            if ( random.oneIn( oneIn ) )
            {
                m_world.move( body, m_arena.drifted( m_world.boxOf( body ), random, reach ) );
            }
        }
    }

    void repeat()
    {
        if ( m_world.count() > 0 )
        {
            const std::size_t body = anyBody();
            m_world.move( body, m_world.boxOf( body ) );
        }
    }

    void query()
    {
        Random random( m_input.any<std::uint8_t>() );
        checkQueries( m_world, m_arena, random, 1 );
    }

    void resetPool()
    {
        m_world.resetPool();
    }

    /// Mostly small integers, so that faces touch.
    cltAabbD anyBox()
    {
        if ( m_world.count() > 0 && below( 4 ) == 3 )
        {
            Random random( m_input.any<std::uint8_t>() );
            return m_arena.odd( m_world.boxOf( anyBody() ), random );
        }
        return m_input.box( [this] { return coordinate(); } );
    }

    double coordinate()
    {
        constexpr double far = BT_LARGE_FLOAT, infinity = std::numeric_limits<double>::infinity();
        constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
        constexpr double special[] = { 0.0,     -0.0,     far,     -far,     infinity, -infinity,
                                       FLT_MAX, -FLT_MAX, FLT_MIN, -FLT_MIN, 1e6,      notANumber };
        switch ( below( 8 ) )
        {
        case 0:
            return double( btScalar( m_input.pick( special ) ) );
        case 1:
            return m_input.any<std::int16_t>() / 1024.0;
        default:
            return below( 16 );
        }
    }

    cltFilter anyFilter()
    {
        constexpr cltFilter filters[] = { { 1, -1 }, { 1, -1 }, { 2, -3 },         { 2, 1 },
                                          { 1, 0 },  { 0, -1 }, { INT32_MIN, -1 }, { -1, -1 } };
        return m_input.pick( filters );
    }

    std::size_t anyBody()
    {
        return m_input.any<std::uint8_t>() % m_world.count();
    }

    /// A number from 0 on.
    unsigned below( unsigned count )
    {
        return m_input.below( count );
    }

    test::Input m_input;
    Arena m_arena;
    World m_world;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput( const std::uint8_t* data, std::size_t size )
{
    try
    {
        Calls( data, size ).run();
    }
    catch ( const Fault& fault )
    {
        std::fprintf( stderr, "%s: %s\n", fault.what.c_str(), fault.detail.c_str() );
        std::abort();
    }
    return 0;
}
