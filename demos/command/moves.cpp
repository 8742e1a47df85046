// SPDX-License-Identifier: Zlib
/// \file moves.cpp
/// Copies the moved boxes out of a scene.
#include "moves.h"

namespace cullet::compare
{

BulletBox bulletBox( const cltAabb& box )
{
    return { btVector3( box.lower[0], box.lower[1], box.lower[2] ),
             btVector3( box.upper[0], box.upper[1], box.upper[2] ) };
}

Moves::Moves( const cltScene& scene )
{
    update( scene );
}

void Moves::update( const cltScene& scene )
{
    m_bodies.assign( scene.moved, scene.moved + scene.movedCount );
    m_boxes.resize( m_bodies.size() );
    m_bulletBoxes.resize( m_bodies.size() );
    for ( std::size_t k = 0; k < count(); ++k )
    {
        m_boxes[k] = scene.boxes[m_bodies[k]];
        m_bulletBoxes[k] = bulletBox( m_boxes[k] );
    }
}

} // namespace cullet::compare
