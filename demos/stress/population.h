// SPDX-License-Identifier: Zlib
/// \file population.h
/// The bodies of the world: the tester's own copy of everything that was told to the broadphase.
#ifndef CLT_STRESS_POPULATION_H
#define CLT_STRESS_POPULATION_H

#include "demos/oracle/oracle.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"

#include <memory>
#include <unordered_map>
#include <utility>

namespace cullet::stress
{

constexpr cltPrecision bulletPrecision =
    sizeof( btScalar ) == sizeof( double ) ? clt_precisionDouble : clt_precisionFloat;

inline btVector3 vectorOf( const double* coordinates )
{
    return btVector3( btScalar( coordinates[0] ), btScalar( coordinates[1] ), btScalar( coordinates[2] ) );
}

/// What the application hands over as client object.
enum class Client
{
    none,
    object, ///< a btCollisionObject
    ghost   ///< a btGhostObject, of which Bullet's applications expect pairs at once
};

struct Body
{
    btBroadphaseProxy* proxy;
    std::uint32_t uid;
    cltAabbD box; ///< in Bullet's precision
    cltFilter filter;
    Client client;
    bool isForgotten;      ///< the filter was edited, and the box not set since
    std::uint64_t born;    ///< the step of its creation
    std::uint64_t lastSet; ///< the last step in which setAabb was called for it, or it was created
};

inline PairKey pairOf( const Body& a, const Body& b )
{
    return pairKey( a.uid, b.uid );
}

class Population
{
public:
    /// The body stays where it is until it is removed.
    Body& add( const Body& body )
    {
        m_bodies.push_back( std::make_unique<Body>( body ) );
        m_ofProxy[body.proxy] = m_ofUid[body.uid] = m_bodies.back().get();
        return *m_bodies.back();
    }

    /// The last body takes its index.
    void remove( std::size_t index )
    {
        m_ofProxy.erase( m_bodies[index]->proxy );
        m_ofUid.erase( m_bodies[index]->uid );
        std::swap( m_bodies[index], m_bodies.back() );
        m_bodies.pop_back();
    }

    std::size_t size() const
    {
        return m_bodies.size();
    }

    Body& operator[]( std::size_t index ) const
    {
        return *m_bodies[index];
    }

    /// NULL if no living body has that proxy, which is not read.
    Body* find( const btBroadphaseProxy* proxy ) const
    {
        const auto found = m_ofProxy.find( proxy );
        return found == m_ofProxy.end() ? nullptr : found->second;
    }

    /// NULL if no living body has that uid.
    Body* find( std::uint32_t uid ) const
    {
        const auto found = m_ofUid.find( uid );
        return found == m_ofUid.end() ? nullptr : found->second;
    }

private:
    std::vector<std::unique_ptr<Body>> m_bodies;
    std::unordered_map<const btBroadphaseProxy*, Body*> m_ofProxy;
    std::unordered_map<std::uint32_t, Body*> m_ofUid;
};

} // namespace cullet::stress

#endif
