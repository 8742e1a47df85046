// SPDX-License-Identifier: Zlib
/// \file CulletForwarder.h
/// A broadphase that forwards all calls to another one. Derived classes override what they observe.
#ifndef CULLET_FORWARDER_H
#define CULLET_FORWARDER_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"

class CulletForwarder : public btBroadphaseInterface
{
public:
    /// \param inner  owned by the caller; must outlive this object
    explicit CulletForwarder( btBroadphaseInterface& inner ) : m_inner( inner )
    {
    }

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override
    {
        return m_inner.createProxy( aabbMin, aabbMax, shapeType, userPtr, group, mask, dispatcher );
    }

    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        m_inner.destroyProxy( proxy, dispatcher );
    }

    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override
    {
        m_inner.setAabb( proxy, aabbMin, aabbMax, dispatcher );
    }

    void getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const override
    {
        m_inner.getAabb( proxy, aabbMin, aabbMax );
    }

    void rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override
    {
        m_inner.rayTest( from, to, callback, aabbMin, aabbMax );
    }

    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override
    {
        m_inner.aabbTest( aabbMin, aabbMax, callback );
    }

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override
    {
        m_inner.calculateOverlappingPairs( dispatcher );
    }

    btOverlappingPairCache* getOverlappingPairCache() override
    {
        return m_inner.getOverlappingPairCache();
    }

    const btOverlappingPairCache* getOverlappingPairCache() const override
    {
        return static_cast<const btBroadphaseInterface&>( m_inner ).getOverlappingPairCache();
    }

    void getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const override
    {
        m_inner.getBroadphaseAabb( aabbMin, aabbMax );
    }

    void resetPool( btDispatcher* dispatcher ) override
    {
        m_inner.resetPool( dispatcher );
    }

    void printStats() override
    {
        m_inner.printStats();
    }

protected:
    btBroadphaseInterface& m_inner;
};

#endif
