// SPDX-License-Identifier: Zlib
/// \file cullet_space.cpp
/// Boxes are passed in double even if dReal is float, so nothing is rounded. In ODE one matching side of category and
/// collide bits suffices; in the C API both sides must match. So filters are off, and each pair is tested here.
#include "cullet_space.h"

#include "require_ok.h"

#include <algorithm>

namespace cullet::others
{

/// The geom's box, which ODE computes again only if the geom moved.
static cltAabbD boxOf( dGeomID geom )
{
    dReal sides[6];
    dGeomGetAABB( geom, sides );
    return { { sides[0], sides[2], sides[4] }, { sides[1], sides[3], sides[5] } };
}

static bool mayMeet( dGeomID a, dGeomID b )
{
    const dBodyID body = dGeomGetBody( a );
    const bool bitsMeet = ( dGeomGetCategoryBits( a ) & dGeomGetCollideBits( b ) ) != 0 ||
                          ( dGeomGetCategoryBits( b ) & dGeomGetCollideBits( a ) ) != 0;
    return bitsMeet && dGeomIsEnabled( a ) && dGeomIsEnabled( b ) && ( !body || body != dGeomGetBody( b ) );
}

CulletSpace::CulletSpace( int threadCount )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.precision = clt_precisionDouble;
    def.filterMasks = false;
    def.threadCount = threadCount;
    requireOk( cltCreateBroadphase( &def, &m_broadphase ) );
}

CulletSpace::~CulletSpace()
{
    cltDestroyBroadphase( m_broadphase );
}

void CulletSpace::add( dGeomID geom )
{
    if ( m_proxies.count( geom ) != 0 )
    {
        return;
    }
    const cltAabbD box = boxOf( geom );
    cltProxyId proxy = CLT_NULL_PROXY;
    requireOk( cltBroadphase_CreateProxyD( m_broadphase, &box, nullptr, 0, &proxy ) );
    m_geoms.resize( std::max<std::size_t>( m_geoms.size(), proxy + 1 ) );
    m_geoms[proxy] = geom;
    m_proxies.emplace( geom, proxy );
}

void CulletSpace::remove( dGeomID geom )
{
    const auto place = m_proxies.find( geom );
    if ( place != m_proxies.end() )
    {
        requireOk( cltBroadphase_DestroyProxy( m_broadphase, place->second ) );
        m_geoms[place->second] = nullptr;
        m_proxies.erase( place );
    }
}

/// Sets the boxes of all geoms, because ODE reports moved geoms only to its own spaces. For an unchanged box, cullet
/// only makes a comparison.
void CulletSpace::readBoxes()
{
    m_moved.clear();
    m_boxes.clear();
    for ( std::size_t proxy = 0; proxy < m_geoms.size(); ++proxy )
    {
        if ( m_geoms[proxy] )
        {
            m_moved.push_back( cltProxyId( proxy ) );
            m_boxes.push_back( boxOf( m_geoms[proxy] ) );
        }
    }
    requireOk( cltBroadphase_MoveProxiesD( m_broadphase, m_moved.size(), m_moved.data(), m_boxes.data() ) );
}

void CulletSpace::collide( void* data, dNearCallback* callback )
{
    readBoxes();
    requireOk( cltBroadphase_Update( m_broadphase, nullptr ) );
    const cltPair* pairs = nullptr;
    std::size_t count = 0;
    requireOk( cltBroadphase_GetPairs( m_broadphase, &pairs, &count ) );
    for ( std::size_t k = 0; k < count; ++k )
    {
        const dGeomID a = m_geoms[pairs[k].proxyA];
        const dGeomID b = m_geoms[pairs[k].proxyB];
        if ( mayMeet( a, b ) )
        {
            callback( data, a, b );
        }
    }
}

void CulletSpace::collide2( dGeomID geom, void* data, dNearCallback* callback ) const
{
    struct Question
    {
        const CulletSpace& space;
        dGeomID geom;
        void* data;
        dNearCallback* callback;
    };
    const auto meet = []( cltProxyId proxy, std::uint64_t, void* context )
    {
        const Question& question = *static_cast<Question*>( context );
        const dGeomID other = question.space.m_geoms[proxy];
        if ( mayMeet( question.geom, other ) )
        {
            question.callback( question.data, question.geom, other );
        }
        return true;
    };
    Question question = { *this, geom, data, callback };
    const cltAabbD box = boxOf( geom );
    requireOk( cltBroadphase_QueryBoxD( m_broadphase, &box, meet, &question ) );
}

} // namespace cullet::others
