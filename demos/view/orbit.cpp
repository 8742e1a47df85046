// SPDX-License-Identifier: Zlib
#include "orbit.h"

#include "LinearMath/btQuaternion.h"

namespace cullet::view
{

static constexpr btScalar halfImage = btScalar( 0.31 ); ///< half its shorter side, at one metre's depth
static constexpr btScalar highest = btScalar( 1.55 );   ///< radians; less than a right angle
static constexpr btScalar spread = btScalar( 1.2 );     ///< bodies that fall spread on the ground
static constexpr btScalar nearest = btScalar( 1e-3 );   ///< metres
static constexpr btScalar farthest = btScalar( 1e7 );

void Orbit::fit( const Bodies& bodies, const btVector3& up )
{
    m_up = up;
    btVector3 lower( BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT ), upper = -lower;
    for ( std::size_t slot = 0; slot < bodies.count(); ++slot )
    {
        if ( bodies.isDrawable( slot ) )
        {
            const compare::BulletBox box = compare::bulletBox( bodies.boxes[slot] );
            lower.setMin( box.lower );
            upper.setMax( box.upper );
        }
    }
    if ( lower.x() <= upper.x() )
    {
        m_target = ( lower + upper ) / 2;
        m_distance = std::max( spread * ( upper - lower ).length() / 2 / halfImage, btScalar( 1e-3 ) );
    }
}

void Orbit::turn( float right, float down )
{
    constexpr btScalar radiansPerPixel = btScalar( 0.006 );
    m_heading -= radiansPerPixel * right;
    m_elevation = std::clamp( m_elevation + radiansPerPixel * down, -highest, highest );
}

void Orbit::shift( float right, float down, int imageSide )
{
    const render::Camera now = camera( 1, 1 );
    const btScalar metresPerPixel = 2 * halfImage * m_distance / btScalar( std::max( imageSide, 1 ) );
    m_target -= metresPerPixel * ( right * now.right + down * now.down );
}

void Orbit::zoom( float notches )
{
    m_distance = std::clamp( m_distance * std::pow( btScalar( 0.85 ), notches ), nearest, farthest );
}

render::Camera Orbit::camera( int width, int height ) const
{
    const btScalar level = std::cos( m_elevation );
    const btVector3 overY( level * std::sin( m_heading ), std::sin( m_elevation ), level * std::cos( m_heading ) );
    const btVector3 outwards = quatRotate( shortestArcQuat( btVector3( 0, 1, 0 ), m_up ), overY );
    render::Camera camera{ width, height,   btScalar( std::min( width, height ) ) / ( 2 * halfImage ), {}, {},
                           {},    -outwards };
    camera.eye = m_target + m_distance * outwards;
    camera.right = camera.forward.cross( m_up ).normalized();
    camera.down = camera.forward.cross( camera.right );
    return camera;
}

} // namespace cullet::view
