// SPDX-License-Identifier: Zlib
/// \file CulletRecorder.h Records every call that a program makes to its broadphase. It forwards the calls to that
/// broadphase and changes nothing: pairs, proxies and query results are the same. `cullet replay` runs the recording.
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
///
/// If the program ends without destroying the recorder, its last second may be missing; the rest can be replayed.
///
/// Each call is recorded and forwarded. A destruction is recorded first, while the proxy still exists. Callbacks about
/// pairs may make further calls meanwhile, also about the proxy that is being created or destroyed.
///
/// One thread records, except for queries; and the process may end, and close the recording, while another thread is in
/// a call. So a lock is held while an event is written, but not while a call is forwarded.
#ifndef CULLET_RECORDER_H
#define CULLET_RECORDER_H

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"
#include "CulletEventWriter.h"
#include "CulletForwarder.h"

#include "LinearMath/btHashMap.h"

#include <chrono>
#include <mutex>

/// A broadphase that records each call and forwards it to another broadphase.
class CulletRecorder : public CulletForwarder
{
public:
    /// \param broadphase  owned by the caller; must outlive the recorder. It may have proxies already. Each of these is
    ///                    recorded from its first setAabb on, so that a program can start a recording at any time
    ///                    (btCollisionWorld::setBroadphase)
    /// \param sink        owned by the caller; must outlive the recorder
    CulletRecorder( btBroadphaseInterface* broadphase, CulletRecordSink* sink )
        : CulletForwarder( *broadphase ), m_pairCache( broadphase->getOverlappingPairCache() ), m_events( sink ),
          m_createdCount( 0 ), m_callDepth( 0 ), m_hasCallback( false ), m_isClosed( false ), m_lastCreated(),
          m_lastBoxQuery(), m_lastRay()
    {
    }

    /// Closes the recording.
    ~CulletRecorder() override
    {
        close();
    }

    /// Ends the recording. Later calls are only forwarded. May be called again.
    /// \return whether the whole recording was written
    bool close()
    {
        const std::unique_lock<std::timed_mutex> lock( m_lock, std::chrono::seconds( 1 ) );
        const bool isHalfWritten = !lock.owns_lock(); // a signal handler ends the process within an event
        if ( !m_isClosed && !isHalfWritten )
        {
            m_events.finish();
        }
        m_isClosed = true;
        return m_events.isGood() && !isHalfWritten;
    }

    /// Ends the recording without a word in the file, which belongs to another process: for a forked child, in which
    /// the lock may be held for ever.
    void abandon()
    {
        m_isClosed = true;
    }

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

    /// Recorded and forwarded.
    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int collisionFilterGroup, int collisionFilterMask,
                                    btDispatcher* dispatcher ) override
    {
        const int goneBefore = m_gone.size();
        btBroadphaseProxy* proxy = 0;
        forward(
            [&]
            {
                proxy = m_inner.createProxy( aabbMin, aabbMax, shapeType, userPtr, collisionFilterGroup,
                                             collisionFilterMask, dispatcher );
                const std::lock_guard<std::timed_mutex> lock( m_lock );
                const bool isNew = proxy && !m_known.find( btHashPtr( proxy ) ) && !isGone( proxy, goneBefore );
                if ( isNew && isRecording() ) // btSimpleBroadphase returns NULL when it is full
                {
                    recordCreate( proxy, aabbMin, aabbMax );
                }
            } );
        return proxy;
    }

    /// Recorded and forwarded.
    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        {
            const std::lock_guard<std::timed_mutex> lock( m_lock );
            const Known* known = m_known.find( btHashPtr( proxy ) );
            if ( known && isRecording() )
            {
                m_events.beginEvent( CULLET_EVENT_DESTROY );
                m_events.putProxy( known->m_number );
                m_known.remove( btHashPtr( proxy ) );
            }
            m_gone.push_back( proxy );
        }
        forward( [&] { m_inner.destroyProxy( proxy, dispatcher ); } );
    }

    /// Recorded and forwarded.
    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override
    {
        {
            const std::lock_guard<std::timed_mutex> lock( m_lock );
            Known* known = m_known.find( btHashPtr( proxy ) );
            if ( known && isRecording() )
            {
                recordFilterIfEdited( *known );
                recordMove( *known, aabbMin, aabbMax );
            }
            else if ( isRecording() && !isGone( proxy, 0 ) )
            {
                recordCreate( proxy, aabbMin, aabbMax );
            }
        }
        forward( [&] { m_inner.setAabb( proxy, aabbMin, aabbMax, dispatcher ); } );
    }

    /// rayTest and aabbTest may be called from several threads at once if the broadphase allows it. The order of such
    /// calls in the recording is arbitrary.
    void rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& rayCallback,
                  const btVector3& aabbMin = btVector3( 0, 0, 0 ),
                  const btVector3& aabbMax = btVector3( 0, 0, 0 ) ) override
    {
        CulletBits ray[CULLET_RECORD_RAY_SCALARS];
        putVector( ray, rayFrom );
        putVector( ray + 3, rayTo );
        putVector( ray + 6, rayCallback.m_rayDirectionInverse );
        memcpy( ray + 9, &rayCallback.m_lambda_max, sizeof( btScalar ) );
        putBox( ray + 10, aabbMin, aabbMax );
        {
            const std::lock_guard<std::timed_mutex> lock( m_lock );
            if ( isRecording() )
            {
                m_events.beginEvent( CULLET_EVENT_RAY );
                m_events.putNumber( packSigns( rayCallback.m_signs ) );
                m_events.putScalars( m_lastRay, ray, CULLET_RECORD_RAY_SCALARS );
            }
        } // unlocks before the callback runs, because the callback may query again
        m_inner.rayTest( rayFrom, rayTo, rayCallback, aabbMin, aabbMax );
    }

    /// Recorded and forwarded.
    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override
    {
        CulletBits box[CULLET_RECORD_BOX_SCALARS];
        putBox( box, aabbMin, aabbMax );
        {
            const std::lock_guard<std::timed_mutex> lock( m_lock );
            if ( isRecording() )
            {
                m_events.beginEvent( CULLET_EVENT_BOX_QUERY );
                m_events.putScalars( m_lastBoxQuery, box, CULLET_RECORD_BOX_SCALARS );
            }
        }
        m_inner.aabbTest( aabbMin, aabbMax, callback );
    }

    /// Recorded and forwarded. Within another call it is only forwarded: it would be no step of its own.
    void calculateOverlappingPairs( btDispatcher* dispatcher ) override
    {
        if ( m_callDepth > 0 )
        {
            m_inner.calculateOverlappingPairs( dispatcher );
            return;
        }
        {
            const std::lock_guard<std::timed_mutex> lock( m_lock );
            if ( isRecording() )
            {
                recordCallback();
                recordAllEditedFilters();
            }
        }
        forward( [&] { m_inner.calculateOverlappingPairs( dispatcher ); } );
        const std::lock_guard<std::timed_mutex> lock( m_lock );
        if ( isRecording() )
        {
            m_events.beginEvent( CULLET_EVENT_STEP );
            m_events.putNumber( uint64_t( m_pairCache->getNumOverlappingPairs() ) );
            m_events.flushEachSecond();
        }
    }

    /// Recorded and forwarded.
    void resetPool( btDispatcher* dispatcher ) override
    {
        {
            const std::lock_guard<std::timed_mutex> lock( m_lock );
            if ( isRecording() )
            {
                m_events.beginEvent( CULLET_EVENT_RESET_POOL );
            }
        }
        m_inner.resetPool( dispatcher );
    }

private:
    static void putVector( CulletBits* bits, const btVector3& vector )
    {
        memcpy( bits, &vector.x(), 3 * sizeof( btScalar ) );
    }

    static void putBox( CulletBits* bits, const btVector3& aabbMin, const btVector3& aabbMax )
    {
        putVector( bits, aabbMin );
        putVector( bits + 3, aabbMax );
    }

    /// Only 0 and 1 are valid, because Bullet indexes two corners with the signs. Programs may leave them unset if
    /// their broadphase does not use them.
    static uint64_t packSigns( const unsigned int* signs )
    {
        return uint64_t( signs[0] != 0 ) | uint64_t( signs[1] != 0 ) << 1 | uint64_t( signs[2] != 0 ) << 2;
    }

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

    /// Runs `call`, a call of the inner broadphase, in which callbacks may call the recorder.
    template <typename Call>
    void forward( Call call )
    {
        ++m_callDepth;
        call();
        if ( --m_callDepth == 0 )
        {
            m_gone.resize( 0 );
        }
    }

    /// True if the proxy was destroyed, or its destruction has begun, within the current calls. Its address may belong
    /// to another one since.
    /// \param first  index in m_gone of the first destruction that counts
    bool isGone( const btBroadphaseProxy* proxy, int first ) const
    {
        for ( int i = first; i < m_gone.size(); ++i )
        {
            if ( m_gone[i] == proxy )
            {
                return true;
            }
        }
        return false;
    }

    void recordCreate( const btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax )
    {
        Known known = { proxy, m_createdCount++, proxy->m_collisionFilterGroup, proxy->m_collisionFilterMask, {} };
        putBox( known.m_box, aabbMin, aabbMax );
        m_events.beginEvent( CULLET_EVENT_CREATE );
        m_events.putSigned( known.m_group );
        m_events.putSigned( known.m_mask );
        m_events.putScalars( m_lastCreated, known.m_box, CULLET_RECORD_BOX_SCALARS );
        m_known.insert( btHashPtr( proxy ), known );
    }

    void recordMove( Known& known, const btVector3& aabbMin, const btVector3& aabbMax )
    {
        CulletBits box[CULLET_RECORD_BOX_SCALARS];
        putBox( box, aabbMin, aabbMax );
        m_events.beginEvent( CULLET_EVENT_MOVE );
        m_events.putProxy( known.m_number );
        m_events.putScalars( known.m_box, box, CULLET_RECORD_BOX_SCALARS );
    }

    void recordFilterIfEdited( Known& known )
    {
        const btBroadphaseProxy& proxy = *known.m_proxy;
        if ( known.m_group == proxy.m_collisionFilterGroup && known.m_mask == proxy.m_collisionFilterMask )
        {
            return;
        }
        known.m_group = proxy.m_collisionFilterGroup;
        known.m_mask = proxy.m_collisionFilterMask;
        m_events.beginEvent( CULLET_EVENT_FILTER );
        m_events.putProxy( known.m_number );
        m_events.putSigned( known.m_group );
        m_events.putSigned( known.m_mask );
    }

    /// Records edits also of proxies that did not move, because btDbvtBroadphase reads their filters if the other proxy
    /// of a pair moved.
    void recordAllEditedFilters()
    {
        for ( int i = 0; i < m_known.size(); ++i )
        {
            recordFilterIfEdited( *m_known.getAtIndex( i ) );
        }
    }

    void recordCallback()
    {
#if BT_BULLET_VERSION >= 305
        const bool hasCallback = m_pairCache->getOverlapFilterCallback() != 0;
#else
        const bool hasCallback = false; // pair caches before 3.05 cannot be asked
#endif
        if ( hasCallback != m_hasCallback )
        {
            m_hasCallback = hasCallback;
            m_events.beginEvent( CULLET_EVENT_CALLBACK );
            m_events.putNumber( hasCallback );
        }
    }

    btOverlappingPairCache* m_pairCache; ///< read once, because getOverlappingPairCache makes cullet search for pairs
    CulletEventWriter m_events;
    std::timed_mutex m_lock;
    btHashMap<btHashPtr, Known> m_known;
    btAlignedObjectArray<const btBroadphaseProxy*> m_gone; ///< destroyed within the current calls, in order
    uint64_t m_createdCount;
    int m_callDepth;    ///< calls that are being forwarded
    bool m_hasCallback; ///< the last recorded value
    bool m_isClosed;
    CulletBits m_lastCreated[CULLET_RECORD_BOX_SCALARS];
    CulletBits m_lastBoxQuery[CULLET_RECORD_BOX_SCALARS];
    CulletBits m_lastRay[CULLET_RECORD_RAY_SCALARS];
};

#endif
