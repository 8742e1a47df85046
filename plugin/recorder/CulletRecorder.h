// SPDX-License-Identifier: Zlib
/// \file CulletRecorder.h Records every call that a program makes to its broadphase, for `cullet replay`. It forwards
/// the calls to that broadphase and changes nothing: pairs, proxies and query results are the same.
///
///     CulletRecordFile file( "scene.cullet" );
///     CulletRecorder recorder( new btDbvtBroadphase(), &file );
///     btDiscreteDynamicsWorld world( &dispatcher, &recorder, &solver, &configuration );
///
/// Recorded: createProxy, destroyProxy, setAabb with exact boxes, calculateOverlappingPairs, rayTest with the fields of
/// its callback, aabbTest, resetPool. Groups and masks are recorded also if they are edited in place: at the next
/// setAabb of the proxy or the next calculateOverlappingPairs, whichever comes first.
///
/// Not recorded: client objects, direct edits of the pair cache, and the results of the program's filter and query
/// callbacks. The presence of a filter callback is recorded with Bullet 3.05 and later. So is the number of pairs after
/// each calculateOverlappingPairs. If a replay finds far more pairs, the filter callback rejected them.
#ifndef CULLET_RECORDER_H
#define CULLET_RECORDER_H

#include "CulletEventWriter.h"
#include "CulletForwarder.h"

#include "LinearMath/btHashMap.h"

#include <mutex>

class CulletRecorder : public CulletForwarder
{
public:
    /// \param broadphase  owned by the caller; must outlive the recorder. It may have proxies already. Each of these is
    ///                    recorded from its first setAabb on, so that a program can start a recording at any time
    ///                    (btCollisionWorld::setBroadphase)
    /// \param sink        owned by the caller; must outlive the recorder
    CulletRecorder( btBroadphaseInterface* broadphase, CulletRecordSink* sink );

    /// Closes the recording.
    ~CulletRecorder() override;

    /// Ends the recording. Later calls are only forwarded. May be called again.
    /// \return whether the whole recording was written
    bool close();

    /// False from the first failed write on. The recording has ended then, and calls are only forwarded.
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

    /// This and aabbTest may be called from several threads at once if the broadphase allows it. The order of such
    /// calls in the recording is arbitrary.
    void rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& rayCallback,
                  const btVector3& aabbMin = btVector3( 0, 0, 0 ),
                  const btVector3& aabbMax = btVector3( 0, 0, 0 ) ) override;
    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override;

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override;
    void resetPool( btDispatcher* dispatcher ) override;

private:
    /// The last recorded state of a proxy.
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

    btOverlappingPairCache* m_pairCache; ///< got once, because getting it makes cullet search for pairs
    CulletEventWriter m_events;
    std::mutex m_queryLock;
    btHashMap<btHashPtr, Known> m_known;
    uint64_t m_createdCount;
    bool m_hasCallback; ///< the last recorded value
    bool m_isClosed;
    CulletBits m_lastCreated[CULLET_RECORD_BOX_SCALARS];
    CulletBits m_lastBoxQuery[CULLET_RECORD_BOX_SCALARS];
    CulletBits m_lastRay[CULLET_RECORD_RAY_SCALARS];
};

#endif
