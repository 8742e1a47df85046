// SPDX-License-Identifier: Zlib
#include "mesh_drawing.h"

namespace cullet::mesh
{
namespace
{

using render::Colour;
using render::Vertex;

constexpr Colour marked = { 217, 31, 25, 255 };
constexpr std::array<Colour, 4> plain = {
    { { 158, 179, 199, 255 }, { 229, 210, 158, 255 }, { 168, 199, 162, 255 }, { 194, 174, 204, 255 } } };

bool isFinite( const Vertex& vertex )
{
    return std::all_of( vertex.position.begin(), vertex.position.end(), []( float x ) { return std::isfinite( x ); } );
}

} // namespace

void addMesh( const Mesh& mesh, const std::vector<bool>& marks, std::size_t index, render::Drawing& drawing )
{
    for ( std::size_t triangle = 0; triangle < mesh.triangleCount(); ++triangle )
    {
        const bool isMarked = triangle < marks.size() && marks[triangle];
        std::array<Vertex, 3> corners;
        for ( std::size_t k = 0; k < 3; ++k )
        {
            const float* at = &mesh.vertices[3 * std::size_t( mesh.triangles[3 * triangle + k] )];
            corners[k] = { { at[0], at[1], at[2] }, isMarked ? marked : plain[index % plain.size()] };
        }
        if ( std::all_of( corners.begin(), corners.end(), isFinite ) )
        {
            drawing.triangles.insert( drawing.triangles.end(), corners.begin(), corners.end() );
        }
    }
}

render::Camera cameraFor( const render::Drawing& drawing, int width, int height )
{
    std::vector<btVector3> points;
    for ( const Vertex& vertex : drawing.triangles )
    {
        points.emplace_back( vertex.position[0], vertex.position[1], vertex.position[2] );
    }
    if ( points.empty() )
    {
        points.emplace_back( 0, 0, 0 );
    }
    btVector3 lower = points.front(), upper = points.front();
    for ( const btVector3& point : points )
    {
        lower.setMin( point );
        upper.setMax( point );
    }
    const btScalar reach = std::max( ( upper - lower ).length() / 100, btScalar( 1e-6 ) );
    return render::fitCamera( btVector3( -1, btScalar( -0.7 ), btScalar( -1.6 ) ), btScalar( 0.6 ), width, height,
                              points, reach );
}

} // namespace cullet::mesh
