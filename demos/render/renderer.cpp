// SPDX-License-Identifier: Zlib
/// \file renderer.cpp
/// Draws the sun's depths, then the sky, the ground, the surfaces and the lines.
#include "renderer.h"

#include "shaders.h"

#include <cstddef>

namespace cullet::render
{
namespace
{

const btVector3 sunDirection = btVector3( btScalar( 0.55 ), -1, btScalar( -0.5 ) ).normalized();

/// Radii of everything drawn, to which the ground reaches, and at which it has faded by half.
constexpr btScalar groundReach = 40;
constexpr btScalar clearReach = 4;

/// The part of a line's opacity that is left behind surfaces.
constexpr float hiddenOpacity = 0.15f;

/// Texture units.
enum Unit
{
    sunUnit,
    placesUnit
};

std::string text( std::initializer_list<const char*> parts )
{
    std::string all;
    for ( const char* part : parts )
    {
        all += part;
    }
    return all;
}

void addAttribute( GLuint location, GLint components, GLenum type, std::size_t offset )
{
    glEnableVertexAttribArray( location );
    glVertexAttribPointer( location, components, type, type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE, sizeof( Vertex ),
                           reinterpret_cast<const void*>( offset ) );
}

/// A texture of integers, which OpenGL never converts.
GLuint makeWordTexture()
{
    GLuint texture;
    glGenTextures( 1, &texture );
    glBindTexture( GL_TEXTURE_2D, texture );
    glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST );
    glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST );
    return texture;
}

/// Items follow each other, four words a texel, row by row.
template <typename Item>
void fillTexture( GLuint texture, const std::vector<Item>& items )
{
    constexpr std::size_t texelSize = 16;
    constexpr std::size_t width = 2048; // the least that WebGL 2 must support
    static_assert( sizeof( Item ) % texelSize == 0 );
    const std::size_t count = items.size() * ( sizeof( Item ) / texelSize ), rows = count / width;
    const auto* bytes = reinterpret_cast<const unsigned char*>( items.data() );
    const auto part = [&]( std::size_t row, std::size_t columns, std::size_t height )
    {
        glTexSubImage2D( GL_TEXTURE_2D, 0, 0, GLint( row ), GLsizei( columns ), GLsizei( height ), GL_RGBA_INTEGER,
                         GL_UNSIGNED_INT, bytes + row * width * texelSize );
    };
    glBindTexture( GL_TEXTURE_2D, texture );
    glTexImage2D( GL_TEXTURE_2D, 0, GL_RGBA32UI, width, GLsizei( rows + 1 ), 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                  nullptr );
    part( 0, width, rows );
    part( rows, count % width, 1 );
}

void fillBuffer( GLuint buffer, const std::vector<Vertex>& vertices )
{
    glBindBuffer( GL_ARRAY_BUFFER, buffer );
    glBufferData( GL_ARRAY_BUFFER, GLsizeiptr( vertices.size() * sizeof( Vertex ) ), vertices.data(), GL_STREAM_DRAW );
}

GLuint makeBuffer()
{
    GLuint buffer;
    glGenBuffers( 1, &buffer );
    return buffer;
}

GLuint makeArrays()
{
    GLuint arrays;
    glGenVertexArrays( 1, &arrays );
    glBindVertexArray( arrays );
    return arrays;
}

GLuint makeDepthTexture( int pixels )
{
    GLuint texture;
    glGenTextures( 1, &texture );
    glBindTexture( GL_TEXTURE_2D, texture );
    glTexImage2D( GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, pixels, pixels, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                  nullptr );
    glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR );
    glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR );
    glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE );
    glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE );
    glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE );
    return texture;
}

GLuint makeFramebuffer( GLuint depth )
{
    GLint current;
    glGetIntegerv( GL_FRAMEBUFFER_BINDING, &current );
    GLuint buffer;
    glGenFramebuffers( 1, &buffer );
    glBindFramebuffer( GL_FRAMEBUFFER, buffer );
    glFramebufferTexture2D( GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0 );
    const GLenum none = GL_NONE;
    glDrawBuffers( 1, &none );
    glReadBuffer( GL_NONE );
    glBindFramebuffer( GL_FRAMEBUFFER, GLuint( current ) );
    return buffer;
}

} // namespace

Renderer::Renderer( int shadowPixels )
    : m_triangles( shaders::vertex, text( { shaders::light, shaders::surfaceLight, shaders::surface } ) ),
      m_lines( shaders::vertex, shaders::plain ),
      m_ground( shaders::groundVertex, text( { shaders::light, shaders::ground } ) ),
      m_sky( shaders::skyVertex, text( { shaders::light, shaders::sky } ) ), m_triangleList( makeList() ),
      m_lineList( makeList() ), m_nothing( makeArrays() ), m_shadowDepth( makeDepthTexture( shadowPixels ) ),
      m_shadowBuffer( makeFramebuffer( m_shadowDepth ) ), m_shadowPixels( shadowPixels )
{
    const auto add = [this]( Shape shape, const char* corner, int cornerCount, const std::string& surface,
                             const std::string& shadow )
    {
        const std::string vertex = text( { shaders::instance, corner } );
        m_shapes[shape] = { std::make_unique<Shader>( vertex, surface ),
                            shadow.empty() ? nullptr : std::make_unique<Shader>( vertex, shadow ), cornerCount,
                            makeWordTexture() };
    };
    const std::string surface = text( { shaders::light, shaders::surfaceLight, shaders::surface } );
    add( box, shaders::boxCorner, shaders::boxCornerCount, surface, shaders::plain );
    add( cylinder, shaders::cylinderCorner, shaders::cylinderCornerCount, surface, shaders::plain );
    add( sphere, shaders::sphereCorner, shaders::sphereCornerCount,
         text( { shaders::light, shaders::surfaceLight, shaders::sphereHit, shaders::sphere } ),
         text( { shaders::sphereHit, shaders::sphereShadow } ) );
    add( wireBox, shaders::edgeCorner, shaders::edgeCornerCount, shaders::plain, "" );
}

Renderer::~Renderer()
{
    for ( const ShapeDrawer& shape : m_shapes )
    {
        glDeleteTextures( 1, &shape.places );
    }
    for ( const VertexList& list : { m_triangleList, m_lineList } )
    {
        glDeleteBuffers( 1, &list.buffer );
        glDeleteVertexArrays( 1, &list.arrays );
    }
    glDeleteVertexArrays( 1, &m_nothing );
    glDeleteFramebuffers( 1, &m_shadowBuffer );
    glDeleteTextures( 1, &m_shadowDepth );
}

Renderer::VertexList Renderer::makeList()
{
    const VertexList list = { makeArrays(), makeBuffer() };
    glBindBuffer( GL_ARRAY_BUFFER, list.buffer );
    addAttribute( 0, 3, GL_FLOAT, offsetof( Vertex, position ) );
    addAttribute( 1, 4, GL_UNSIGNED_BYTE, offsetof( Vertex, colour ) );
    return list;
}

namespace
{

/// Grows a box by balls.
struct BoundsBuilder
{
    btVector3 lower{ BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT };
    btVector3 upper{ -BT_LARGE_FLOAT, -BT_LARGE_FLOAT, -BT_LARGE_FLOAT };

    void add( const std::array<float, 3>& centre, btScalar radius )
    {
        const btVector3 point( centre[0], centre[1], centre[2] ), reach( radius, radius, radius );
        if ( std::isfinite( point.x() + point.y() + point.z() + radius ) )
        {
            lower.setMin( point - reach );
            upper.setMax( point + reach );
        }
    }

    void add( const std::vector<Instance>& instances )
    {
        for ( const Instance& each : instances )
        {
            const btVector3 half( each.halfExtents[0], each.halfExtents[1], each.halfExtents[2] );
            add( each.position, half.length() );
        }
    }

    void add( const std::vector<Vertex>& vertices )
    {
        for ( const Vertex& each : vertices )
        {
            add( each.position, 0 );
        }
    }
};

} // namespace

/// \param withLines  false: around the surfaces only, for shadows
Renderer::Bounds Renderer::boundsOf( const Drawing& drawing, bool withLines )
{
    BoundsBuilder builder;
    for ( const Shape shape : { box, sphere, cylinder } )
    {
        builder.add( drawing.instances[shape] );
    }
    builder.add( drawing.triangles );
    if ( withLines )
    {
        builder.add( drawing.instances[wireBox] );
        builder.add( drawing.lines );
    }
    if ( builder.lower.x() > builder.upper.x() )
    {
        return { btVector3( 0, 0, 0 ), 1 };
    }
    return { ( builder.lower + builder.upper ) / 2, ( builder.upper - builder.lower ).length() / 2 };
}

void Renderer::upload( const Drawing& drawing ) const
{
    glActiveTexture( GL_TEXTURE0 + placesUnit );
    for ( std::size_t shape = 0; shape < shapeCount; ++shape )
    {
        fillTexture( m_shapes[shape].places, drawing.instances[shape] );
    }
    fillBuffer( m_triangleList.buffer, drawing.triangles );
    fillBuffer( m_lineList.buffer, drawing.lines );
}

void Renderer::useView( const Shader& shader, const View& view )
{
    shader.use();
    shader.set( "image", view.image );
    shader.set( "eye", view.eye, view.isParallel ? 0.0f : 1.0f );
}

void Renderer::useLight( const Shader& shader, const View& view, const Drawing& drawing ) const
{
    useView( shader, view );
    shader.set( "sun", sunDirection );
    shader.set( "sunImage", m_sunImage );
    shader.set( "sunDepth", sunUnit );
    shader.set( "shadows", drawing.hasShadows ? 1.0f : 0.0f );
    shader.set( "bias", m_bias );
}

/// \param shader  is in use, and has its view
void Renderer::drawShape( Shape shape, const Shader& shader, const Drawing& drawing ) const
{
    const ShapeDrawer& drawer = m_shapes[shape];
    shader.set( "places", placesUnit );
    shader.set( "cornerCount", drawer.cornerCount );
    glBindTexture( GL_TEXTURE_2D, drawer.places );
    glBindVertexArray( m_nothing );
    glDrawArrays( shape == wireBox ? GL_LINES : GL_TRIANGLES, 0,
                  drawer.cornerCount * GLsizei( drawing.instances[shape].size() ) );
}

void Renderer::drawTriangles( const Drawing& drawing ) const
{
    glBindVertexArray( m_triangleList.arrays );
    glDrawArrays( GL_TRIANGLES, 0, GLsizei( drawing.triangles.size() ) );
}

void Renderer::drawShadows( const Drawing& drawing, const Bounds& bounds )
{
    GLint target;
    glGetIntegerv( GL_FRAMEBUFFER_BINDING, &target );
    m_sunImage = lightMatrix( sunDirection, bounds.middle, bounds.radius );
    m_bias = float( 3 * bounds.radius ) / float( m_shadowPixels );
    glBindFramebuffer( GL_FRAMEBUFFER, m_shadowBuffer );
    glViewport( 0, 0, m_shadowPixels, m_shadowPixels );
    glDisable( GL_SCISSOR_TEST );
    glClear( GL_DEPTH_BUFFER_BIT );
    const View fromSun = { m_sunImage, -sunDirection, true };
    for ( const Shape shape : { box, sphere, cylinder } )
    {
        useView( *m_shapes[shape].shadow, fromSun );
        drawShape( shape, *m_shapes[shape].shadow, drawing );
    }
    useView( m_lines, fromSun );
    drawTriangles( drawing );
    glBindFramebuffer( GL_FRAMEBUFFER, GLuint( target ) );
}

void Renderer::drawBackground( const Drawing& drawing, const Camera& camera, const View& view,
                               const Bounds& bounds ) const
{
    glBindVertexArray( m_nothing );
    glDisable( GL_DEPTH_TEST );
    m_sky.use();
    m_sky.set( "right", btScalar( camera.width ) / ( 2 * camera.scale ) * camera.right );
    m_sky.set( "up", btScalar( -camera.height ) / ( 2 * camera.scale ) * camera.down );
    m_sky.set( "forward", camera.forward );
    glDrawArrays( GL_TRIANGLES, 0, 3 );
    glEnable( GL_DEPTH_TEST );
    if ( drawing.hasGround )
    {
        useLight( m_ground, view, drawing );
        m_ground.set( "middle", bounds.middle );
        m_ground.set( "reach", float( groundReach * bounds.radius ) );
        m_ground.set( "clearDistance", float( clearReach * bounds.radius ) );
        glDrawArrays( GL_TRIANGLE_STRIP, 0, 4 );
    }
}

void Renderer::drawSurfaces( const Drawing& drawing, const View& view ) const
{
    for ( const Shape shape : { box, cylinder, sphere } )
    {
        shape == sphere ? glEnable( GL_SAMPLE_ALPHA_TO_COVERAGE ) : glDisable( GL_SAMPLE_ALPHA_TO_COVERAGE );
        useLight( *m_shapes[shape].surface, view, drawing );
        drawShape( shape, *m_shapes[shape].surface, drawing );
    }
    glDisable( GL_SAMPLE_ALPHA_TO_COVERAGE );
    useLight( m_triangles, view, drawing );
    drawTriangles( drawing );
}

/// Draws each line twice: its visible part, and all of it again but fainter.
void Renderer::drawLines( const Drawing& drawing, const View& view ) const
{
    glEnable( GL_BLEND );
    glBlendFuncSeparate( GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE );
    glDepthMask( GL_FALSE );
    for ( const float opacity : { hiddenOpacity, 1.0f } )
    {
        glDepthFunc( opacity < 1 ? GL_ALWAYS : GL_LEQUAL );
        useView( *m_shapes[wireBox].surface, view );
        m_shapes[wireBox].surface->set( "opacity", opacity );
        drawShape( wireBox, *m_shapes[wireBox].surface, drawing );
        useView( m_lines, view );
        m_lines.set( "opacity", opacity );
        glBindVertexArray( m_lineList.arrays );
        glDrawArrays( GL_LINES, 0, GLsizei( drawing.lines.size() ) );
    }
    glDepthFunc( GL_LESS );
    glDepthMask( GL_TRUE );
    glDisable( GL_BLEND );
}

void Renderer::draw( const Drawing& drawing, const Camera& camera, const Area& area )
{
    const Bounds bounds = boundsOf( drawing, true );
    upload( drawing );
    glDisable( GL_BLEND );
    glEnable( GL_DEPTH_TEST );
    glDepthFunc( GL_LESS );
    if ( drawing.hasShadows )
    {
        drawShadows( drawing, boundsOf( drawing, false ) );
    }
    const btScalar depth = ( bounds.middle - camera.eye ).dot( camera.forward );
    const btScalar farthest = std::max( depth + groundReach * bounds.radius, bounds.radius );
    const btScalar nearest = std::max( depth - bounds.radius, farthest / 5000 );
    const btScalar aboveGround = std::max( camera.eye.y() / 4, farthest / 50000 );
    const View view = { imageMatrix( camera, drawing.hasGround ? std::min( nearest, aboveGround ) : nearest, farthest ),
                        camera.eye, false };
    glViewport( area.x, area.y, area.width, area.height );
    glScissor( area.x, area.y, area.width, area.height );
    glEnable( GL_SCISSOR_TEST );
    glClear( GL_DEPTH_BUFFER_BIT );
    glActiveTexture( GL_TEXTURE0 + sunUnit );
    glBindTexture( GL_TEXTURE_2D, m_shadowDepth );
    glActiveTexture( GL_TEXTURE0 + placesUnit );
    drawBackground( drawing, camera, view, bounds );
    drawSurfaces( drawing, view );
    drawLines( drawing, view );
    glDisable( GL_SCISSOR_TEST );
}

} // namespace cullet::render
