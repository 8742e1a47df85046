// SPDX-License-Identifier: Zlib
/// \file CulletStopwatch.h
/// Times a program's calls, and the same calls to the broadphase of Bullet's that the program chose. Each call is timed
/// by itself and what reading the clock takes is subtracted; the two broadphases push each other out of the processor's
/// caches. So the figures are good to some ten percent. A filter callback of the program's is asked by both.
#ifndef CULLET_STOPWATCH_H
#define CULLET_STOPWATCH_H

#include "CulletPassOn.h"
#include "CulletTwin.h"

#include <stdint.h>

class CulletStopwatch : public CulletPassOn
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

    /// Says it for all broadphases of the process together.
    static void sayTotals( const CulletBullet& bullet );

private:
    void useFilterCallback();

    btOverlappingPairCache* m_cache; ///< asked for once: to look at the pairs costs what would be timed, and changes it
    CulletTwin m_twin;
    int m_proxyCount = 0;
};

#endif
