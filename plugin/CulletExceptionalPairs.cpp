// SPDX-License-Identifier: Zlib
/// \file CulletExceptionalPairs.cpp
/// One entry a pair, with its state; and lists of what is due, which the entries have the last word on.

#include "CulletExceptionalPairs.h"

#include <algorithm>

CulletExceptionalPairs::CulletExceptionalPairs() : m_pairs( m_array ), m_turnedDownCount( 0 ), m_isAllDue( false )
{
}

void CulletExceptionalPairs::clear()
{
    m_due.resize( 0 );
    m_setAgain.resize( 0 );
    m_offered.resize( 0 );
    m_isAllDue = false;
}

void CulletExceptionalPairs::setState( const CulletProxyPair& pair, int state )
{
    const uint32_t hash = CulletPairArray::hashOf( pair );
    int place = m_pairs.find( pair, hash );
    if ( place == CulletPairArray::NONE )
    {
        place = m_pairs.append( pair, hash );
        m_pairs.at( place ).m_internalTmpValue = EDITED;
    }
    m_turnedDownCount -= isTurnedDown( place );
    m_pairs.at( place ).m_internalTmpValue = state;
    m_turnedDownCount += isTurnedDown( place );
}

void CulletExceptionalPairs::takeOut( int place )
{
    m_turnedDownCount -= isTurnedDown( place );
    m_pairs.takeOut( place );
}

void CulletExceptionalPairs::keep( const CulletProxyPair& pair )
{
    setState( pair, KEPT );
    m_due.push_back( CulletPairNote( pair ) );
}

void CulletExceptionalPairs::noteEdit( const CulletProxyPair& pair )
{
    setState( pair, EDITED );
    m_due.push_back( CulletPairNote( pair ) );
}

void CulletExceptionalPairs::turnDown( const CulletProxyPair& pair, uint32_t moment )
{
    setState( pair, int( moment ) );
}

bool CulletExceptionalPairs::wasTurnedDown( const CulletProxyPair& pair, uint32_t moment ) const
{
    const int place = isEmpty() ? CulletPairArray::NONE : m_pairs.find( pair );
    return place != CulletPairArray::NONE && uint32_t( m_pairs.at( place ).m_internalTmpValue ) == moment;
}

void CulletExceptionalPairs::settle( const CulletProxyPair* pairs, int count )
{
    for ( int i = 0; i < count && !isEmpty(); ++i )
    {
        const int place = m_pairs.find( pairs[i] );
        if ( place != CulletPairArray::NONE )
        {
            takeOut( place );
        }
    }
}

void CulletExceptionalPairs::forget( const CulletProxy* proxy )
{
    if ( isEmpty() )
    {
        return;
    }
    btAlignedObjectArray<int> places;
    m_pairs.listPairsOf( proxy, places );
    for ( int i = places.size() - 1; i >= 0; --i )
    {
        takeOut( places[i] ); // what fills the hole came from behind, where nothing of the proxy is left
    }
    m_pairs.forget( proxy );
}

void CulletExceptionalPairs::noteSetting( CulletProxy* proxy, int proxyCount )
{
    if ( m_isAllDue || !hasTurnedDown() || !m_pairs.hasPairs( proxy ) )
    {
        return;
    }
    m_setAgain.push_back( proxy );
    if ( m_setAgain.size() > proxyCount / 2 )
    {
        m_isAllDue = true; // one pass over all is faster than half of it looked up twice
        m_setAgain.resize( 0 );
    }
}

void CulletExceptionalPairs::takeDue( btAlignedObjectArray<CulletPairNote>& due )
{
    for ( int i = 0; i < m_due.size(); ++i )
    {
        const int place = m_due[i].isAlive() ? m_pairs.find( m_due[i].m_pair ) : int( CulletPairArray::NONE );
        if ( place != CulletPairArray::NONE && !isTurnedDown( place ) )
        {
            due.push_back( m_due[i] );
        }
    }
    m_due.resize( 0 );
}

void CulletExceptionalPairs::takeTurnedDown( btAlignedObjectArray<int>& places )
{
    for ( int i = 0; i < m_setAgain.size() && !m_isAllDue; ++i )
    {
        m_pairs.listPairsOf( m_setAgain[i], places );
    }
    for ( int i = 0; i < m_pairs.getCount() && m_isAllDue; ++i )
    {
        places.push_back( i );
    }
    if ( places.size() > 1 && !m_isAllDue ) // those of two proxies that were set are there twice
    {
        std::sort( &places[0], &places[0] + places.size() );
        places.resize( int( std::unique( &places[0], &places[0] + places.size() ) - &places[0] ) );
    }
    int count = 0;
    for ( int i = 0; i < places.size(); ++i )
    {
        places[count] = places[i];
        count += isTurnedDown( places[i] );
    }
    places.resize( count );
    m_setAgain.resize( 0 );
    m_isAllDue = false;
}
