// SPDX-License-Identifier: Zlib
/// \file plugin_engine.h
/// CulletBroadphase as an engine: driven exactly as Bullet's broadphases are, but it can say what ran, and its queries
/// are held to the margin.
#ifndef CLT_ENGINES_PLUGIN_ENGINE_H
#define CLT_ENGINES_PLUGIN_ENGINE_H

#include "engine.h"

#include "plugin/CulletBroadphase.h"

namespace cullet::compare
{

/// Throws std::runtime_error if it cannot be had as asked for.
std::unique_ptr<CulletBroadphase> createCullet( const CoreChoice& choice, cltAlgorithm algorithm );

std::unique_ptr<Engine> createPluginEngine( const EngineRequest& request, cltAlgorithm algorithm );

template <cltAlgorithm algorithm>
std::unique_ptr<Engine> createPluginEngine( const EngineRequest& request )
{
    return createPluginEngine( request, algorithm );
}

} // namespace cullet::compare

#endif
