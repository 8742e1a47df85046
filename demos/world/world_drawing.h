// SPDX-License-Identifier: Zlib
/// \file world_drawing.h
/// The surfaces of a world's bodies, for a renderer.
#ifndef CLT_WORLD_WORLD_DRAWING_H
#define CLT_WORLD_WORLD_DRAWING_H

#include "world.h"

#include "demos/render/drawing.h"

#include <map>

namespace cullet::demo
{

/// Draws one world. Keeps the triangles of shapes that consist of triangles. Shapes must not change.
class WorldDrawer
{
public:
    /// \param world  the same in all calls. Bodies with the same shape have the same colour in seven shades; static
    ///               bodies are grey. Triangles of a cloth that cross others of the same cloth are red
    void draw( World& world, render::Drawing& drawing );

private:
    void drawShape( const btCollisionShape& shape, const btTransform& transform, render::Colour colour,
                    render::Drawing& drawing );
    void drawTriangles( const btCollisionShape& shape, const btTransform& transform, render::Colour colour,
                        render::Drawing& drawing );
    btVector3 lightOf( const btCollisionObject& object );
    render::Colour colourOf( const btCollisionObject& object );

    std::map<const btCollisionShape*, std::vector<btVector3>> m_triangles;
    std::map<const btCollisionShape*, std::size_t> m_shapes; ///< numbers, in the order of appearance
    std::vector<render::Colour> m_colours;                   ///< by index of the body in its world
};

} // namespace cullet::demo

#endif
