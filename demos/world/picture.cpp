// SPDX-License-Identifier: Zlib
/// \file picture.cpp
/// From bodies to figures, and the points that place the camera.
#include "picture.h"

#include "verify.h"

#include <cmath>

namespace cullet::demo
{
namespace
{

/// The pile's radius over half the column's width; all but a few in a hundred bodies end within it.
constexpr btScalar pileSpread = btScalar( 2.3 );

/// Metres around centres that bodies may fill.
constexpr btScalar bodyReach = 1;

btVector3 kindColour( BodyKind kind )
{
    switch ( kind )
    {
    case BodyKind::box:
        return linearColour( 232, 130, 28 );
    case BodyKind::sphere:
        return linearColour( 62, 128, 214 );
    default:
        return linearColour( 72, 176, 104 );
    }
}

/// Neighbours of one kind differ a little in brightness: a fixed pattern of seven shades.
btScalar shadeOf( int index )
{
    return btScalar( 0.72 ) + btScalar( 0.08 ) * btScalar( index * 5 % 7 );
}

/// Bodies that left the scene are reported at the end, not drawn: a single one far out would cost all shadows their
/// resolution.
std::vector<Figure> figuresOf( const World& world )
{
    std::vector<Figure> figures;
    figures.reserve( std::size_t( world.bodyCount() ) );
    for ( int index = 0; index < world.bodyCount(); ++index )
    {
        if ( isInside( world, index ) )
        {
            const BodyKind kind = world.kindOf( index );
            figures.push_back( { kind, world.body( index ).getWorldTransform(), halfExtentsOf( kind ),
                                 kindColour( kind ) * shadeOf( index ) } );
        }
    }
    return figures;
}

/// Two rings: one around the column's top, one around the pile's foot.
std::vector<btVector3> framedPoints( const Column& column )
{
    constexpr int ringPoints = 16;
    const btScalar columnRadius = column.halfWidth * btScalar( SIMDSQRT12 * 2 ) + bodyReach; // to the corners
    const btScalar pileRadius = column.halfWidth * pileSpread + bodyReach;
    std::vector<btVector3> points;
    for ( int i = 0; i < ringPoints; ++i )
    {
        const btScalar angle = SIMD_2_PI * btScalar( i ) / ringPoints;
        const btVector3 outward( std::cos( angle ), 0, std::sin( angle ) );
        points.push_back( btVector3( 0, column.top + bodyReach, 0 ) + columnRadius * outward );
        points.push_back( pileRadius * outward );
    }
    return points;
}

} // namespace

void writePicture( const World& world, PictureSize size, const std::string& path )
{
    render( figuresOf( world ), framedPoints( world.column() ), size ).writePng( path );
}

} // namespace cullet::demo
