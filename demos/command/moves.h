// SPDX-License-Identifier: Zlib
/// \file moves.h
/// What one step of a scene hands to the engines: the boxes of the bodies that moved, in a row and in both forms that
/// engines take. Prepared once a step outside the timed sections, so no engine is charged for a copy or a conversion.
#ifndef CLT_COMMAND_MOVES_H
#define CLT_COMMAND_MOVES_H

#include "demos/scenes/scenes.h"

#include "LinearMath/btVector3.h"

#include <cstdint>
#include <vector>

namespace cullet::compare
{

struct BulletBox
{
    btVector3 lower;
    btVector3 upper;
};

BulletBox bulletBox( const cltAabb& box );

class Moves
{
public:
    explicit Moves( const cltScene& scene );

    /// Takes over the scene's boxes as they are now.
    void update( const cltScene& scene );

    std::size_t count() const
    {
        return m_boxes.size();
    }

    /// Indexes into the scene's boxes. The same at every step of a scene in which nothing jumps.
    const std::uint32_t* bodies() const
    {
        return m_bodies.data();
    }

    const std::vector<cltAabb>& boxes() const
    {
        return m_boxes;
    }

    const std::vector<BulletBox>& bulletBoxes() const
    {
        return m_bulletBoxes;
    }

private:
    std::vector<std::uint32_t> m_bodies;
    std::vector<cltAabb> m_boxes;
    std::vector<BulletBox> m_bulletBoxes;
};

} // namespace cullet::compare

#endif
