// SPDX-License-Identifier: Zlib
/// \file renderer.h
/// Draws with OpenGL 3.3 or WebGL 2, into the framebuffer and the part of it that the caller has chosen.
#ifndef CLT_RENDER_RENDERER_H
#define CLT_RENDER_RENDERER_H

#include "camera.h"
#include "drawing.h"
#include "shader.h"

#include <memory>

namespace cullet::render
{

/// A part of the framebuffer in pixels, from its lower left corner.
struct Area
{
    int x, y, width, height;
};

/// Belongs to the OpenGL context that is current when it is made. If the context is lost, make another one.
class Renderer
{
public:
    /// \param shadowPixels  width and height of the sun's image, from which shadows are made
    /// \throws std::runtime_error if OpenGL refuses a shader
    explicit Renderer( int shadowPixels );
    ~Renderer();
    Renderer( const Renderer& ) = delete;
    Renderer& operator=( const Renderer& ) = delete;

    /// \param camera  its size must be that of the area
    void draw( const Drawing& drawing, const Camera& camera, const Area& area );

private:
    using ShaderPointer = std::unique_ptr<Shader>;

    struct ShapeDrawer
    {
        ShaderPointer surface; ///< or lines
        ShaderPointer shadow;  ///< NULL: has none
        int cornerCount;
        GLuint places; ///< a texture
    };

    struct VertexList
    {
        GLuint arrays;
        GLuint buffer;
    };

    struct Bounds
    {
        btVector3 middle;
        btScalar radius;
    };

    /// From where something is drawn.
    struct View
    {
        Matrix image;
        btVector3 eye;
        bool isParallel; ///< `eye` is the direction to it
    };

    static Bounds boundsOf( const Drawing& drawing, bool withLines );
    static VertexList makeList();
    void upload( const Drawing& drawing ) const;
    void drawShape( Shape shape, const Shader& shader, const Drawing& drawing ) const;
    void drawShadows( const Drawing& drawing, const Bounds& bounds );
    void drawBackground( const Drawing& drawing, const Camera& camera, const View& view, const Bounds& bounds ) const;
    void drawSurfaces( const Drawing& drawing, const View& view ) const;
    void drawLines( const Drawing& drawing, const View& view ) const;
    void drawTriangles( const Drawing& drawing ) const;
    void useLight( const Shader& shader, const View& view, const Drawing& drawing ) const;
    static void useView( const Shader& shader, const View& view );

    std::array<ShapeDrawer, shapeCount> m_shapes;
    Shader m_triangles, m_lines, m_ground, m_sky;
    VertexList m_triangleList, m_lineList;
    GLuint m_nothing; ///< an array without attributes
    GLuint m_shadowDepth, m_shadowBuffer;
    int m_shadowPixels;
    Matrix m_sunImage{};
    float m_bias = 0; ///< metres
};

} // namespace cullet::render

#endif
