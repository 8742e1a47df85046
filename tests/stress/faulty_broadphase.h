// SPDX-License-Identifier: Zlib
/// \file faulty_broadphase.h
/// A broadphase that is right for a while and then wrong in one way, so that it can be seen whether that is noticed.
#ifndef CULLET_TESTS_STRESS_FAULTY_BROADPHASE_H
#define CULLET_TESTS_STRESS_FAULTY_BROADPHASE_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include <memory>
#include <vector>

namespace test
{

enum class Flaw
{
    none,
    extraPair,   ///< of boxes that do not overlap
    refusedPair, ///< of boxes that overlap, but may not pair
    missingPair,
    stalePair,      ///< kept although its boxes overlap no more
    remadePair,     ///< dropped and made anew, so that it loses its algorithm
    lostDispatcher, ///< ended pairs leave their algorithms behind
    lateNewPair,    ///< a pair of a new proxy appears only with the update
    lateMovedPair,  ///< of the first box that changes after an update
    unequalAabb,    ///< getAabb is a little off
    missedBox,      ///< aabbTest leaves one out
    extraBox,
    repeatedBox,
    missedRay, ///< rayTest leaves one out
    extraRay
};

class FaultyBroadphase : public btBroadphaseInterface
{
public:
    /// \param goodUpdates  calls of calculateOverlappingPairs before the flaw shows
    FaultyBroadphase( std::unique_ptr<btBroadphaseInterface> right, Flaw flaw, int goodUpdates );

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int collisionFilterGroup, int collisionFilterMask,
                                    btDispatcher* dispatcher ) override;
    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;
    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override;
    void getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const override;
    void rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& rayCallback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override;
    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override;
    void calculateOverlappingPairs( btDispatcher* dispatcher ) override;
    btOverlappingPairCache* getOverlappingPairCache() override;
    const btOverlappingPairCache* getOverlappingPairCache() const override;
    void getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const override;
    void resetPool( btDispatcher* dispatcher ) override;
    void printStats() override;

private:
    struct ProxyPair
    {
        btBroadphaseProxy* first;
        btBroadphaseProxy* second;
    };

    bool has( Flaw flaw ) const;
    void spoil( const std::vector<ProxyPair>& before, btDispatcher* dispatcher );
    void addWhere( bool overlap );
    void addUnfiltered( const ProxyPair& pair );
    void removeFirstOf( const btBroadphaseProxy& proxy, btDispatcher* dispatcher );
    std::vector<ProxyPair> pairs() const;
    const btBroadphaseProxy* farFrom( const btVector3& lower, const btVector3& upper ) const;

    std::unique_ptr<btBroadphaseInterface> m_right;
    Flaw m_flaw;
    int m_goodUpdates;
    bool m_isFirstMove = true;                 ///< no box has changed since the last update
    std::vector<btBroadphaseProxy*> m_proxies; ///< the living ones
};

} // namespace test

#endif
