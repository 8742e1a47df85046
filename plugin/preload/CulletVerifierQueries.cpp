// SPDX-License-Identifier: Zlib
/// \file CulletVerifierQueries.cpp
/// Verifies ray and box queries. The twin runs the query first. Its fat boxes give a superset of the required hits, and
/// cullet must report all required ones. Every box that cullet reports must be hit if enlarged by gDbvtMargin. The
/// program's callback may destroy proxies, so no proxy is read after it ran.

#include "CulletVerifier.h"

#include "broadphase/CulletBox.h"

#include "LinearMath/btAabbUtil2.h"

#include <unordered_set>

extern btScalar gDbvtMargin;

namespace
{
/// The number of wrong bodies, and the id of the first.
struct WrongBodies
{
    int m_count = 0;
    int m_body = 0;

    void add( int body )
    {
        m_body = m_count++ == 0 ? body : m_body;
    }
};

/// Collects from the twin's results the proxies that cullet must report. Copies the program's callback, which contains
/// the direction of a ray.
template <typename Callback, typename Meets>
struct RequiredHits : public Callback
{
    Meets m_meets;
    std::vector<std::pair<const btBroadphaseProxy*, int>> m_required; ///< with their ids

    RequiredHits( const Callback& callback, Meets meets ) : Callback( callback ), m_meets( meets )
    {
    }

    /// A box with a NaN is never hit, but Bullet's formulas may say so.
    bool process( const btBroadphaseProxy* twin ) override
    {
        const btBroadphaseProxy* proxy = static_cast<const btBroadphaseProxy*>( twin->m_clientObject );
        if ( !culletHasNan( proxy->m_aabbMin, proxy->m_aabbMax ) && m_meets( *proxy, btScalar( 0 ) ) )
        {
            m_required.push_back( { proxy, proxy->m_uniqueId } );
        }
        return true;
    }
};

/// Checks each reported proxy and forwards it to the program's callback.
template <typename Callback, typename Meets>
struct CheckedHits : public Callback
{
    Callback& m_callback;
    Meets m_meets;
    std::unordered_set<const btBroadphaseProxy*> m_reported;
    WrongBodies m_extra;

    CheckedHits( Callback& callback, Meets meets ) : Callback( callback ), m_callback( callback ), m_meets( meets )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        if ( !m_reported.insert( proxy ).second || !m_meets( *proxy, gDbvtMargin ) )
        {
            m_extra.add( proxy->m_uniqueId );
        }
        return m_callback.process( proxy );
    }
};
} // namespace

/// \param ask    ( broadphase, callback ): runs the program's query on it
/// \param meets  ( proxy, margin ): whether the query, enlarged by the margin, hits the proxy's box
template <typename Callback, typename Ask, typename Meets>
void CulletVerifier::compareQuery( Callback& callback, Ask ask, Meets meets )
{
    RequiredHits<Callback, Meets> hits( callback, meets );
    ask( m_twin.get(), hits );
    CheckedHits<Callback, Meets> checked( callback, meets );
    ask( m_inner, checked );
    WrongBodies missing;
    for ( const auto& required : hits.m_required )
    {
        if ( checked.m_reported.count( required.first ) == 0 )
        {
            missing.add( required.second );
        }
    }
    const int query = countQuery( checked.m_extra.m_count > 0 || missing.m_count > 0 );
    complain( "query", query, "bodies more than it meets", checked.m_extra.m_count, checked.m_extra.m_body );
    complain( "query", query, "bodies missing", missing.m_count, missing.m_body );
}

void CulletVerifier::aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback )
{
    compareQuery(
        callback,
        [&]( btBroadphaseInterface& broadphase, btBroadphaseAabbCallback& asking )
        { broadphase.aabbTest( aabbMin, aabbMax, asking ); },
        [&]( const btBroadphaseProxy& proxy, btScalar margin )
        {
            const btVector3 grown( margin, margin, margin );
            return TestAabbAgainstAabb2( aabbMin - grown, aabbMax + grown, proxy.m_aabbMin, proxy.m_aabbMax );
        } );
}

void CulletVerifier::rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                              const btVector3& aabbMin, const btVector3& aabbMax )
{
    const btVector3 inverse = callback.m_rayDirectionInverse;
    const unsigned signs[3] = { callback.m_signs[0], callback.m_signs[1], callback.m_signs[2] };
    const btScalar length = callback.m_lambda_max;
    compareQuery(
        callback,
        [&]( btBroadphaseInterface& broadphase, btBroadphaseRayCallback& asking )
        { broadphase.rayTest( from, to, asking, aabbMin, aabbMax ); },
        [&]( const btBroadphaseProxy& proxy, btScalar margin )
        {
            const btVector3 grown( margin, margin, margin );
            const btVector3 bounds[2] = { proxy.m_aabbMin - ( aabbMax + grown ),
                                          proxy.m_aabbMax - ( aabbMin - grown ) };
            btScalar enter;
            return btRayAabb2( from, inverse, signs, bounds, enter, 0, length );
        } );
}
