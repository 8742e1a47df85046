// SPDX-License-Identifier: Zlib
/// \file CulletStopwatch.h
/// Times a program's calls, and the same calls to the broadphase of Bullet that the program chose. Each call is timed
/// separately, and the time for reading the clock is subtracted. The two broadphases evict each other from the
/// processor's caches, so the figures are accurate to about ten percent. Both use the program's filter callback.
#ifndef CULLET_STOPWATCH_H
#define CULLET_STOPWATCH_H

#include "CulletForwarder.h"
#include "CulletTwin.h"

#include <stdint.h>

class CulletStopwatch : public CulletForwarder
{
public:
    CulletStopwatch( btBroadphaseInterface& inner, const CulletBullet& bullet, const CulletArguments& arguments );

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override;
    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;
    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override;
    void rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override;
    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override;
    void calculateOverlappingPairs( btDispatcher* dispatcher ) override;
    btOverlappingPairCache* getOverlappingPairCache() override;

    /// Prints the totals of all broadphases of the process.
    static void sayTotals( const CulletBullet& bullet );

private:
    void useFilterCallback();

    btOverlappingPairCache* m_cache; ///< read once, because getOverlappingPairCache makes cullet search for pairs
    CulletTwin m_twin;
    int m_proxyCount = 0;
};

#endif
