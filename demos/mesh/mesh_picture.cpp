// SPDX-License-Identifier: Zlib
/// \file mesh_picture.cpp
/// Draws each triangle with a brightness that depends on its angle to the light.
#include "mesh_picture.h"

#include "demos/render/canvas.h"

#include <array>

namespace cullet::mesh
{
namespace
{

using Corners = std::array<btVector3, 3>;

const btVector3 background( 1, 1, 1 );
const btVector3 marked( btScalar( 0.7 ), btScalar( 0.01 ), btScalar( 0.006 ) );
const std::array<btVector3, 4> plain = { btVector3( btScalar( 0.35 ), btScalar( 0.46 ), btScalar( 0.58 ) ),
                                         btVector3( btScalar( 0.79 ), btScalar( 0.65 ), btScalar( 0.35 ) ),
                                         btVector3( btScalar( 0.4 ), btScalar( 0.58 ), btScalar( 0.37 ) ),
                                         btVector3( btScalar( 0.55 ), btScalar( 0.43 ), btScalar( 0.61 ) ) };

bool isFinite( const btVector3& point )
{
    return std::isfinite( point.x() ) && std::isfinite( point.y() ) && std::isfinite( point.z() );
}

/// The depth at which the ray meets the triangle, or 0. Moller and Trumbore, Fast, Minimum Storage Ray/Triangle
/// Intersection, 1997. Triangles are slightly enlarged, so that no ray passes between neighbors.
btScalar intersectTriangle( const Corners& corners, const demo::Ray& ray )
{
    constexpr btScalar least = btScalar( -1e-4 );
    const btVector3 first = corners[1] - corners[0], second = corners[2] - corners[0];
    const btVector3 across = ray.direction.cross( second );
    const btScalar determinant = first.dot( across );
    const btVector3 offset = ray.origin - corners[0];
    const btVector3 along = offset.cross( first );
    const btScalar u = offset.dot( across ) / determinant, v = ray.direction.dot( along ) / determinant;
    return u >= least && v >= least && u + v <= 1 - least ? second.dot( along ) / determinant : 0;
}

demo::Camera cameraFor( const std::vector<Corners>& triangles, int width, int height )
{
    std::vector<btVector3> points = { btVector3( 0, 0, 0 ) };
    if ( !triangles.empty() )
    {
        points.assign( &triangles.front()[0], &triangles.back()[2] + 1 );
    }
    btVector3 lower = points.front(), upper = points.front();
    for ( const btVector3& point : points )
    {
        lower.setMin( point );
        upper.setMax( point );
    }
    const btScalar reach = std::max( ( upper - lower ).length() / 100, btScalar( 1e-6 ) );
    return demo::fitCamera( btVector3( -1, btScalar( -0.7 ), btScalar( -1.6 ) ), btScalar( 0.6 ), width, height, points,
                            reach );
}

} // namespace

void writeMeshPicture( const std::vector<MarkedMesh>& meshes, int width, int height, const std::string& path )
{
    std::vector<Corners> triangles;
    std::vector<btVector3> colors;
    for ( std::size_t i = 0; i < meshes.size(); ++i )
    {
        const Mesh& mesh = *meshes[i].mesh;
        for ( std::size_t triangle = 0; triangle < mesh.triangleCount(); ++triangle )
        {
            Corners corners;
            for ( std::size_t corner = 0; corner < 3; ++corner )
            {
                const float* at = &mesh.vertices[3 * std::size_t( mesh.triangles[3 * triangle + corner] )];
                corners[corner].setValue( at[0], at[1], at[2] );
            }
            if ( std::all_of( corners.begin(), corners.end(), isFinite ) )
            {
                triangles.push_back( corners );
                colors.push_back( meshes[i].marks[triangle] ? marked : plain[i % plain.size()] );
            }
        }
    }
    demo::Canvas canvas( cameraFor( triangles, demo::samplesPerSide * width, demo::samplesPerSide * height ) );
    const demo::Camera& camera = canvas.camera();
    const btVector3 light = -camera.forward + btScalar( 0.4 ) * camera.right - btScalar( 0.6 ) * camera.down;
    for ( std::size_t k = 0; k < triangles.size(); ++k )
    {
        const Corners& corners = triangles[k];
        const btVector3 middle = ( corners[0] + corners[1] + corners[2] ) / 3;
        btScalar radius = 0;
        for ( const btVector3& corner : corners )
        {
            radius = std::max( radius, ( corner - middle ).length() );
        }
        canvas.draw( middle, radius, std::int32_t( k ),
                     [&]( const demo::Ray& ray ) { return intersectTriangle( corners, ray ); } );
        const btVector3 normal = ( corners[1] - corners[0] ).cross( corners[2] - corners[0] );
        const btScalar length = normal.length() * light.length();
        const btScalar facing = length > 0 ? std::fabs( normal.dot( light ) / length ) : btScalar( 0 );
        colors[k] *= btScalar( 0.1 ) + btScalar( 0.9 ) * facing * facing;
    }
    demo::writePng( path, width, height,
                    [&]( int x, int y )
                    {
                        const std::int32_t surface = canvas.at( x, y ).surface;
                        return surface == demo::emptySample ? background : colors[std::size_t( surface )];
                    } );
}

} // namespace cullet::mesh
