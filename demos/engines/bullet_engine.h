// SPDX-License-Identifier: Zlib
/// \file bullet_engine.h
/// Bullet's own broadphases, CulletBroadphase, and the engine around each of these. The engine makes the calls that a
/// Bullet world or a recorded program makes.
#ifndef CLT_ENGINES_BULLET_ENGINE_H
#define CLT_ENGINES_BULLET_ENGINE_H

#include "engine.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"

namespace cullet::compare
{

/// \param core  ignored by Bullet's own broadphases
std::unique_ptr<btBroadphaseInterface> createDbvt( const StreamInfo& info, const cltBroadphaseDef& core );
std::unique_ptr<btBroadphaseInterface> createDeferredDbvt( const StreamInfo& info, const cltBroadphaseDef& core );
std::unique_ptr<btBroadphaseInterface> createSweep( const StreamInfo& info, const cltBroadphaseDef& core );
std::unique_ptr<btBroadphaseInterface> createSimple( const StreamInfo& info, const cltBroadphaseDef& core );

/// Throws std::runtime_error if cullet cannot be created with `core`.
std::unique_ptr<btBroadphaseInterface> createCullet( const StreamInfo& info, const cltBroadphaseDef& core );

} // namespace cullet::compare

#endif
