// SPDX-License-Identifier: Zlib
/// \file CulletVerifierQueries.cpp
/// Rays and boxes. Bullet's broadphase beside is asked first: its fat boxes meet all that the boxes as they were given
/// meet, and of these cullet must tell. While it tells, nobody may be named whose box, grown by gDbvtMargin, is not
/// met. A program's callback may do what it likes, so no proxy is looked at after it.

#include "CulletVerifier.h"

#include "broadphase/CulletBox.h"

#include "LinearMath/btAabbUtil2.h"

#include <unordered_set>

extern btScalar gDbvtMargin;

namespace
{
/// How many bodies are wrong, and the id of one.
struct Wrong
{
    int m_count = 0;
    int m_body = 0;

    void add( int body )
    {
        m_body = m_count++ == 0 ? body : m_body;
    }
};

/// Whom cullet must tell of, out of what Bullet's broadphase tells. A ray's is a copy of the program's callback as it
/// was before.
template <typename Callback, typename Meets>
struct Known : public Callback
{
    Meets m_meets;
    std::vector<std::pair<const btBroadphaseProxy*, int>> m_due; ///< and their ids

    Known( const Callback& callback, Meets meets ) : Callback( callback ), m_meets( meets )
    {
    }

    /// A box with a NaN meets nothing, but Bullet's formulas may say that it does.
    bool process( const btBroadphaseProxy* twin ) override
    {
        const btBroadphaseProxy* proxy = static_cast<const btBroadphaseProxy*>( twin->m_clientObject );
        if ( !culletHasNan( proxy->m_aabbMin, proxy->m_aabbMax ) && m_meets( *proxy, btScalar( 0 ) ) )
        {
            m_due.push_back( { proxy, proxy->m_uniqueId } );
        }
        return true;
    }
};

/// Stands before the program's callback.
template <typename Callback, typename Meets>
struct Witness : public Callback
{
    Callback& m_callback;
    Meets m_meets;
    std::unordered_set<const btBroadphaseProxy*> m_told;
    Wrong m_extra;

    Witness( Callback& callback, Meets meets ) : Callback( callback ), m_callback( callback ), m_meets( meets )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        if ( !m_told.insert( proxy ).second || !m_meets( *proxy, gDbvtMargin ) )
        {
            m_extra.add( proxy->m_uniqueId );
        }
        return m_callback.process( proxy );
    }
};
} // namespace

/// \param ask    ( broadphase, callback ): asks it what the program asks
/// \param meets  ( proxy, margin ): whether what is asked for, grown by the margin, meets the proxy's box
template <typename Callback, typename Ask, typename Meets>
void CulletVerifier::compareQuery( Callback& callback, Ask ask, Meets meets )
{
    Known<Callback, Meets> known( callback, meets );
    ask( m_twin.get(), known );
    Witness<Callback, Meets> witness( callback, meets );
    ask( m_inner, witness );
    Wrong missing;
    for ( const auto& due : known.m_due )
    {
        if ( witness.m_told.count( due.first ) == 0 )
        {
            missing.add( due.second );
        }
    }
    const int query = countQuery( witness.m_extra.m_count > 0 || missing.m_count > 0 );
    complain( "query", query, "bodies more than it meets", witness.m_extra.m_count, witness.m_extra.m_body );
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
