// SPDX-License-Identifier: Zlib
// Pairs by id from pairs by index: both ascend together.
#include "tests/support/oracle.h"

#include "demos/oracle/sweep.h"

namespace test
{

/// Above, every test would wait for its oracle. tests/support/test_oracle.cpp holds the one against the other.
static const size_t mostForBruteForce = 300;

bool Oracle::create( cltProxyId proxy, const cltAabbD& box, const cltFilter& filter )
{
    const bool isNew = m_destroyed.count( proxy ) == 0;
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
    const auto isOfProxy = [proxy]( cullet::PairKey key )
    { return cullet::smallerOf( key ) == proxy || cullet::largerOf( key ) == proxy; };
    m_pairs.erase( std::remove_if( m_pairs.begin(), m_pairs.end(), isOfProxy ), m_pairs.end() );
}

PairSet Oracle::findPairs() const
{
    std::vector<cltProxyId> ids;
    std::vector<cltAabbD> boxes;
    std::vector<cltFilter> filters;
    for ( const auto& [id, proxy] : m_proxies )
    {
        ids.push_back( id );
        boxes.push_back( proxy.box );
        filters.push_back( proxy.filter );
    }
    const cullet::BoxSet<cltAabbD> set = { boxes.data(), m_filterMasks ? filters.data() : nullptr,
                                           static_cast<uint32_t>( ids.size() ) };
    PairSet pairs = ids.size() > mostForBruteForce ? cullet::sweptPairs( set ) : cullet::bruteForcePairs( set );
    for ( cullet::PairKey& key : pairs )
    {
        key = cullet::pairKey( ids[cullet::smallerOf( key )], ids[cullet::largerOf( key )] );
    }
    return pairs;
}

Oracle::Changes Oracle::update()
{
    const PairSet before = std::move( m_pairs );
    m_pairs = findPairs();
    m_destroyed.clear();
    return { cullet::difference( m_pairs, before ), cullet::difference( before, m_pairs ) };
}

} // namespace test
