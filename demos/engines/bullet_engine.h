// SPDX-License-Identifier: Zlib
/// \file bullet_engine.h
/// Anything behind btBroadphaseInterface as an engine, driven call for call as Bullet's world or a recorded program
/// drives it: Bullet's own broadphases, and CulletBroadphase.
#ifndef CLT_ENGINES_BULLET_ENGINE_H
#define CLT_ENGINES_BULLET_ENGINE_H

#include "engine.h"

#include "plugin/CulletBroadphase.h"

namespace cullet::compare
{

std::unique_ptr<Engine> createDbvtEngine( const EngineRequest& request );
std::unique_ptr<Engine> createDeferredDbvtEngine( const EngineRequest& request );
std::unique_ptr<Engine> createSweepEngine( const EngineRequest& request );
std::unique_ptr<Engine> createSimpleEngine( const EngineRequest& request );
std::unique_ptr<Engine> createPluginEngine( const EngineRequest& request, cltAlgorithm algorithm );

/// Throws std::runtime_error if it cannot be had as asked for.
std::unique_ptr<CulletBroadphase> createCullet( const CoreChoice& choice, cltAlgorithm algorithm );

} // namespace cullet::compare

#endif
