// SPDX-License-Identifier: Zlib
/// \file population.cpp
/// An array to draw bodies from, and two ways to find one.
#include "population.h"

#include <utility>

namespace cullet::stress
{

namespace
{

template <typename Map, typename Key>
Body* lookUp( const Map& map, Key key )
{
    const auto found = map.find( key );
    return found == map.end() ? nullptr : found->second;
}

} // namespace

Body& Population::add( const Body& body )
{
    m_bodies.push_back( std::make_unique<Body>( body ) );
    Body* added = m_bodies.back().get();
    m_ofProxy[body.proxy] = added;
    m_ofUid[std::uint32_t( body.uid )] = added;
    return *added;
}

void Population::remove( std::size_t index )
{
    m_ofProxy.erase( m_bodies[index]->proxy );
    m_ofUid.erase( std::uint32_t( m_bodies[index]->uid ) );
    std::swap( m_bodies[index], m_bodies.back() );
    m_bodies.pop_back();
}

Body* Population::find( const btBroadphaseProxy* proxy ) const
{
    return lookUp( m_ofProxy, proxy );
}

Body* Population::find( std::uint32_t uid ) const
{
    return lookUp( m_ofUid, uid );
}

BodyPair bodiesOf( const Population& population, PairKey key )
{
    return { population.find( std::uint32_t( key >> 32 ) ), population.find( std::uint32_t( key & UINT32_MAX ) ) };
}

} // namespace cullet::stress
