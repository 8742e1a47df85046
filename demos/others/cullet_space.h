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

/// Replaces a dSpaceID: add and remove geoms; collide() calls a dNearCallback as dSpaceCollide does. It is called once
/// for each pair of enabled geoms of different bodies that overlap by their boxes and match by category and collide
/// bits. ODE does not support user-defined spaces, so this is a separate class: add a geom here and to no space of ODE.
/// Pairs come in the same order in every run. Only one thread at a time. Errors are thrown as std::runtime_error.
class CulletSpace
{
public:
    explicit CulletSpace( int threadCount = 0 );
    ~CulletSpace();
    CulletSpace( const CulletSpace& ) = delete;
    CulletSpace& operator=( const CulletSpace& ) = delete;

    /// \param geom  of any class, also a space of ODE; the callback then searches its geoms with dSpaceCollide2
    void add( dGeomID geom );

    /// Must be called before the geom is destroyed. Ignores geoms that were not added.
    void remove( dGeomID geom );

    /// As dSpaceCollide. The callback must not add or remove geoms.
    void collide( void* data, dNearCallback* callback );

    /// As dSpaceCollide2, for a geom that was not added. Uses the boxes of the last collide().
    void collide2( dGeomID geom, void* data, dNearCallback* callback ) const;

private:
    void readBoxes();

    cltBroadphase* m_broadphase = nullptr;
    std::unordered_map<dGeomID, cltProxyId> m_proxies;
    std::vector<dGeomID> m_geoms; ///< by proxy; nullptr for unused ids
    std::vector<cltProxyId> m_moved;
    std::vector<cltAabbD> m_boxes; ///< of m_moved
};

} // namespace cullet::others

#endif
