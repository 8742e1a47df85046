// SPDX-License-Identifier: Zlib
/// \file CulletRecorder.cpp
/// Each call is recorded and forwarded. A destruction is recorded first, while the proxy still exists.

#include "CulletRecorder.h"

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

namespace
{
void putVector( CulletBits* bits, const btVector3& vector )
{
    memcpy( bits, &vector.x(), 3 * sizeof( btScalar ) );
}

void putBox( CulletBits* bits, const btVector3& aabbMin, const btVector3& aabbMax )
{
    putVector( bits, aabbMin );
    putVector( bits + 3, aabbMax );
}

/// Only 0 and 1 are valid, because Bullet indexes two corners with them. Callbacks for broadphases that do not use them
/// leave them unset.
uint64_t packSigns( const unsigned int* signs )
{
    return uint64_t( signs[0] != 0 ) | uint64_t( signs[1] != 0 ) << 1 | uint64_t( signs[2] != 0 ) << 2;
}
} // namespace

// ------------------------------------------------------------------------------------------------------ begin and end

CulletRecorder::CulletRecorder( btBroadphaseInterface* broadphase, CulletRecordSink* sink )
    : CulletForwarder( *broadphase ), m_pairCache( broadphase->getOverlappingPairCache() ), m_events( sink ),
      m_createdCount( 0 ), m_hasCallback( false ), m_isClosed( false ), m_lastCreated(), m_lastBoxQuery(), m_lastRay()
{
}

CulletRecorder::~CulletRecorder()
{
    close();
}

bool CulletRecorder::close()
{
    if ( !m_isClosed )
    {
        m_isClosed = true;
        m_events.finish();
    }
    return m_events.isGood();
}

// ------------------------------------------------------------------------------------------------------------ proxies

btBroadphaseProxy* CulletRecorder::createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType,
                                                void* userPtr, int collisionFilterGroup, int collisionFilterMask,
                                                btDispatcher* dispatcher )
{
    btBroadphaseProxy* proxy = m_inner.createProxy( aabbMin, aabbMax, shapeType, userPtr, collisionFilterGroup,
                                                    collisionFilterMask, dispatcher );
    if ( proxy && isRecording() ) // btSimpleBroadphase returns NULL when it is full
    {
        recordCreate( proxy, aabbMin, aabbMax );
    }
    return proxy;
}

void CulletRecorder::destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    const Known* known = m_known.find( btHashPtr( proxy ) );
    if ( known && isRecording() )
    {
        m_events.beginEvent( CULLET_EVENT_DESTROY );
        m_events.putProxy( known->m_number );
        m_known.remove( btHashPtr( proxy ) );
    }
    m_inner.destroyProxy( proxy, dispatcher );
}

void CulletRecorder::setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                              btDispatcher* dispatcher )
{
    if ( isRecording() )
    {
        Known* known = m_known.find( btHashPtr( proxy ) );
        if ( known )
        {
            recordFilterIfEdited( *known );
            recordMove( *known, aabbMin, aabbMax );
        }
        else
        {
            recordCreate( proxy, aabbMin, aabbMax );
        }
    }
    m_inner.setAabb( proxy, aabbMin, aabbMax, dispatcher );
}

void CulletRecorder::recordCreate( const btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax )
{
    Known known = { proxy, m_createdCount++, proxy->m_collisionFilterGroup, proxy->m_collisionFilterMask, {} };
    putBox( known.m_box, aabbMin, aabbMax );
    m_events.beginEvent( CULLET_EVENT_CREATE );
    m_events.putSigned( known.m_group );
    m_events.putSigned( known.m_mask );
    m_events.putScalars( m_lastCreated, known.m_box, CULLET_RECORD_BOX_SCALARS );
    m_known.insert( btHashPtr( proxy ), known );
}

void CulletRecorder::recordMove( Known& known, const btVector3& aabbMin, const btVector3& aabbMax )
{
    CulletBits box[CULLET_RECORD_BOX_SCALARS];
    putBox( box, aabbMin, aabbMax );
    m_events.beginEvent( CULLET_EVENT_MOVE );
    m_events.putProxy( known.m_number );
    m_events.putScalars( known.m_box, box, CULLET_RECORD_BOX_SCALARS );
}

// ------------------------------------------------------------------------------------------------------------- filters

void CulletRecorder::recordFilterIfEdited( Known& known )
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

/// Also of proxies that did not move, because btDbvtBroadphase reads their filters if the other proxy of a pair moved.
void CulletRecorder::recordAllEditedFilters()
{
    for ( int i = 0; i < m_known.size(); ++i )
    {
        recordFilterIfEdited( *m_known.getAtIndex( i ) );
    }
}

void CulletRecorder::recordCallback()
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

// --------------------------------------------------------------------------------------------------- pairs and queries

void CulletRecorder::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    if ( isRecording() )
    {
        recordCallback();
        recordAllEditedFilters();
    }
    m_inner.calculateOverlappingPairs( dispatcher );
    if ( isRecording() )
    {
        m_events.beginEvent( CULLET_EVENT_STEP );
        m_events.putNumber( uint64_t( m_pairCache->getNumOverlappingPairs() ) );
    }
}

void CulletRecorder::rayTest( const btVector3& rayFrom, const btVector3& rayTo, btBroadphaseRayCallback& rayCallback,
                              const btVector3& aabbMin, const btVector3& aabbMax )
{
    CulletBits ray[CULLET_RECORD_RAY_SCALARS];
    putVector( ray, rayFrom );
    putVector( ray + 3, rayTo );
    putVector( ray + 6, rayCallback.m_rayDirectionInverse );
    memcpy( ray + 9, &rayCallback.m_lambda_max, sizeof( btScalar ) );
    putBox( ray + 10, aabbMin, aabbMax );
    {
        const std::lock_guard<std::mutex> lock( m_queryLock );
        if ( isRecording() )
        {
            m_events.beginEvent( CULLET_EVENT_RAY );
            m_events.putNumber( packSigns( rayCallback.m_signs ) );
            m_events.putScalars( m_lastRay, ray, CULLET_RECORD_RAY_SCALARS );
        }
    } // unlocks before the callback runs, because that may query again
    m_inner.rayTest( rayFrom, rayTo, rayCallback, aabbMin, aabbMax );
}

void CulletRecorder::aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback )
{
    CulletBits box[CULLET_RECORD_BOX_SCALARS];
    putBox( box, aabbMin, aabbMax );
    {
        const std::lock_guard<std::mutex> lock( m_queryLock );
        if ( isRecording() )
        {
            m_events.beginEvent( CULLET_EVENT_BOX_QUERY );
            m_events.putScalars( m_lastBoxQuery, box, CULLET_RECORD_BOX_SCALARS );
        }
    }
    m_inner.aabbTest( aabbMin, aabbMax, callback );
}

void CulletRecorder::resetPool( btDispatcher* dispatcher )
{
    if ( isRecording() )
    {
        m_events.beginEvent( CULLET_EVENT_RESET_POOL );
    }
    m_inner.resetPool( dispatcher );
}
