// SPDX-License-Identifier: Zlib
/// \file objects.h
/// The objects of another library in a broadphase of cullet. Boxes are passed in double, so nothing is rounded.
#ifndef CLT_OTHERS_OBJECTS_H
#define CLT_OTHERS_OBJECTS_H

#include "cullet.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace cullet::others
{

/// Throws std::runtime_error that names the error and its remedy.
inline void requireOk( cltStatus status )
{
    if ( status != clt_ok )
    {
        throw std::runtime_error( cltStatusMessage( status ) );
    }
}

/// Keeps a proxy for each of another library's objects, which are given as pointers of type `Object`.
template <typename Object>
class Objects
{
public:
    explicit Objects( int threadCount )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.precision = clt_precisionDouble;
        def.filterMasks = false;
        def.threadCount = threadCount;
        cltBroadphase* broadphase = nullptr;
        requireOk( cltCreateBroadphase( &def, &broadphase ) );
        m_broadphase.reset( broadphase );
    }

    /// Ignores objects that were added before.
    void add( Object object, const cltAabbD& box )
    {
        if ( m_proxies.count( object ) == 0 )
        {
            cltProxyId proxy = CLT_NULL_PROXY;
            requireOk( cltBroadphase_CreateProxyD( m_broadphase.get(), &box, nullptr, 0, &proxy ) );
            m_byProxy.resize( std::max<std::size_t>( m_byProxy.size(), proxy + 1 ) );
            m_byProxy[proxy] = object;
            m_proxies.emplace( object, proxy );
        }
    }

    /// Ignores objects that were not added.
    void remove( Object object )
    {
        const auto place = m_proxies.find( object );
        if ( place != m_proxies.end() )
        {
            requireOk( cltBroadphase_DestroyProxy( m_broadphase.get(), place->second ) );
            m_byProxy[place->second] = nullptr;
            m_proxies.erase( place );
        }
    }

    /// Sets the boxes of the objects. Ignores objects that were not added.
    template <typename BoxOf>
    void move( const std::vector<Object>& objects, BoxOf&& boxOf )
    {
        std::vector<cltProxyId> proxies;
        std::vector<cltAabbD> boxes;
        for ( Object object : objects )
        {
            const auto place = m_proxies.find( object );
            if ( place != m_proxies.end() )
            {
                proxies.push_back( place->second );
                boxes.push_back( boxOf( object ) );
            }
        }
        requireOk( cltBroadphase_MoveProxiesD( m_broadphase.get(), proxies.size(), proxies.data(), boxes.data() ) );
    }

    template <typename BoxOf>
    void moveAll( BoxOf&& boxOf )
    {
        std::vector<cltProxyId> proxies;
        std::vector<cltAabbD> boxes;
        for ( std::size_t proxy = 0; proxy < m_byProxy.size(); ++proxy )
        {
            if ( m_byProxy[proxy] != nullptr )
            {
                proxies.push_back( cltProxyId( proxy ) );
                boxes.push_back( boxOf( m_byProxy[proxy] ) );
            }
        }
        requireOk( cltBroadphase_MoveProxiesD( m_broadphase.get(), proxies.size(), proxies.data(), boxes.data() ) );
    }

    std::size_t size() const
    {
        return m_proxies.size();
    }

    /// All objects, in the order of their proxies.
    std::vector<Object> all() const
    {
        std::vector<Object> objects;
        std::copy_if( m_byProxy.begin(), m_byProxy.end(), std::back_inserter( objects ),
                      []( Object object ) { return object != nullptr; } );
        return objects;
    }

    /// Calls `visit` for each pair of objects with overlapping boxes, until `visit` returns false.
    template <typename Visit>
    void forEachPair( Visit&& visit ) const
    {
        const cltPair* pairs = nullptr;
        std::size_t count = 0;
        requireOk( cltBroadphase_Update( m_broadphase.get(), nullptr ) );
        requireOk( cltBroadphase_GetPairs( m_broadphase.get(), &pairs, &count ) );
        std::all_of( pairs, pairs + count,
                     [&]( const cltPair& pair ) { return visit( m_byProxy[pair.proxyA], m_byProxy[pair.proxyB] ); } );
    }

    /// Calls `visit` for each object with a box that overlaps `box`, until `visit` returns false.
    /// \return whether all calls returned true
    template <typename Visit>
    bool forEachIn( const cltAabbD& box, Visit&& visit ) const
    {
        bool goesOn = true;
        auto call = [&]( cltProxyId proxy ) { return goesOn = visit( m_byProxy[proxy] ); };
        const auto meet = []( cltProxyId proxy, std::uint64_t, void* context )
        { return ( *static_cast<decltype( call )*>( context ) )( proxy ); };
        requireOk( cltBroadphase_QueryBoxD( m_broadphase.get(), &box, meet, &call ) );
        return goesOn;
    }

private:
    std::unique_ptr<cltBroadphase, decltype( &cltDestroyBroadphase )> m_broadphase{ nullptr, cltDestroyBroadphase };
    std::unordered_map<Object, cltProxyId> m_proxies;
    std::vector<Object> m_byProxy; ///< nullptr for unused ids
};

} // namespace cullet::others

#endif
