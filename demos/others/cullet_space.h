// SPDX-License-Identifier: Zlib
/// \file cullet_space.h
/// ODE's spaces, by cullet's C API.
#ifndef CLT_OTHERS_CULLET_SPACE_H
#define CLT_OTHERS_CULLET_SPACE_H

#include "cullet.h"

#include <ode/ode.h>

#include <unordered_map>
#include <vector>

namespace cullet::others
{

/// Takes the place of a dSpaceID: geoms are added and removed, and collide() calls a dNearCallback as dSpaceCollide
/// does, once for each pair of geoms whose boxes overlap, that are enabled, not of the same body, and of which one's
/// category bits meet the other's collide bits. ODE lets nobody write a space of its own, so this is a class beside
/// them: a geom goes in here and into no space of ODE's. Pairs come in the same order in every run. One thread at
/// a time. What a status of the C API says is thrown as std::runtime_error.
class CulletSpace
{
public:
    explicit CulletSpace( int threadCount = 0 );
    ~CulletSpace();
    CulletSpace( const CulletSpace& ) = delete;
    CulletSpace& operator=( const CulletSpace& ) = delete;

    /// \param geom  of any class; a space of ODE's too, whose geoms the callback then asks for with dSpaceCollide2
    void add( dGeomID geom );

    /// To be called before the geom is destroyed. One that is not here is left alone.
    void remove( dGeomID geom );

    /// As dSpaceCollide. The callback may not add or remove.
    void collide( void* data, dNearCallback* callback );

    /// As dSpaceCollide2 with a geom that is not in here: sees the boxes of the last collide().
    void collide2( dGeomID geom, void* data, dNearCallback* callback ) const;

private:
    void readBoxes();

    cltBroadphase* m_broadphase = nullptr;
    std::unordered_map<dGeomID, cltProxyId> m_proxies;
    std::vector<dGeomID> m_geoms; ///< by proxy; nullptr where there is none
    std::vector<cltProxyId> m_moved;
    std::vector<cltAabbD> m_boxes; ///< of m_moved
};

} // namespace cullet::others

#endif
