// SPDX-License-Identifier: Zlib
/// \file CulletQueries.h
/// The queries of CulletBroadphase, which says what they promise.
#ifndef CULLET_QUERIES_H
#define CULLET_QUERIES_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"

class CulletCore;

/// \param aabbMin, aabbMax  what is swept along the ray, seen from its origin
void culletRayTest( const CulletCore& core, const btVector3& rayFrom, btBroadphaseRayCallback& rayCallback,
                    const btVector3& aabbMin, const btVector3& aabbMax );

void culletAabbTest( const CulletCore& core, const btVector3& aabbMin, const btVector3& aabbMax,
                     btBroadphaseAabbCallback& callback );

void culletBounds( const CulletCore& core, btVector3& aabbMin, btVector3& aabbMax );

#endif
