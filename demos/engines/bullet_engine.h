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

/// \param core  Bullet's own ignore it
std::unique_ptr<Engine> createDbvtEngine( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createDeferredDbvtEngine( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createSweepEngine( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createSimpleEngine( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createPluginEngine( const Course& course, const cltBroadphaseDef& core );

/// Throws std::runtime_error if it cannot be had as asked for.
std::unique_ptr<CulletBroadphase> createCullet( const cltBroadphaseDef& core );

} // namespace cullet::compare

#endif
