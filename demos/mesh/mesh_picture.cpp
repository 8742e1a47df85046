// SPDX-License-Identifier: Zlib
/// \file mesh_picture.cpp
/// Draws triangles into a depth buffer with four samples per pixel. The angle to the light determines a triangle's
/// brightness.
#include "mesh_picture.h"

#include "demos/render/camera.h"

#include <fmt/format.h>
#include <png.h>

#include <array>
#include <cmath>
#include <limits>

namespace cullet::mesh
{
namespace
{

using Color = std::array<float, 3>;

constexpr int samplesPerPixel = 2; // along each axis
const Color background = { 1, 1, 1 };
const Color marked = { 0.85f, 0.12f, 0.1f };
const std::array<Color, 4> plain = {
    { { 0.62f, 0.7f, 0.78f }, { 0.9f, 0.82f, 0.62f }, { 0.66f, 0.78f, 0.64f }, { 0.76f, 0.68f, 0.8f } } };

btVector3 vertexAt( const Mesh& mesh, std::uint32_t vertex )
{
    const float* at = mesh.vertices.data() + 3 * std::size_t( vertex );
    return btVector3( at[0], at[1], at[2] );
}

bool isFinite( const btVector3& point )
{
    return std::isfinite( point.x() ) && std::isfinite( point.y() ) && std::isfinite( point.z() );
}

class Canvas
{
public:
    explicit Canvas( const demo::Camera& camera )
        : m_camera( camera ), m_depths( count(), std::numeric_limits<float>::infinity() ),
          m_colors( count(), background )
    {
    }

    void draw( const std::array<btVector3, 3>& corners, const Color& color )
    {
        std::array<btVector3, 3> at;
        for ( std::size_t i = 0; i < 3; ++i )
        {
            at[i] = m_camera.project( corners[i] );
        }
        const btVector3 normal = ( corners[1] - corners[0] ).cross( corners[2] - corners[0] );
        const btVector3 light = -m_camera.forward + btScalar( 0.4 ) * m_camera.right - btScalar( 0.6 ) * m_camera.down;
        const btScalar length = normal.length() * light.length();
        const float shade = 0.35f + 0.65f * ( length > 0 ? std::fabs( float( normal.dot( light ) / length ) ) : 0.0f );
        fill( at, { color[0] * shade, color[1] * shade, color[2] * shade } );
    }

    std::vector<png_byte> pixels( int width, int height ) const
    {
        std::vector<png_byte> result;
        for ( int y = 0; y < height; ++y )
        {
            for ( int x = 0; x < width; ++x )
            {
                for ( std::size_t channel = 0; channel < 3; ++channel )
                {
                    float sum = 0;
                    for ( int i = 0; i < samplesPerPixel * samplesPerPixel; ++i )
                    {
                        sum += m_colors[index( samplesPerPixel * x + i % samplesPerPixel,
                                               samplesPerPixel * y + i / samplesPerPixel )][channel];
                    }
                    const float mean = sum / ( samplesPerPixel * samplesPerPixel );
                    result.push_back( static_cast<png_byte>( std::min( mean, 1.0f ) * 255 ) );
                }
            }
        }
        return result;
    }

private:
    std::size_t count() const
    {
        return std::size_t( m_camera.width ) * std::size_t( m_camera.height );
    }

    std::size_t index( int x, int y ) const
    {
        return std::size_t( y ) * std::size_t( m_camera.width ) + std::size_t( x );
    }

    static btScalar area( const btVector3& a, const btVector3& b, btScalar x, btScalar y )
    {
        return ( b.x() - a.x() ) * ( y - a.y() ) - ( b.y() - a.y() ) * ( x - a.x() );
    }

    void fill( const std::array<btVector3, 3>& at, const Color& color )
    {
        const btScalar whole = area( at[0], at[1], at[2].x(), at[2].y() );
        if ( whole == 0 )
        {
            return;
        }
        const auto [left, right] = std::minmax( { at[0].x(), at[1].x(), at[2].x() } );
        const auto [top, bottom] = std::minmax( { at[0].y(), at[1].y(), at[2].y() } );
        for ( int y = std::max( 0, int( top ) ); y <= std::min( m_camera.height - 1, int( bottom ) ); ++y )
        {
            for ( int x = std::max( 0, int( left ) ); x <= std::min( m_camera.width - 1, int( right ) ); ++x )
            {
                const btScalar middleX = btScalar( x ) + btScalar( 0.5 );
                const btScalar middleY = btScalar( y ) + btScalar( 0.5 );
                const btScalar a = area( at[1], at[2], middleX, middleY ) / whole;
                const btScalar b = area( at[2], at[0], middleX, middleY ) / whole;
                const btScalar c = 1 - a - b;
                const float depth = float( a * at[0].z() + b * at[1].z() + c * at[2].z() );
                if ( a >= 0 && b >= 0 && c >= 0 && depth < m_depths[index( x, y )] )
                {
                    m_depths[index( x, y )] = depth;
                    m_colors[index( x, y )] = color;
                }
            }
        }
    }

    demo::Camera m_camera;
    std::vector<float> m_depths;
    std::vector<Color> m_colors;
};

demo::Camera cameraFor( const std::vector<MarkedMesh>& meshes, int width, int height )
{
    std::vector<btVector3> points;
    for ( const MarkedMesh& each : meshes )
    {
        for ( std::uint32_t vertex = 0; vertex < each.mesh->vertexCount(); ++vertex )
        {
            const btVector3 point = vertexAt( *each.mesh, vertex );
            if ( isFinite( point ) )
            {
                points.push_back( point );
            }
        }
    }
    points.resize( std::max<std::size_t>( points.size(), 1 ), btVector3( 0, 0, 0 ) );
    btVector3 lower = points.front();
    btVector3 upper = points.front();
    for ( const btVector3& point : points )
    {
        lower.setMin( point );
        upper.setMax( point );
    }
    const btScalar reach = std::max( ( upper - lower ).length() / 100, btScalar( 1e-6 ) );
    return demo::frame( btVector3( -1, btScalar( -0.7 ), btScalar( -1.6 ) ), btScalar( 0.6 ), width, height, points,
                        reach );
}

} // namespace

void writeMeshPicture( const std::vector<MarkedMesh>& meshes, int width, int height, const std::string& path )
{
    Canvas canvas( cameraFor( meshes, samplesPerPixel * width, samplesPerPixel * height ) );
    for ( std::size_t i = 0; i < meshes.size(); ++i )
    {
        const Mesh& mesh = *meshes[i].mesh;
        for ( std::size_t triangle = 0; triangle < mesh.triangleCount(); ++triangle )
        {
            std::array<btVector3, 3> corners;
            bool good = true;
            for ( std::size_t corner = 0; corner < 3; ++corner )
            {
                corners[corner] = vertexAt( mesh, mesh.triangles[3 * triangle + corner] );
                good = good && isFinite( corners[corner] );
            }
            if ( good )
            {
                canvas.draw( corners, meshes[i].marks[triangle] ? marked : plain[i % plain.size()] );
            }
        }
    }
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>( width );
    image.height = static_cast<png_uint_32>( height );
    image.format = PNG_FORMAT_RGB;
    const std::vector<png_byte> rgb = canvas.pixels( width, height );
    if ( !png_image_write_to_file( &image, path.c_str(), 0, rgb.data(), 0, nullptr ) )
    {
        throw std::runtime_error( fmt::format( "cannot write '{}': {}", path, image.message ) );
    }
}

} // namespace cullet::mesh
