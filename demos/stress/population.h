// SPDX-License-Identifier: Zlib
/// \file population.h
/// The bodies of the world: the test's own copy of all boxes and filters that the broadphase received. Also the rule by
/// which filters accept pairs.
#ifndef CLT_STRESS_POPULATION_H
#define CLT_STRESS_POPULATION_H

#include "demos/oracle/oracle.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include <memory>
#include <unordered_map>
#include <utility>

namespace cullet::stress
{

inline btVector3 vectorOf( const double* coordinates )
{
    return btVector3( btScalar( coordinates[0] ), btScalar( coordinates[1] ), btScalar( coordinates[2] ) );
}

/// The data that filters read.
struct FilterData
{
    std::uint32_t uid;
    cltFilter filter;
};

struct Body : FilterData
{
    btBroadphaseProxy* proxy;
    cltAabbD box;          ///< in Bullet's precision
    bool isGhost;          ///< its client object is a btGhostObject: applications expect its pairs at once
    std::uint64_t born;    ///< the step of its creation
    std::uint64_t lastSet; ///< the last step in which its box changed, its edited filter was read, or it was created
    bool isFilterUnread;   ///< group or mask was edited after the last setAabb
    bool wasFilterUnread;  ///< the same at the last check
};

class Population
{
public:
    /// The returned reference stays valid until the body is removed.
    Body& add( const Body& body )
    {
        m_bodies.push_back( std::make_unique<Body>( body ) );
        m_ofProxy[body.proxy] = m_ofUid[body.uid] = m_bodies.back().get();
        return *m_bodies.back();
    }

    /// Removes a body. The last body gets its index.
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

    /// The body with that proxy; NULL if no living body has it. Does not read the proxy.
    Body* find( const btBroadphaseProxy* proxy ) const
    {
        const auto found = m_ofProxy.find( proxy );
        return found == m_ofProxy.end() ? nullptr : found->second;
    }

    /// The body with that uid; NULL if no living body has it.
    Body* find( std::uint32_t uid ) const
    {
        const auto found = m_ofUid.find( uid );
        return found == m_ofUid.end() ? nullptr : found->second;
    }

    /// Both bodies of a pair, the smaller uid first.
    std::pair<Body*, Body*> findBoth( PairKey key ) const
    {
        return { find( smallerOf( key ) ), find( largerOf( key ) ) };
    }

private:
    std::vector<std::unique_ptr<Body>> m_bodies;
    std::unordered_map<const btBroadphaseProxy*, Body*> m_ofProxy;
    std::unordered_map<std::uint32_t, Body*> m_ofUid;
};

/// An application's filter callback: accepts a pair if one body's mask has a bit of the other's group, as in pybullet.
/// Also rejects a third of the pairs, selected by uid. Reads the current filters of the proxies.
class FilterCallback : public btOverlapFilterCallback
{
public:
    /// \param rejectedThird  0, 1 or 2: which of three groups of pairs is rejected
    explicit FilterCallback( unsigned rejectedThird ) : m_rejectedThird( rejectedThird )
    {
    }

    bool mayPair( const FilterData& a, const FilterData& b ) const
    {
        const bool meets = ( a.filter.group & b.filter.mask ) != 0 || ( b.filter.group & a.filter.mask ) != 0;
        return meets && ( std::uint64_t( a.uid ) + b.uid ) % 3 != m_rejectedThird;
    }

    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        return mayPair( filterDataOf( *proxy0 ), filterDataOf( *proxy1 ) );
    }

private:
    static FilterData filterDataOf( const btBroadphaseProxy& proxy )
    {
        const cltFilter filter = { proxy.m_collisionFilterGroup, proxy.m_collisionFilterMask };
        return { std::uint32_t( proxy.m_uniqueId ), filter };
    }

    unsigned m_rejectedThird;
};

/// \param callback  NULL for Bullet's own rule
inline bool mayPair( const FilterCallback* callback, const FilterData& a, const FilterData& b )
{
    return callback != nullptr ? callback->mayPair( a, b ) : cullet::mayPair( a.filter, b.filter );
}

} // namespace cullet::stress

#endif
