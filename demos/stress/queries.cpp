// SPDX-License-Identifier: Zlib
/// \file queries.cpp
/// Makes random queries and checks their answers. Reported proxies are not read before they are known to be alive.
#include "world.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h" // gDbvtMargin
#include "LinearMath/btAabbUtil2.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

namespace cullet::stress
{

namespace
{

/// Counts the hits. Returns false for every second hit, which must not end the query.
template <typename Callback>
struct Counting : Callback
{
    bool process( const btBroadphaseProxy* proxy ) override
    {
        ++hits[proxy];
        return ++hitCount % 2 == 0;
    }

    std::unordered_map<const btBroadphaseProxy*, int> hits;
    std::size_t hitCount = 0;
};

struct BoxQuery : Counting<btBroadphaseAabbCallback>
{
    bool meets( const cltAabbD& body ) const
    {
        return overlap( box, body );
    }

    cltAabbD box;
};

/// A ray or a box swept along it, as btCollisionWorld casts them.
struct RayQuery : Counting<btBroadphaseRayCallback>
{
    /// Bullet's own btRayAabb2. A box that moves along a ray meets a body if the bare ray meets the body enlarged by
    /// the mirrored box.
    bool meets( const cltAabbD& body ) const
    {
        const btVector3 bounds[2] = { vectorOf( body.lower ) - sweptUpper, vectorOf( body.upper ) - sweptLower };
        btScalar entry;
        return btRayAabb2( from, m_rayDirectionInverse, m_signs, bounds, entry, 0, m_lambda_max );
    }

    btVector3 from;
    btVector3 to;
    btVector3 sweptLower; ///< the box that moves along the ray, relative to `from`; both corners 0 for a bare ray
    btVector3 sweptUpper;
};

/// Moves every face outwards by at least the margin in Bullet's precision, despite rounding.
cltAabbD inflated( const cltAabbD& box )
{
    constexpr btScalar farthest = std::numeric_limits<btScalar>::infinity();
    cltAabbD result;
    for ( int axis = 0; axis < 3; ++axis )
    {
        result.lower[axis] = std::nextafter( btScalar( box.lower[axis] ) - gDbvtMargin, -farthest );
        result.upper[axis] = std::nextafter( btScalar( box.upper[axis] ) + gDbvtMargin, farthest );
    }
    return result;
}

/// Throws a Fault unless the right proxies were reported, all alive, each at most once.
template <typename Query>
void requireAnswer( const char* what, World& world, Query& query )
{
    world.tally["hits of queries"] += query.hitCount;
    for ( std::size_t index = 0; index < world.count(); ++index )
    {
        const Body& body = world.population[index];
        const auto found = query.hits.find( body.proxy );
        const int times = found != query.hits.end() ? found->second : 0;
        const bool isNan = hasNan( body.box );
        if ( times == 0 && !isNan && query.meets( body.box ) )
        {
            throw Fault{ what, fmt::format( "misses {}", body.uid ) };
        }
        if ( times > 1 )
        {
            throw Fault{ what, fmt::format( "reports {} twice", body.uid ) };
        }
        const auto mayMeet = [&] { return query.meets( gDbvtMargin == 0 ? body.box : inflated( body.box ) ); };
        if ( times == 1 &&
             !( isNan ? world.cullet == nullptr : mayMeet() ) ) // Bullet's broadphases report boxes with a NaN
        {
            throw Fault{ what, fmt::format( "reports {}, which is too far away", body.uid ) };
        }
        query.hits.erase( body.proxy );
    }
    if ( !query.hits.empty() )
    {
        throw Fault{ what, "reports a proxy that does not live" };
    }
}

cltAabbD drawBox( const World& world, const Arena& arena, Random& random )
{
    if ( world.count() > 0 && random.oneIn( 3 ) )
    {
        const cltAabbD neighbour = world.boxOf( random.below( world.count() ) );
        return random.oneIn( 2 ) ? arena.odd( neighbour, random ) : neighbour;
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
    BoxQuery query;
    query.box = drawBox( world, arena, random );
    if ( hasNan( query.box ) )
    {
        return; // a query with a NaN has no meaning
    }
    ++world.tally["checked box queries"];
    world.subject.broadphase->aabbTest( vectorOf( query.box.lower ), vectorOf( query.box.upper ), query );
    requireAnswer( "wrong box query", world, query );
}

/// Makes a random ray: along an axis, in a coordinate plane, or anywhere. Some rays have no length; some sweep a box.
void drawRay( const Arena& arena, Random& random, RayQuery& ray )
{
    ray.from = vectorOf( arena.place( random ).data() );
    ray.to = vectorOf( arena.place( random ).data() );
    const unsigned flatAxes = random.below( 12 ); // a bit for each axis; above 7: none
    const bool isSwept = random.oneIn( 3 );
    for ( int axis = 0; axis < 3; ++axis )
    {
        ray.to[axis] = flatAxes < 8 && ( flatAxes >> axis & 1 ) != 0 ? ray.from[axis] : ray.to[axis];
        ray.sweptLower[axis] = isSwept ? btScalar( -random.between( 0, 2 ) ) : btScalar( 0 );
        ray.sweptUpper[axis] = isSwept ? btScalar( random.between( 0, 2 ) ) : btScalar( 0 );
    }
    // As btCollisionWorld does: the direction of a ray without length, a static overlap query, is 0.
    const btVector3 way = ray.to - ray.from;
    ray.m_lambda_max = way.length();
    for ( int axis = 0; axis < 3; ++axis )
    {
        const btScalar direction = ray.m_lambda_max == 0 ? btScalar( 0 ) : way[axis] / ray.m_lambda_max;
        ray.m_rayDirectionInverse[axis] = direction == 0 ? btScalar( BT_LARGE_FLOAT ) : 1 / direction;
        ray.m_signs[axis] = ray.m_rayDirectionInverse[axis] < 0;
    }
}

void checkRayQuery( World& world, const Arena& arena, Random& random )
{
    RayQuery query;
    drawRay( arena, random, query );
    ++world.tally["checked ray queries"];
    world.subject.broadphase->rayTest( query.from, query.to, query, query.sweptLower, query.sweptUpper );
    requireAnswer( "wrong ray query", world, query );
}

/// getAabb must return the last box set, bit for bit.
void checkGetAabb( World& world, Random& random )
{
    const Body& body = world.population[random.below( world.count() )];
    btVector3 lower;
    btVector3 upper;
    world.subject.broadphase->getAabb( body.proxy, lower, upper );
    const cltAabbD box = { { lower.x(), lower.y(), lower.z() }, { upper.x(), upper.y(), upper.z() } };
    if ( std::memcmp( &box, &body.box, sizeof( box ) ) != 0 )
    {
        throw Fault{ "wrong getAabb", fmt::format( "of {}", body.uid ) };
    }
}

} // namespace

void checkQueries( World& world, const Arena& arena, Random& random, int count )
{
    gDbvtMargin = random.oneIn( 2 ) ? btScalar( 0 ) : btScalar( 0.05 );
    for ( int k = 0; k < count; ++k )
    {
        checkBoxQuery( world, arena, random );
        if ( world.cullet != nullptr ) // Bullet's btSimpleBroadphase reports every proxy to every ray
        {
            checkRayQuery( world, arena, random );
        }
        if ( world.count() > 0 )
        {
            checkGetAabb( world, random );
        }
    }
}

} // namespace cullet::stress
