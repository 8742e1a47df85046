// SPDX-License-Identifier: Zlib
/// \file orbit.h
/// A camera that the mouse turns around a point.
#ifndef CLT_VIEW_ORBIT_H
#define CLT_VIEW_ORBIT_H

#include "bodies.h"

#include "demos/render/camera.h"

namespace cullet::view
{

class Orbit
{
public:
    /// Shows all bodies.
    void fit( const Bodies& bodies, const btVector3& up );

    /// \param right, down  pixels
    void turn( float right, float down );

    /// \param imageSide  pixels of the image's shorter side
    void shift( float right, float down, int imageSide );

    /// \param notches  of the mouse wheel, forwards: nearer
    void zoom( float notches );

    /// Metres from the eye to the point.
    btScalar distance() const
    {
        return m_distance;
    }

    render::Camera camera( int width, int height ) const;

private:
    btVector3 m_target{ 0, 0, 0 };
    btVector3 m_up{ 0, 1, 0 };
    btScalar m_distance = 10;                ///< metres from the eye to the target
    btScalar m_heading = btScalar( 0.42 );   ///< radians
    btScalar m_elevation = btScalar( 0.35 ); ///< radians above the horizon
};

} // namespace cullet::view

#endif
