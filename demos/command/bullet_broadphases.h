// SPDX-License-Identifier: Zlib
/// \file bullet_broadphases.h
/// Bullet's own broadphases as the engines use them, and how a body's index travels through btBroadphaseInterface.
#ifndef CLT_COMMAND_BULLET_BROADPHASES_H
#define CLT_COMMAND_BULLET_BROADPHASES_H

#include "demos/oracle/pair_set.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include <memory>

namespace cullet::compare
{

/// Who frees the proxies that are left when a broadphase is destroyed.
enum class ProxyOwner
{
    broadphase,
    caller
};

/// What a proxy has for a client.
void* clientOf( std::uint32_t index );
std::uint32_t indexOf( const btBroadphaseProxy* proxy );

/// By the indexes of their clients, ascending.
PairSet pairsOf( btOverlappingPairCache& cache );

/// To be done before the proxies are destroyed one by one: each walks all pairs that are still there.
void removeAllPairs( btOverlappingPairCache& cache );

std::unique_ptr<btBroadphaseInterface> createDeferredDbvt();

/// \param lowest, highest  bounds of the bodies' centers
std::unique_ptr<btBroadphaseInterface> createSweep( const btVector3& lowest, const btVector3& highest,
                                                    std::uint32_t mostBodies );

std::unique_ptr<btBroadphaseInterface> createSimple( std::uint32_t mostBodies );

} // namespace cullet::compare

#endif
