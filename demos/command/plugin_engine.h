// SPDX-License-Identifier: Zlib
/// \file plugin_engine.h
/// The plugin as an engine: driven exactly as Bullet's broadphases are, but it can say what ran.
#ifndef CLT_COMMAND_PLUGIN_ENGINE_H
#define CLT_COMMAND_PLUGIN_ENGINE_H

#include "bullet_engine.h"

#include "plugin/CulletBroadphase.h"

namespace cullet::compare
{

/// Throws std::runtime_error if it cannot be had as asked for.
std::unique_ptr<CulletBroadphase> createCullet( const CoreChoice& choice, cltAlgorithm algorithm );

std::unique_ptr<Engine> createAutoEngine( const EngineRequest& request );
std::unique_ptr<Engine> createWideEngine( const EngineRequest& request );
std::unique_ptr<Engine> createLbvhEngine( const EngineRequest& request );
std::unique_ptr<Engine> createGridEngine( const EngineRequest& request );
std::unique_ptr<Engine> createBruteForceEngine( const EngineRequest& request );

} // namespace cullet::compare

#endif
