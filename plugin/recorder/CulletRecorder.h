// SPDX-License-Identifier: Zlib
/// \file CulletRecorder.h
/// Writes down every call that a program makes to its broadphase, for `cullet replay`. It stands between the two and
/// changes nothing: pairs, proxies and query results are those of the broadphase inside.
///
///     CulletRecordFile file( "scene.cullet" );
///     CulletRecorder recorder( new btDbvtBroadphase(), &file );
///     btDiscreteDynamicsWorld world( &dispatcher, &recorder, &solver, &configuration );
///
/// Kept: createProxy, destroyProxy, setAabb with boxes to the bit, calculateOverlappingPairs, rayTest with all that the
/// callback brings, aabbTest, resetPool; groups and masks, also when they are edited in place. That is noticed at the
/// next setAabb of the proxy or the next calculateOverlappingPairs, whichever comes first.
///
/// Not kept: who the client objects are; what is done to the pair cache directly; what the program's own filter
/// callback and query callbacks answer. That there is a filter callback is kept (by Bullet 3.05 and later, which can be
/// asked), and so is its effect in one number, that of the pairs after each calculateOverlappingPairs: if a replay
/// finds far more, the callback turned them down.
#ifndef CULLET_RECORDER_H
#define CULLET_RECORDER_H

#include "CulletEventWriter.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "LinearMath/btHashMap.h"

#include <mutex>

class CulletRecorder : public btBroadphaseInterface
{
public:
    /// \param broadphase  stays the caller's, must outlive the recorder. It may have proxies already: each one enters
    ///                    the recording at its first setAabb, so that a program can record from the moment that matters
    ///                    (btCollisionWorld::setBroadphase)
    /// \param sink        stays the caller's, must outlive the recorder
    CulletRecorder( btBroadphaseInterface* broadphase, CulletRecordSink* sink );

    /// Closes the recording.
    ~CulletRecorder() override;

    /// Ends the recording; from here on calls are only passed on. Closing twice is once.
    /// \return whether all of it was written
    bool close();

    /// False from the first write that failed. Recording has ended then; the calls are still passed on.
    bool isGood() const
    {
        return m_events.isGood();
    }

    /// Calls and noticed edits recorded so far.
    uint64_t getEventCount() const
    {
        return m_events.getEventCount();
    }

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int collisionFilterGroup, int collisionFilterMask,
                                    btDispatcher* dispatcher ) override;
    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;
    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override;

    /// May be called from any number of threads at once if the broadphase inside allows it, as may aabbTest. Such calls
    /// are recorded in whatever order they arrive.
    void rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& rayCallback,
                  const btVector3& aabbMin = btVector3( 0, 0, 0 ),
                  const btVector3& aabbMax = btVector3( 0, 0, 0 ) ) override;
    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override;

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override;
    void resetPool( btDispatcher* dispatcher ) override;

    // What is not recorded is only passed on.

    void getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const override
    {
        m_broadphase->getAabb( proxy, aabbMin, aabbMax );
    }

    btOverlappingPairCache* getOverlappingPairCache() override
    {
        return m_broadphase->getOverlappingPairCache();
    }

    const btOverlappingPairCache* getOverlappingPairCache() const override
    {
        return static_cast<const btBroadphaseInterface*>( m_broadphase )->getOverlappingPairCache();
    }

    void getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const override
    {
        m_broadphase->getBroadphaseAabb( aabbMin, aabbMax );
    }

    void printStats() override
    {
        m_broadphase->printStats();
    }

private:
    /// A proxy as the recording knows it.
    struct Known
    {
        const btBroadphaseProxy* m_proxy;
        uint64_t m_number;
        int m_group;
        int m_mask;
        CulletBits m_box[CULLET_RECORD_BOX_SCALARS];
    };

    bool isRecording() const
    {
        return !m_isClosed && m_events.isGood();
    }

    void recordCreate( const btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax );
    void recordMove( Known& known, const btVector3& aabbMin, const btVector3& aabbMax );
    void recordFilterIfEdited( Known& known );
    void recordAllEditedFilters();
    void recordCallback();

    btBroadphaseInterface* m_broadphase;
    btOverlappingPairCache* m_pairCache; ///< asked for once, as asking makes cullet search
    CulletEventWriter m_events;
    std::mutex m_queryLock;
    btHashMap<btHashPtr, Known> m_known;
    uint64_t m_createdCount;
    bool m_hasCallback; ///< the last that was recorded
    bool m_isClosed;
    CulletBits m_lastCreated[CULLET_RECORD_BOX_SCALARS];
    CulletBits m_lastBoxQuery[CULLET_RECORD_BOX_SCALARS];
    CulletBits m_lastRay[CULLET_RECORD_RAY_SCALARS];
};

#endif
