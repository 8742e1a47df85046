// SPDX-License-Identifier: Zlib
/// \file CulletVerifier.cpp A rejected pair appears when one of its boxes changes and the filter then accepts it, not
/// when the filter alone changes its answer. So a pair counts as missing only if a box of it was set in this step, or
/// if it existed in the last step.

#include "CulletVerifier.h"

#include "broadphase/CulletBox.h"

#include <algorithm>
#include <stdio.h>

namespace
{
const int NO_FILTER = -1; // as group and mask: accepts all

std::atomic<int> stepCount;
std::atomic<int> wrongStepCount;
std::atomic<int> queryCount;
std::atomic<int> wrongQueryCount;

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

int idOf( const btBroadphaseProxy* proxy )
{
    return proxy ? proxy->m_uniqueId : 0;
}
} // namespace

CulletVerifier::CulletVerifier( btBroadphaseInterface& inner, const CulletBullet& bullet, int number )
    : CulletForwarder( inner ), m_bullet( bullet ), m_number( number ), m_twin( bullet, dbvtArguments() )
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
    const bool isDue = wasChanged( pair.m_pProxy0 ) || wasChanged( pair.m_pProxy1 ) || hasPair( m_previousPairs, pair );
    return isDue && culletOverlap( pair ) && !hasPair( m_pairs, pair ) &&
           m_inner.getOverlappingPairCache()->needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 );
}

/// Must be called before findMissing, because this sorts the pairs.
CulletVerifier::WrongPairs CulletVerifier::findExtra( const btBroadphasePairArray& pairs )
{
    WrongPairs extra;
    m_pairs.swap( m_previousPairs );
    m_pairs.clear();
    for ( int i = 0; i < pairs.size(); ++i )
    {
        m_pairs.push_back( pairOf( pairs[i] ) );
        if ( isExtra( pairs[i] ) )
        {
            extra.add( m_pairs.back() );
        }
    }
    std::sort( m_pairs.begin(), m_pairs.end() );
    for ( size_t i = 1; i < m_pairs.size(); ++i )
    {
        if ( m_pairs[i] == m_pairs[i - 1] ) // a duplicate
        {
            extra.add( m_pairs[i] );
        }
    }
    return extra;
}

CulletVerifier::WrongPairs CulletVerifier::findMissing()
{
    WrongPairs missing;
    const btBroadphasePairArray& known = m_twin.getCache().getOverlappingPairArray();
    for ( int i = 0; i < known.size(); ++i )
    {
        const btBroadphasePair pair( *originalOf( known[i].m_pProxy0 ), *originalOf( known[i].m_pProxy1 ) );
        if ( isMissing( pair ) )
        {
            missing.add( pairOf( pair ) );
        }
    }
    return missing;
}

void CulletVerifier::compare()
{
    btOverlappingPairCache* cache = m_inner.getOverlappingPairCache();
    const WrongPairs extra = findExtra( cache->getOverlappingPairArray() );
    // A btNullPairCache or a program's own cache may hold no pairs.
    const bool holdsPairs = !cache->hasDeferredRemoval() || dynamic_cast<btSortedOverlappingPairCache*>( cache );
    const WrongPairs missing = holdsPairs ? findMissing() : WrongPairs();
    wrongStepCount += extra.m_count > 0 || missing.m_count > 0;
    complainOfPairs( "pairs more than there are", extra );
    complainOfPairs( "pairs missing", missing );
}

void CulletVerifier::complainOfPairs( const char* what, const WrongPairs& pairs )
{
    const auto bodies = std::minmax( { idOf( pairs.m_first.first ), idOf( pairs.m_first.second ) } );
    complain( "step", m_step + 1, what, pairs.m_count, bodies.first, bodies.second );
}

/// \return the number of the query in this broadphase
int CulletVerifier::countQuery( bool isWrong )
{
    ++queryCount;
    wrongQueryCount += isWrong;
    return ++m_queryCount;
}

/// Reports only the first error.
/// \param body, other  ids of a wrong pair, or the id of a body and 0
void CulletVerifier::complain( const char* when, int number, const char* what, int count, int body, int other )
{
    if ( count == 0 || m_hasComplained.exchange( true ) )
    {
        return;
    }
    char bodies[50];
    snprintf( bodies, sizeof( bodies ), other ? "bodies %d and %d" : "body %d", body, other );
    char text[200];
    snprintf( text, sizeof( text ), "verify: broadphase %d, %s %d: %d %s, %s for example", m_number, when, number,
              count, what, bodies );
    m_bullet.say( text );
}

bool CulletVerifier::hasComparedNothing()
{
    return stepCount == 0 && queryCount == 0;
}

void CulletVerifier::forgetCounts()
{
    stepCount = wrongStepCount = queryCount = wrongQueryCount = 0;
}

bool CulletVerifier::sayVerdict( const CulletBullet& bullet )
{
    const int wrongCount = wrongStepCount + wrongQueryCount;
    char text[200];
    snprintf( text, sizeof( text ), "verify: %d steps and %d queries compared, %d wrong", stepCount.load(),
              queryCount.load(), wrongCount );
    bullet.say( text );
    return wrongCount == 0;
}
