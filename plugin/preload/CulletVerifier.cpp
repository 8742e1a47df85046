// SPDX-License-Identifier: Zlib
/// \file CulletVerifier.cpp
/// A pair that was refused comes when a box of it changes and the filter then lets it in, not when the filter alone
/// changes its mind. So only pairs count as missing of which a box was given in this step, or that were there before.

#include "CulletVerifier.h"

#include "CulletBox.h"

#include <algorithm>
#include <atomic>
#include <stdio.h>

namespace
{
const int NO_FILTER = -1; // as a group and as a mask: meets all

std::atomic<int> stepCount;
std::atomic<int> wrongStepCount;

CulletArguments dbvtArguments()
{
    CulletArguments arguments = CulletArguments();
    arguments.kind = culletKindDbvt;
    return arguments;
}

btBroadphaseProxy* originalOf( const btBroadphaseProxy* twin )
{
    return static_cast<btBroadphaseProxy*>( twin->m_clientObject );
}
} // namespace

CulletVerifier::CulletVerifier( btBroadphaseInterface& inner, const CulletBullet& bullet, int number )
    : CulletPassOn( inner ), m_bullet( bullet ), m_number( number ), m_twin( bullet, dbvtArguments() )
{
}

btBroadphaseProxy* CulletVerifier::createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType,
                                                void* userPtr, int group, int mask, btDispatcher* dispatcher )
{
    btBroadphaseProxy* proxy = m_inner.createProxy( aabbMin, aabbMax, shapeType, userPtr, group, mask, dispatcher );
    m_twin.remember( proxy, m_twin.create( proxy, proxy, NO_FILTER, NO_FILTER ) );
    m_changes[proxy] = m_step;
    return proxy;
}

void CulletVerifier::destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    m_twin.destroy( m_twin.forget( proxy ) );
    m_changes.erase( proxy );
    m_inner.destroyProxy( proxy, dispatcher );
}

void CulletVerifier::setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                              btDispatcher* dispatcher )
{
    const bool isOther = culletDifference( proxy->m_aabbMin, aabbMin ) | culletDifference( proxy->m_aabbMax, aabbMax );
    m_inner.setAabb( proxy, aabbMin, aabbMax, dispatcher );
    if ( isOther )
    {
        m_changes[proxy] = m_step;
        m_twin.set( m_twin.of( proxy ), aabbMin, aabbMax );
    }
}

void CulletVerifier::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    m_inner.calculateOverlappingPairs( dispatcher );
    m_twin.calculate();
    compare();
    ++m_step;
    ++stepCount;
}

// --------------------------------------------------------------------------------------------------------- comparison

CulletVerifier::Pair CulletVerifier::pairOf( const btBroadphasePair& pair )
{
    return std::minmax<const btBroadphaseProxy*>( pair.m_pProxy0, pair.m_pProxy1 );
}

bool CulletVerifier::hasPair( const std::vector<Pair>& pairs, const btBroadphasePair& pair ) const
{
    return std::binary_search( pairs.begin(), pairs.end(), pairOf( pair ) );
}

bool CulletVerifier::isExtra( const btBroadphasePair& pair )
{
    btBroadphaseProxy* twin0 = m_twin.of( pair.m_pProxy0 );
    btBroadphaseProxy* twin1 = m_twin.of( pair.m_pProxy1 );
    return !twin0 || !twin1 || !culletOverlap( pair ) || !m_twin.getCache().findPair( twin0, twin1 );
}

bool CulletVerifier::wasChanged( const btBroadphaseProxy* proxy ) const
{
    const auto found = m_changes.find( proxy );
    return found != m_changes.end() && found->second == m_step;
}

bool CulletVerifier::isMissing( const btBroadphasePair& pair )
{
    const bool isDue = wasChanged( pair.m_pProxy0 ) || wasChanged( pair.m_pProxy1 ) || hasPair( m_pairsBefore, pair );
    return isDue && culletOverlap( pair ) && !hasPair( m_pairs, pair ) &&
           m_inner.getOverlappingPairCache()->needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 );
}

void CulletVerifier::compare()
{
    btOverlappingPairCache* cache = m_inner.getOverlappingPairCache();
    const btBroadphasePairArray& pairs = cache->getOverlappingPairArray();
    m_pairs.swap( m_pairsBefore );
    m_pairs.clear();
    btBroadphasePair firstExtra;
    int extraCount = 0;
    for ( int i = 0; i < pairs.size(); ++i )
    {
        m_pairs.push_back( pairOf( pairs[i] ) );
        if ( isExtra( pairs[i] ) && extraCount++ == 0 )
        {
            firstExtra = pairs[i];
        }
    }
    std::sort( m_pairs.begin(), m_pairs.end() );
    extraCount += int( m_pairs.end() - std::unique( m_pairs.begin(), m_pairs.end() ) ); // one that is there twice

    btBroadphasePair firstMissing;
    int missingCount = 0;
    const btBroadphasePairArray& known = m_twin.getCache().getOverlappingPairArray();
    for ( int i = 0; i < known.size() && !cache->hasDeferredRemoval(); ++i ) // such a cache may hold none at all
    {
        const btBroadphasePair pair( *originalOf( known[i].m_pProxy0 ), *originalOf( known[i].m_pProxy1 ) );
        if ( isMissing( pair ) && missingCount++ == 0 )
        {
            firstMissing = pair;
        }
    }
    wrongStepCount += extraCount > 0 || missingCount > 0;
    complain( "more than there are", extraCount, firstExtra );
    complain( "missing", missingCount, firstMissing );
}

/// The first step that is wrong is enough.
void CulletVerifier::complain( const char* what, int count, const btBroadphasePair& first )
{
    if ( count == 0 || m_hasComplained )
    {
        return;
    }
    m_hasComplained = true;
    char text[200];
    snprintf( text, sizeof( text ), "verify: broadphase %d, step %d: %d pairs %s, of bodies %d and %d for example",
              m_number, m_step + 1, count, what, first.m_pProxy0 ? first.m_pProxy0->m_uniqueId : 0,
              first.m_pProxy1 ? first.m_pProxy1->m_uniqueId : 0 );
    m_bullet.say( text );
}

void CulletVerifier::sayVerdict( const CulletBullet& bullet )
{
    char text[200];
    snprintf( text, sizeof( text ), "verify: %d steps compared, %d wrong", stepCount.load(), wrongStepCount.load() );
    bullet.say( text );
}
