// SPDX-License-Identifier: Zlib
/// \file proxy_calls.h
/// Calls that create, destroy and change the proxies of a World, as an input chooses.
#ifndef CLT_TESTS_PROXY_CALLS_H
#define CLT_TESTS_PROXY_CALLS_H

#include "tests/behaviour/bridge/hooks.h"
#include "tests/fuzz/queries.h"
#include "tests/fuzz/world_input.h"
#include "tests/support/config.h"

namespace test
{

class ProxyCalls
{
public:
    /// All ids in the order of creation.
    const Ids& ids() const
    {
        return m_ids;
    }

    /// False if memory failed: other algorithms allocate in other calls.
    bool sharesIdsWithOtherAlgorithms() const
    {
        return m_sharesIds;
    }

protected:
    ProxyCalls( const uint8_t* data, size_t size, int otherAlgorithm )
        : m_input( data, size ), m_world( makeDef( otherAlgorithm ) )
    {
    }

    void createBoxes()
    {
        createSome( 1 + below( 4 ), [this] { return m_input.anyBox(); } );
    }

    template <typename BoxOf>
    Ids createSome( int count, BoxOf boxOf )
    {
        const Boxes boxes = boxesOf( count, [&]( int ) { return boxOf(); } );
        const Ids ids = m_world.createAll( boxes, m_input.anyFilter() );
        m_ids.insert( m_ids.end(), ids.begin(), ids.end() );
        return ids;
    }

    /// Enough for trees of several levels, from a few bytes of the input.
    void createCubes()
    {
        if ( m_world.proxies().size() < 400 )
        {
            Random random( below( 256 ) );
            const double reach = 2 + below( 16 );
            createSome( 1 + below( 256 ), [&] { return m_input.placed( randomCube( random, reach ) ); } );
        }
    }

    /// Creates and destroys so many proxies that memory by id shrinks in later updates.
    void crowd()
    {
        const bool isSeen = m_input.flag();
        double x = 0;
        Ids ids = createSome( 1200, [&x] { return cube( x += 3, 0, 0, 1 ); } );
        isSeen ? updateOnce() : void();
        ids.resize( ids.size() - size_t( below( 4 ) ) );
        m_world.destroyAll( ids );
    }

    void destroyAllButFew()
    {
        Ids ids = proxiesThat( []( cltProxyId, const World::Proxy& ) { return true; }, m_world );
        m_input.flag() ? std::reverse( ids.begin(), ids.end() ) : void();
        ids.erase( ids.begin(), ids.begin() + std::min( below( 64 ), int( ids.size() ) ) );
        m_world.destroyAll( ids );
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
            m_world.move( anyProxy(), m_input.anyBox() );
        }
    }

    void moveBySlot()
    {
        const int count = below( 64 );
        m_world.moveAll( size_t( count ), nullptr, boxesOf( count, [this]( int ) { return m_input.anyBox(); } ) );
    }

    /// Sets single bounds of the first few proxies, so that their pairs often depend on it.
    void nudge()
    {
        for ( int left = 1 + below( 4 ); left > 0 && hasProxies(); --left )
        {
            const auto proxy = std::next( m_world.proxies().begin(), below( std::min( 4, proxyCount() ) ) );
            cltAabbD box = proxy->second.box;
            const int bound = below( 6 );
            ( bound < 3 ? box.lower : box.upper )[bound % 3] = m_input.coordinate();
            m_world.move( proxy->first, box );
        }
    }

    /// Faces of two boxes meet and part around the range of float.
    void nudgeFar()
    {
        for ( int left = below( 16 ); left > 0 && hasProxies(); --left )
        {
            const auto proxy = std::next( m_world.proxies().begin(), below( std::min( 2, proxyCount() ) ) );
            cltAabbD box = proxy->second.box;
            ( m_input.flag() ? box.lower : box.upper )[0] = 1e38 * ( below( 32 ) - 16 );
            m_world.move( proxy->first, box );
            updateOnce();
        }
    }

    /// Moves a share of all proxies by random distances.
    void drift()
    {
        Random random( below( 256 ) );
        const int oneIn = 1 + below( 32 );
        moveShare( m_world.proxies(), random, oneIn, m_input.pick( { 1e-7, 0.01, 0.3, 5.0 } ) );
    }

    /// Moves a share of all proxies about their places in some updates.
    void tremble()
    {
        const Proxies places = m_world.proxies();
        Random random( below( 256 ) );
        const int oneIn = m_input.pick( { 1, 4, 32 } );
        for ( int left = 1 + below( 12 ); left > 0; --left )
        {
            moveShare( places, random, oneIn, 1e-3 );
            updateOnce();
        }
    }

    void moveShare( const Proxies& places, Random& random, int oneIn, double reach )
    {
        Ids ids;
        Boxes boxes;
        for ( const auto& [id, proxy] : places )
        {
            if ( random.oneIn( unsigned( oneIn ) ) )
            {
                ids.push_back( id );
                boxes.push_back( shifted( proxy.box, m_input.unit() * random.between( -reach, reach ) ) );
            }
        }
        m_world.moveAll( ids, boxes );
    }

    /// Names proxies twice in a call; the last box counts.
    void moveThereAndBack()
    {
        Ids ids;
        for ( int left = below( 16 ); left > 0 && hasProxies(); --left )
        {
            ids.push_back( anyProxy() );
        }
        Boxes boxes = boxesOf( int( ids.size() ), [this]( int ) { return m_input.anyBox(); } );
        std::transform( ids.begin(), ids.end(), std::back_inserter( boxes ),
                        [this]( cltProxyId id ) { return m_world.boxOf( id ); } );
        const Ids once = ids;
        ids.insert( ids.end(), once.begin(), once.end() );
        ids.reserve( 1 ); // not NULL, also if there are none
        m_world.moveAll( ids, boxes );
    }

    void setFilter()
    {
        if ( hasProxies() )
        {
            m_world.setFilter( anyProxy(), m_input.anyFilter() );
        }
    }

    /// In half of all cases the filters become what they were.
    void setFilters()
    {
        Ids ids;
        std::vector<cltFilter> filters, previous;
        for ( int left = below( 16 ); left > 0 && hasProxies(); --left )
        {
            ids.push_back( anyProxy() );
            filters.push_back( m_input.anyFilter() );
            previous.push_back( m_world.proxies().at( ids.back() ).filter );
        }
        m_world.setFilters( ids, filters );
        m_input.flag() ? m_world.setFilters( ids, previous ) : void();
    }

    void updateOnce()
    {
        m_world.updateOnly();
        m_previous = m_world.proxies();
    }

    int proxyCount() const
    {
        return int( m_world.proxies().size() );
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

    WorldInput m_input;
    Hooks m_memory;
    cltResearchDef m_research = cltDefaultResearchDef();
    bool m_sharesIds = false; ///< whether ids are compared with those of another algorithm
    World m_world;
    Proxies m_previous; ///< at the last update

private:
    cltBroadphaseDef makeDef( int otherAlgorithm )
    {
        m_research.keepFront = m_input.flag();
        cltBroadphaseDef def = defOf( allAlgorithms[( below( 6 ) + otherAlgorithm ) % 6] );
        def.precision = m_input.pick( allPrecisions );
        const int threads = below( 8 );
        def.threadCount = threads >= 6 ? 3 : 1; // threads cost time and take no other branches of a search
        threads == 6 ? m_memory.installLoop( def, Hooks::backwardLoop ) : void();
        const cltSimd simd = m_input.pick( allSimds );
        def.simd = def.algorithm == clt_algorithmWide && isUsable( simd ) ? simd : clt_simdAuto;
        def.filterMasks = m_input.flag();
        def.reportDestroyed = m_input.flag();
        m_research.root = m_input.pick( { clt_rootHardware, clt_rootCarmack, clt_rootLomont, clt_rootNone } );
        m_research.rootSteps = m_input.pick( { 2, 1, 3, 4 } );
        m_research.depthStep = m_input.pick( { 2, 1, 3, 4 } );
        m_research.entryLevel = below( 8 ) - 1;
        def.research = &m_research;
        def.proxyCapacity = m_input.pick( { 0u, 1u, 100u, 3000u } );
        m_input.readPlace();
        m_sharesIds = m_input.flag();
        m_memory.installMemory( def );
        return def;
    }

    Ids m_ids;
};

} // namespace test

#endif
