// SPDX-License-Identifier: Zlib
/// \file query_checks.cpp
/// Draws the queries and judges what comes back. Reported proxies are only compared and looked up until they are known
/// to live.
#include "query_checks.h"

#include "fault.h"
#include "ray.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h" // gDbvtMargin

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace cullet::stress
{

namespace
{

using Proxies = std::vector<const btBroadphaseProxy*>;

/// Notes every hit. Answers false to every other one, which must end nothing.
template <typename Callback>
struct Hits : Callback
{
    bool process( const btBroadphaseProxy* proxy ) override
    {
        proxies.push_back( proxy );
        return proxies.size() % 2 == 0;
    }

    Proxies proxies;
};

/// The margin is a global of Bullet's that applications set as they like.
class MarginFor
{
public:
    explicit MarginFor( btScalar margin ) : m_before( gDbvtMargin )
    {
        gDbvtMargin = margin;
    }

    ~MarginFor()
    {
        gDbvtMargin = m_before;
    }

    MarginFor( const MarginFor& ) = delete;
    MarginFor& operator=( const MarginFor& ) = delete;

private:
    btScalar m_before;
};

void requireLivingOnce( const char* what, const Population& population, const Proxies& ascending )
{
    for ( std::size_t k = 0; k < ascending.size(); ++k )
    {
        const Body* body = population.find( ascending[k] );
        if ( body == nullptr )
        {
            throw Fault( what, "reports a proxy that does not live" );
        }
        if ( k > 0 && ascending[k - 1] == ascending[k] )
        {
            throw Fault( what, fmt::format( "reports {} twice", body->uid ) );
        }
    }
}

/// Throws a Fault unless living proxies were reported, each at most once.
/// \param meets    a body with this box must be reported; one whose inflated box fails it must not
/// \param reportsAll  may report bodies that it does not meet
template <typename Meets>
void requireAnswer( const char* what, World& world, Proxies reported, bool reportsAll, Meets meets )
{
    const Population& population = world.population();
    world.tally().hits += reported.size();
    std::sort( reported.begin(), reported.end(), std::less<>() );
    requireLivingOnce( what, population, reported );
    for ( std::size_t index = 0; index < population.size(); ++index )
    {
        const Body& body = population[index];
        const bool isReported = std::binary_search( reported.begin(), reported.end(), body.proxy, std::less<>() );
        const bool isNan = hasNan( body.box );
        if ( !isReported && !isNan && meets( body.box ) )
        {
            throw Fault( what, fmt::format( "misses {}", body.uid ) );
        }
        const auto mayMeet = [&] { return meets( gDbvtMargin == 0 ? body.box : inflated( body.box, gDbvtMargin ) ); };
        const bool mayReport = isNan ? !world.promises().hidesNan : reportsAll || mayMeet();
        if ( isReported && !mayReport )
        {
            throw Fault( what, fmt::format( "reports {}, which is too far away", body.uid ) );
        }
    }
}

cltAabbD drawBox( const World& world, const Arena& arena, Random& random )
{
    if ( world.count() > 0 && random.oneIn( 3 ) )
    {
        const cltAabbD neighbor = world.boxOf( random.below( world.count() ) );
        return random.oneIn( 2 ) ? arena.odd( neighbor, random ) : neighbor;
    }
    if ( random.oneIn( 8 ) )
    {
        return arena.wide( random );
    }
    cltAabbD box;
    const std::array<double, 3> corner = arena.place( random );
    for ( std::size_t axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = btScalar( corner[axis] );
        box.upper[axis] = btScalar( corner[axis] + random.between( 0, 8 ) );
    }
    return box;
}

void checkBoxQuery( World& world, const Arena& arena, Random& random )
{
    const cltAabbD box = drawBox( world, arena, random );
    if ( hasNan( box ) )
    {
        return; // such a query has no meaning
    }
    ++world.tally().boxQueries;
    Hits<btBroadphaseAabbCallback> hits;
    world.broadphase().aabbTest( vectorOf( box.lower ), vectorOf( box.upper ), hits );
    requireAnswer( "wrong box query", world, hits.proxies, false,
                   [&]( const cltAabbD& body ) { return overlap( box, body ); } );
}

void checkRayQuery( World& world, const Arena& arena, Random& random )
{
    const Ray ray = drawRay( arena, random );
    ++world.tally().rayQueries;
    Hits<btBroadphaseRayCallback> hits;
    hits.m_rayDirectionInverse = ray.inverse;
    hits.m_lambda_max = ray.length;
    std::copy( ray.signs, ray.signs + 3, hits.m_signs );
    world.broadphase().rayTest( ray.from, ray.to, hits, ray.sweptLower, ray.sweptUpper );
    requireAnswer( "wrong ray query", world, hits.proxies, !world.promises().cullsRays,
                   [&]( const cltAabbD& body ) { return meets( ray, body ); } );
}

/// Exactly the last box set, whatever is in it.
void checkGetAabb( World& world, Random& random )
{
    const Body& body = world.population()[random.below( world.count() )];
    btVector3 lower;
    btVector3 upper;
    world.broadphase().getAabb( body.proxy, lower, upper );
    const cltAabbD box = { { lower.x(), lower.y(), lower.z() }, { upper.x(), upper.y(), upper.z() } };
    if ( std::memcmp( &box, &body.box, sizeof( box ) ) != 0 )
    {
        throw Fault( "wrong getAabb", fmt::format( "of {}", body.uid ) );
    }
}

} // namespace

void checkQueries( World& world, const Arena& arena, Random& random, int count )
{
    const MarginFor margin( random.oneIn( 2 ) ? btScalar( 0 ) : btScalar( 0.05 ) );
    for ( int k = 0; k < count; ++k )
    {
        checkBoxQuery( world, arena, random );
        checkRayQuery( world, arena, random );
        if ( world.count() > 0 )
        {
            checkGetAabb( world, random );
        }
    }
}

cltAabbD inflated( const cltAabbD& box, btScalar margin )
{
    constexpr btScalar farthest = std::numeric_limits<btScalar>::infinity();
    cltAabbD result;
    for ( int axis = 0; axis < 3; ++axis )
    {
        result.lower[axis] = std::nextafter( btScalar( box.lower[axis] ) - margin, -farthest );
        result.upper[axis] = std::nextafter( btScalar( box.upper[axis] ) + margin, farthest );
    }
    return result;
}

} // namespace cullet::stress
