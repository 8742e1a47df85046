// SPDX-License-Identifier: Zlib
/// \file scene_pointer.h
/// Scenes that free themselves.
#ifndef CLT_COMMAND_SCENE_POINTER_H
#define CLT_COMMAND_SCENE_POINTER_H

#include "demos/scenes/scenes.h"

#include <memory>

namespace cullet::compare
{

struct DestroyScene
{
    void operator()( cltScene* scene ) const
    {
        cltDestroyScene( scene );
    }
};

using ScenePointer = std::unique_ptr<cltScene, DestroyScene>;

/// Throws std::runtime_error when memory runs out.
ScenePointer createScene( const cltSceneDef& def );

} // namespace cullet::compare

#endif
