// SPDX-License-Identifier: Zlib
// The reference: brute force on the last boxes given.
#include "tests/support/oracle.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace test
{

bool hasNan( const cltAabbD& box )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( std::isnan( box.lower[axis] ) || std::isnan( box.upper[axis] ) )
        {
            return true;
        }
    }
    return false;
}

/// Neither has a NaN.
static bool reach( const cltAabbD& a, const cltAabbD& b )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( a.upper[axis] < b.lower[axis] || b.upper[axis] < a.lower[axis] )
        {
            return false;
        }
    }
    return true;
}

bool overlaps( const cltAabbD& a, const cltAabbD& b )
{
    return !hasNan( a ) && !hasNan( b ) && reach( a, b );
}

bool mayPair( const cltFilter& a, const cltFilter& b )
{
    return ( a.group & b.mask ) != 0 && ( b.group & a.mask ) != 0;
}

bool Oracle::create( cltProxyId proxy, const cltAabbD& box, const cltFilter& filter )
{
    bool isNew = m_destroyed.count( proxy ) == 0;
    return m_proxies.insert( { proxy, { box, filter } } ).second && isNew;
}

void Oracle::move( cltProxyId proxy, const cltAabbD& box )
{
    m_proxies.at( proxy ).box = box;
}

void Oracle::setFilter( cltProxyId proxy, const cltFilter& filter )
{
    m_proxies.at( proxy ).filter = filter;
}

void Oracle::destroy( cltProxyId proxy )
{
    m_proxies.erase( proxy );
    m_destroyed.insert( proxy );
    auto isOfProxy = [proxy]( const cltPair& pair ) { return pair.proxyA == proxy || pair.proxyB == proxy; };
    m_pairs.erase( std::remove_if( m_pairs.begin(), m_pairs.end(), isOfProxy ), m_pairs.end() );
}

Pairs Oracle::findPairs() const
{
    // A flat copy of what can pair at all: walking the map for each pair would make large scenes slow to check.
    std::vector<std::pair<cltProxyId, Proxy>> proxies;
    std::copy_if( m_proxies.begin(), m_proxies.end(), std::back_inserter( proxies ),
                  []( const auto& proxy ) { return !hasNan( proxy.second.box ); } );
    Pairs pairs;
    for ( size_t i = 0; i < proxies.size(); ++i )
    {
        const Proxy& a = proxies[i].second;
        for ( size_t j = i + 1; j < proxies.size(); ++j )
        {
            const Proxy& b = proxies[j].second;
            if ( reach( a.box, b.box ) && ( !m_filterMasks || mayPair( a.filter, b.filter ) ) )
            {
                pairs.push_back( { proxies[i].first, proxies[j].first } );
            }
        }
    }
    return pairs;
}

Oracle::Changes Oracle::update()
{
    Pairs before = std::move( m_pairs );
    m_pairs = findPairs();
    m_destroyed.clear();

    Changes changes;
    std::set_difference( m_pairs.begin(), m_pairs.end(), before.begin(), before.end(),
                         std::back_inserter( changes.began ) );
    std::set_difference( before.begin(), before.end(), m_pairs.begin(), m_pairs.end(),
                         std::back_inserter( changes.ended ) );
    return changes;
}

} // namespace test
