// SPDX-License-Identifier: Zlib
/// \file scene_pointer.cpp
/// Turns a scene that could not be created into an exception.
#include "scene_pointer.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cullet::compare
{

ScenePointer createScene( const cltSceneDef& def )
{
    ScenePointer scene( cltCreateScene( &def ) );
    if ( !scene )
    {
        throw std::runtime_error( fmt::format( "not enough memory for a scene of {} bodies", def.bodyCount ) );
    }
    return scene;
}

} // namespace cullet::compare
