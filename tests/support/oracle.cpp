// SPDX-License-Identifier: Zlib
#include "tests/support/oracle.h"

namespace test
{

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
    const auto isOfProxy = [proxy]( cullet::PairKey key ) { return cullet::isPairOf( key, proxy ); };
    m_pairs.erase( std::remove_if( m_pairs.begin(), m_pairs.end(), isOfProxy ), m_pairs.end() );
}

PairSet Oracle::findPairs() const
{
    std::vector<cullet::Candidate<cltAabbD>> candidates;
    for ( const auto& [id, proxy] : m_proxies )
    {
        candidates.push_back( { proxy.box, m_filterMasks ? proxy.filter : cullet::openFilter, id } );
    }
    return cullet::sweptPairs( std::move( candidates ) );
}

Oracle::Changes Oracle::update()
{
    const PairSet before = std::move( m_pairs );
    m_pairs = findPairs();
    m_destroyed.clear();
    return { cullet::difference( m_pairs, before ), cullet::difference( before, m_pairs ) };
}

} // namespace test
