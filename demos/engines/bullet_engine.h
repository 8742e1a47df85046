// SPDX-License-Identifier: Zlib
/// \file bullet_engine.h
/// Engines behind btBroadphaseInterface: Bullet's own broadphases and CulletBroadphase. They get the same calls as from
/// a Bullet world or a recorded program.
#ifndef CLT_ENGINES_BULLET_ENGINE_H
#define CLT_ENGINES_BULLET_ENGINE_H

#include "engine.h"

#include "plugin/CulletBroadphase.h"

namespace cullet::compare
{

/// \param core  ignored by Bullet's own broadphases
std::unique_ptr<Engine> createDbvtEngine( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createDeferredDbvtEngine( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createSweepEngine( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createSimpleEngine( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createPluginEngine( const Course& course, const cltBroadphaseDef& core );

/// Throws std::runtime_error if it cannot be created with this definition.
std::unique_ptr<CulletBroadphase> createCullet( const cltBroadphaseDef& core );

} // namespace cullet::compare

#endif
