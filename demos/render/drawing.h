// SPDX-License-Identifier: Zlib
/// \file drawing.h
/// What a renderer draws: shapes, triangles and lines in world coordinates. Plain data, made anew for each picture.
#ifndef CLT_RENDER_DRAWING_H
#define CLT_RENDER_DRAWING_H

#include "LinearMath/btTransform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace cullet::render
{

/// Red, green, blue and opacity, in this order in memory; as on a display, not linear.
using Colour = std::array<std::uint8_t, 4>;

/// \param light  linear light of each channel, 0 to 1
inline Colour colourOf( const btVector3& light )
{
    const auto channel = [&light]( int k )
    {
        constexpr btScalar gamma = btScalar( 2.2 ); // approximately that of sRGB
        return std::uint8_t( 255 * std::pow( std::clamp( light[k], btScalar( 0 ), btScalar( 1 ) ), 1 / gamma ) );
    };
    return { channel( 0 ), channel( 1 ), channel( 2 ), 255 };
}

inline Colour withOpacity( Colour colour, double opacity )
{
    colour[3] = std::uint8_t( 255 * opacity );
    return colour;
}

/// A shape that is drawn at many places. Each has the size 2 along each axis, and is scaled by half extents.
enum Shape : std::size_t
{
    box,
    sphere,   ///< its radius is the first half extent
    cylinder, ///< along y
    wireBox,  ///< the edges of a box
    shapeCount
};

/// One place of a shape, as the shader reads it: three times four words.
struct Instance
{
    std::array<float, 3> position;
    Colour colour;
    std::array<float, 4> rotation; ///< a unit quaternion: x, y, z, w
    std::array<float, 3> halfExtents;
    float unused = 0;
};

struct Vertex
{
    std::array<float, 3> position;
    Colour colour;
};

inline std::array<float, 3> floats( const btVector3& point )
{
    return { float( point.x() ), float( point.y() ), float( point.z() ) };
}

struct Drawing
{
    std::array<std::vector<Instance>, shapeCount> instances; ///< by Shape
    std::vector<Vertex> triangles;                           ///< three vertices each
    std::vector<Vertex> lines;                               ///< two vertices each; hidden parts are fainter
    bool hasGround = false;                                  ///< the plane y = 0
    bool hasShadows = false;                                 ///< from the sun

    void clear()
    {
        for ( std::vector<Instance>& list : instances )
        {
            list.clear();
        }
        triangles.clear();
        lines.clear();
        hasGround = hasShadows = false;
    }

    void add( Shape shape, const btTransform& transform, const btVector3& halfExtents, Colour colour )
    {
        const btQuaternion turn = transform.getRotation();
        instances[shape].push_back( { floats( transform.getOrigin() ),
                                      colour,
                                      { float( turn.x() ), float( turn.y() ), float( turn.z() ), float( turn.w() ) },
                                      floats( halfExtents ) } );
    }

    /// Adds a box along the axes.
    void addBox( Shape shape, const btVector3& lower, const btVector3& upper, Colour colour )
    {
        instances[shape].push_back(
            { floats( ( lower + upper ) / 2 ), colour, { 0, 0, 0, 1 }, floats( ( upper - lower ) / 2 ) } );
    }

    /// Adds the edges of a box.
    template <typename Box>
    void addEdges( const Box& edges, Colour colour )
    {
        addBox( wireBox, btVector3( edges.lower[0], edges.lower[1], edges.lower[2] ),
                btVector3( edges.upper[0], edges.upper[1], edges.upper[2] ), colour );
    }

    void addLine( const btVector3& from, const btVector3& to, Colour colour )
    {
        lines.push_back( { floats( from ), colour } );
        lines.push_back( { floats( to ), colour } );
    }
};

} // namespace cullet::render

#endif
