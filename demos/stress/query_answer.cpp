// SPDX-License-Identifier: Zlib
/// \file query_answer.cpp
/// Reported proxies are only compared and looked up until they are known to live.
#include "query_answer.h"

#include "fault.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::stress
{

namespace
{

void requireLivingOnce( const char* what, const Population& population,
                        const std::vector<const btBroadphaseProxy*>& ascending )
{
    for ( std::size_t k = 0; k < ascending.size(); ++k )
    {
        const Body* body = population.find( ascending[k] );
        if ( body == nullptr )
        {
            throw Fault( what, "reports a proxy that does not live" );
        }
        if ( k > 0 && ascending[k - 1] == ascending[k] )
        {
            throw Fault( what, fmt::format( "reports {} twice", body->uid ) );
        }
    }
}

} // namespace

void requireAnswer( const char* what, const Population& population, std::vector<const btBroadphaseProxy*> reported,
                    const Bounds& bounds )
{
    std::sort( reported.begin(), reported.end(), std::less<const btBroadphaseProxy*>() );
    requireLivingOnce( what, population, reported );
    for ( std::size_t index = 0; index < population.size(); ++index )
    {
        const Body& body = population[index];
        const btBroadphaseProxy* proxy = body.proxy;
        const bool isReported =
            std::binary_search( reported.begin(), reported.end(), proxy, std::less<const btBroadphaseProxy*>() );
        const bool isNan = hasNan( body.box );
        if ( !isReported && !isNan && bounds.must( body.box ) )
        {
            throw Fault( what, fmt::format( "misses {}", body.uid ) );
        }
        const bool mayReport = isNan ? !bounds.hidesNan : bounds.may( body.box );
        if ( isReported && !mayReport )
        {
            throw Fault( what, fmt::format( "reports {}, which is too far away", body.uid ) );
        }
    }
}

} // namespace cullet::stress
