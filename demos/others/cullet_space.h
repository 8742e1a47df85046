// SPDX-License-Identifier: Zlib
/// \file cullet_space.h
/// A replacement for ODE's spaces, built on cullet's C API.
#ifndef CLT_OTHERS_CULLET_SPACE_H
#define CLT_OTHERS_CULLET_SPACE_H

#include "objects.h"

#include <ode/ode.h>

namespace cullet::others
{

/// Replaces a dSpaceID: add and remove geoms; collide() calls a dNearCallback as dSpaceCollide does, once for each pair
/// of enabled geoms of different bodies with overlapping boxes and matching category and collide bits. ODE does not
/// support user-defined spaces, so this is a separate class: add a geom here and to no space of ODE.
/// Pairs come in the same order in every run. Not thread-safe. Errors are thrown as std::runtime_error.
class CulletSpace
{
public:
    explicit CulletSpace( int threadCount = 0 ) : m_geoms( threadCount )
    {
    }

    /// \param geom  a geom of any class. For a space of ODE, the callback searches the geoms in it with dSpaceCollide2.
    void add( dGeomID geom )
    {
        m_geoms.add( geom, boxOf( geom ) );
    }

    /// Must be called before the geom is destroyed.
    void remove( dGeomID geom )
    {
        m_geoms.remove( geom );
    }

    /// As dSpaceCollide. The callback must not add or remove geoms. Sets all boxes, because ODE reports moved geoms to
    /// its own spaces only. For an unchanged box, cullet only makes a comparison.
    void collide( void* data, dNearCallback* callback )
    {
        m_geoms.moveAll( boxOf );
        m_geoms.forEachPair( [=]( dGeomID a, dGeomID b ) { return report( a, b, data, callback ); } );
    }

    /// As dSpaceCollide2, for a geom that was not added. Uses the boxes of the last collide().
    void collide2( dGeomID geom, void* data, dNearCallback* callback ) const
    {
        m_geoms.forEachIn( boxOf( geom ), [=]( dGeomID other ) { return report( geom, other, data, callback ); } );
    }

private:
    /// The geom's box, which ODE computes again only if the geom moved.
    static cltAabbD boxOf( dGeomID geom )
    {
        dReal sides[6];
        dGeomGetAABB( geom, sides );
        return { { sides[0], sides[2], sides[4] }, { sides[1], sides[3], sides[5] } };
    }

    /// Calls the callback if ODE would. In ODE it suffices if one geom's category bits match the other's collide bits;
    /// in the C API both directions must match. So cullet's filters are off, and this function tests the bits.
    static bool report( dGeomID a, dGeomID b, void* data, dNearCallback* callback )
    {
        const dBodyID body = dGeomGetBody( a );
        const bool bitsMeet = ( dGeomGetCategoryBits( a ) & dGeomGetCollideBits( b ) ) != 0 ||
                              ( dGeomGetCategoryBits( b ) & dGeomGetCollideBits( a ) ) != 0;
        if ( bitsMeet && dGeomIsEnabled( a ) && dGeomIsEnabled( b ) && ( !body || body != dGeomGetBody( b ) ) )
        {
            callback( data, a, b );
        }
        return true;
    }

    Objects<dGeomID> m_geoms;
};

} // namespace cullet::others

#endif
