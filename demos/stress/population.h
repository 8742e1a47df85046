// SPDX-License-Identifier: Zlib
/// \file population.h
/// The bodies of the world: the tester's own copy of everything that was told to the broadphase.
#ifndef CLT_STRESS_POPULATION_H
#define CLT_STRESS_POPULATION_H

#include "box.h"

#include "demos/oracle/pair_set.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

struct btBroadphaseProxy;

namespace cullet::stress
{

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
    int uid;
    Box box;
    int group;
    int mask;
    Client client;
    bool isForgotten;      ///< group or mask were edited, and it was not set since
    std::uint64_t born;    ///< the step of its creation
    std::uint64_t lastSet; ///< the last step in which setAabb was called for it, or it was created
};

/// Two uids.
using cullet::PairKey;

inline PairKey pairOf( const Body& a, const Body& b )
{
    return cullet::pairKey( std::uint32_t( a.uid ), std::uint32_t( b.uid ) );
}

class Population
{
public:
    /// The body stays where it is until it is removed.
    Body& add( const Body& body );

    /// The last body takes its index.
    void remove( std::size_t index );

    std::size_t size() const
    {
        return m_bodies.size();
    }

    Body& operator[]( std::size_t index )
    {
        return *m_bodies[index];
    }

    const Body& operator[]( std::size_t index ) const
    {
        return *m_bodies[index];
    }

    /// NULL if no living body has that proxy. The proxy is not read.
    Body* find( const btBroadphaseProxy* proxy ) const;

    /// NULL if no living body has that uid.
    Body* find( std::uint32_t uid ) const;

private:
    std::vector<std::unique_ptr<Body>> m_bodies;
    std::unordered_map<const btBroadphaseProxy*, Body*> m_ofProxy;
    std::unordered_map<std::uint32_t, Body*> m_ofUid;
};

/// The bodies of a pair, the one with the smaller uid first. NULL for those that are gone.
struct BodyPair
{
    const Body* a;
    const Body* b;
};

BodyPair bodiesOf( const Population& population, PairKey key );

} // namespace cullet::stress

#endif
