// SPDX-License-Identifier: Zlib
/// \file tool.h
/// What the mouse does in the scene: it selects a body, or drags a ray or a box and shows what it meets.
#ifndef CLT_VIEW_TOOL_H
#define CLT_VIEW_TOOL_H

#include "simulation.h"

#include "cullet_debug.h"

#include "demos/render/camera.h"

#include <optional>

namespace cullet::view
{

enum class ToolKind
{
    select,
    ray,
    box
};

class Tool
{
public:
    ToolKind kind = ToolKind::select;

    /// Selects the body that a ray of the camera meets first; none if it meets no body.
    /// \param reach  how far the ray reaches, in depths of the camera
    void select( const Simulation& simulation, const render::Ray& ray, btScalar reach );

    /// Sets the ray or the middle of the box and a point on its surface.
    void drag( const btVector3& from, const btVector3& to );

    /// Forgets everything; for another simulation.
    void clear();

    /// Marks the selected body, its neighbours, and what the ray or the box meets.
    void draw( const Simulation& simulation, render::Drawing& drawing ) const;

    /// One line for each fact, for the panel.
    std::vector<std::string> report( const Simulation& simulation ) const;

private:
    /// What a query visits.
    struct Visits
    {
        render::Drawing* drawing; ///< NULL: the nodes are only counted
        std::size_t nodes = 0;
        std::size_t bodies = 0;

        static void noteNode( const cltAabb* bounds, std::uint32_t level, bool isLeaf, void* context );
        static void noteBody( const cltDebugBody* body, void* context );
    };

    Visits drawVisits( const Simulation& simulation, render::Drawing* drawing ) const;
    std::vector<cltProxyId> hits( const Simulation& simulation ) const;
    cltAabb draggedBox() const;

    std::optional<std::uint32_t> m_selected; ///< slot
    bool m_isDragged = false;
    btVector3 m_from, m_to;
};

} // namespace cullet::view

#endif
