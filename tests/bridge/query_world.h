// SPDX-License-Identifier: Zlib
/// \file query_world.h
/// A world that is asked what a box meets, by cullet and by looking at every box.
#ifndef CLT_TESTS_QUERY_WORLD_H
#define CLT_TESTS_QUERY_WORLD_H

#include "tests/support/config.h"
#include "tests/support/world.h"

#include <algorithm>

namespace test
{

using Ids = std::vector<cltProxyId>;

inline bool collectId( cltProxyId proxy, uint64_t, void* context )
{
    static_cast<Ids*>( context )->push_back( proxy );
    return true;
}

inline std::string precisionName( const testing::TestParamInfo<cltPrecision>& info )
{
    return info.param == clt_precisionDouble ? "double" : "float";
}

/// By the call of the world's precision, ascending. From any thread.
inline Ids query( const World& world, const cltAabbD& box )
{
    Ids met;
    const cltAabb floatBox = toFloat( box );
    const bool isDouble = world.asGiven( span( 0.1, 0.1 ) ).lower[0] == 0.1;
    EXPECT_EQ( clt_ok, isDouble ? cltBroadphase_QueryBoxD( world.broadphase(), &box, collectId, &met )
                                : cltBroadphase_QueryBox( world.broadphase(), &floatBox, collectId, &met ) );
    std::sort( met.begin(), met.end() );
    return met;
}

inline Ids expectedIn( const World& world, const cltAabbD& box )
{
    Ids met;
    for ( const auto& proxy : world.oracle().proxies() )
    {
        if ( overlaps( proxy.second.box, world.asGiven( box ) ) )
        {
            met.push_back( proxy.first );
        }
    }
    std::sort( met.begin(), met.end() );
    return met;
}

/// Asks about so many random boxes.
inline void expectQueries( const World& world, Random& random, int count )
{
    for ( int i = 0; i < count; ++i )
    {
        const cltAabbD box = randomCube( random, 4 );
        ASSERT_EQ( expectedIn( world, box ), query( world, box ) );
    }
}

} // namespace test

#endif
