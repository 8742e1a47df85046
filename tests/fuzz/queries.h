// SPDX-License-Identifier: Zlib
/// \file queries.h
/// Queries of a World, compared with single tests of all boxes.
#ifndef CLT_TESTS_QUERIES_H
#define CLT_TESTS_QUERIES_H

#include "cullet_debug.h"
#include "cullet_queries.h"
#include "gpu/core/segment.h"
#include "tests/support/world.h"

#include <cfloat>
#include <cmath>

namespace test
{

using Proxies = std::map<cltProxyId, World::Proxy>;

/// The living proxies that a function of box and filter accepts, ascending.
template <typename Accepts>
Ids proxiesThat( Accepts accepts, const World& world )
{
    Ids ids;
    for ( const auto& [id, proxy] : world.proxies() )
    {
        if ( accepts( id, proxy ) )
        {
            ids.push_back( id );
        }
    }
    return ids;
}

inline bool areFinite( const double ( &numbers )[3] )
{
    return std::all_of( numbers, numbers + 3, []( double number ) { return std::isfinite( number ); } );
}

inline void expectOnSegment( const World& world, const double ( &from )[3], const double ( &to )[3] )
{
    const auto collect = []( cltProxyId proxy, uint64_t, double, double maxFraction, void* ids )
    {
        static_cast<Ids*>( ids )->push_back( proxy );
        return maxFraction;
    };
    Ids met;
    const cltStatus status = cltBroadphase_CastRay( world.broadphase(), from, to, collect, &met );
    if ( !areFinite( from ) || !areFinite( to ) )
    {
        EXPECT_EQ( clt_invalidArgument, status );
        return;
    }
    EXPECT_EQ( clt_ok, status );
    std::sort( met.begin(), met.end() );
    const cltSegment segment = cltSegment_Make( from, to );
    double enter = 0;
    const auto meets = [&]( cltProxyId, const World::Proxy& proxy )
    { return cltSegment_Meets( &segment, &proxy.box, 1, &enter ); };
    EXPECT_EQ( proxiesThat( meets, world ), met );
}

/// A ray without NaN. It hits the boxes that single tests in the World's precision accept.
inline void expectOnRay( const World& world, const cltRay& ray )
{
    const auto collect = []( size_t, cltProxyId proxy, uint64_t, double, double length, void* ids )
    {
        static_cast<Ids*>( ids )->push_back( proxy );
        return length;
    };
    Ids met;
    EXPECT_EQ( clt_ok, cltBroadphase_CastRays( world.broadphase(), 1, &ray, collect, &met ) );
    std::sort( met.begin(), met.end() );
    const cltRay clamped = cltRay_Clamp( &ray, world.isDouble() ? DBL_MAX : double( FLT_MAX ) );
    const cltSlabs slabs = cltSlabs_Exact( &clamped );
    const auto meets = [&]( cltProxyId, const World::Proxy& proxy )
    {
        double enter = 0;
        float floatEnter = 0;
        const cltAabb floatBox = toFloat( proxy.box );
        return !hasNan( proxy.box ) && ( world.isDouble() ? cltRay_Meets( &clamped, &proxy.box, clamped.length, &enter )
                                                          : cltSlabs_Meet( &slabs, &floatBox, &floatEnter ) );
    };
    EXPECT_EQ( proxiesThat( meets, world ), met );
}

inline bool collectProxy( cltProxyId proxy, uint64_t, void* ids )
{
    static_cast<Ids*>( ids )->push_back( proxy );
    return true;
}

/// Expects QueryNew to find each pair of the proxy that the last update did not have, and only proxies that overlap.
/// \param previous  the proxies at the last update
inline void expectNew( const World& world, cltProxyId subject, const Proxies& previous )
{
    Ids met;
    EXPECT_EQ( clt_ok, cltBroadphase_QueryNew( world.broadphase(), subject, collectProxy, &met ) );
    std::sort( met.begin(), met.end() );
    const World::Proxy& its = world.proxies().at( subject );
    const auto didOverlap = [&]( cltProxyId id )
    {
        const auto one = previous.find( id ), other = previous.find( subject );
        return one != previous.end() && other != previous.end() && overlaps( one->second.box, other->second.box );
    };
    const auto mayBeFound = [&]( cltProxyId id, const World::Proxy& proxy )
    { return id != subject && overlaps( proxy.box, its.box ); };
    const auto mustBeFound = [&]( cltProxyId id, const World::Proxy& proxy )
    { return mayBeFound( id, proxy ) && mayPair( proxy.filter, its.filter ) && !didOverlap( id ); };
    const Ids possible = proxiesThat( mayBeFound, world ), necessary = proxiesThat( mustBeFound, world );
    EXPECT_TRUE( std::includes( possible.begin(), possible.end(), met.begin(), met.end() ) ) << "of " << subject;
    EXPECT_TRUE( std::includes( met.begin(), met.end(), necessary.begin(), necessary.end() ) ) << "of " << subject;
}

/// Expects each proxy with a box to be drawn once.
inline void expectDrawn( const World& world )
{
    Ids drawn;
    cltDebugDraw draw = {};
    draw.drawBody = []( const cltDebugBody* body, void* ids ) { static_cast<Ids*>( ids )->push_back( body->proxy ); };
    draw.context = &drawn;
    const cltStatus status = cltBroadphase_DebugDraw( world.broadphase(), &draw );
    std::sort( drawn.begin(), drawn.end() );
    const auto isLiving = []( cltProxyId, const World::Proxy& ) { return true; };
    const auto hasBox = []( cltProxyId, const World::Proxy& proxy ) { return !hasNan( proxy.box ); };
    const Ids living = proxiesThat( isLiving, world ), necessary = proxiesThat( hasBox, world );
    EXPECT_TRUE( std::includes( living.begin(), living.end(), drawn.begin(), drawn.end() ) );
    EXPECT_TRUE( std::includes( drawn.begin(), drawn.end(), necessary.begin(), necessary.end() ) ||
                 status == clt_hostMemory );
}

} // namespace test

#endif
