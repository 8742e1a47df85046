// SPDX-License-Identifier: Zlib
/// \file bullet_engine.h
/// Bullet's own broadphases and CulletBroadphase, and the engine around them. They get the same calls as from a Bullet
/// world or a recorded program.
#ifndef CLT_ENGINES_BULLET_ENGINE_H
#define CLT_ENGINES_BULLET_ENGINE_H

#include "engine.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"

namespace cullet::compare
{

/// \param core  ignored by Bullet's own broadphases
std::unique_ptr<btBroadphaseInterface> createDbvt( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<btBroadphaseInterface> createDeferredDbvt( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<btBroadphaseInterface> createSweep( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<btBroadphaseInterface> createSimple( const Course& course, const cltBroadphaseDef& core );

/// Throws std::runtime_error if it cannot be created with this definition.
std::unique_ptr<btBroadphaseInterface> createCullet( const Course& course, const cltBroadphaseDef& core );

} // namespace cullet::compare

#endif
