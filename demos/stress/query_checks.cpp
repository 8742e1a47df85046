// SPDX-License-Identifier: Zlib
/// \file query_checks.cpp
/// Draws the queries and lets query_answer.h judge what comes back.
#include "query_checks.h"

#include "fault.h"
#include "query_answer.h"
#include "ray.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h" // gDbvtMargin

#include <fmt/format.h>

namespace cullet::stress
{

namespace
{

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

/// What a query with this margin may at most take a box for.
Box atMost( const Box& box, btScalar margin )
{
    return margin == 0 ? box : inflated( box, margin );
}

Box drawBox( const World& world, const Arena& arena, Random& random )
{
    const Population& population = world.population();
    if ( population.size() > 0 && random.oneIn( 3 ) )
    {
        const Box& neighbor = population[random.below( population.size() )].box;
        return random.oneIn( 2 ) ? arena.odd( neighbor, random ) : neighbor;
    }
    if ( random.oneIn( 8 ) )
    {
        return arena.wide( random );
    }
    const btVector3 corner = arena.place( random );
    Box box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = corner[axis];
        box.upper[axis] = corner[axis] + btScalar( random.between( 0, 8 ) );
    }
    return box;
}

void checkBoxQuery( World& world, const Arena& arena, Random& random )
{
    const Box box = drawBox( world, arena, random );
    if ( hasNan( box ) )
    {
        return; // nobody has ever said what such a query means
    }
    ++world.tally().boxQueries;
    BoxHits hits;
    world.broadphase().aabbTest( lowerOf( box ), upperOf( box ), hits );
    world.tally().hits += hits.proxies.size();
    requireAnswer( "wrong box query", world.population(), hits.proxies,
                   { [&]( const Box& body ) { return overlap( box, body ); },
                     [&]( const Box& body ) { return overlap( box, atMost( body, gDbvtMargin ) ); },
                     world.promises().hidesNan } );
}

void checkRayQuery( World& world, const Arena& arena, Random& random )
{
    const btVector3 from = arena.place( random );
    const btVector3 to = arena.place( random );
    const Ray ray = drawRay( from, to, random );
    ++world.tally().rayQueries;
    RayHits hits;
    aim( hits, ray );
    world.broadphase().rayTest( ray.from, ray.to, hits, ray.sweptLower, ray.sweptUpper );
    world.tally().hits += hits.proxies.size();
    const bool isCulled = world.promises().cullsRays;
    requireAnswer( "wrong ray query", world.population(), hits.proxies,
                   { [&]( const Box& body ) { return meets( ray, body ); },
                     [&]( const Box& body ) { return !isCulled || meets( ray, atMost( body, gDbvtMargin ) ); },
                     world.promises().hidesNan } );
}

/// Exactly the last box set, whatever is in it.
void checkGetAabb( World& world, Random& random )
{
    const Body& body = world.population()[random.below( world.population().size() )];
    btVector3 lower;
    btVector3 upper;
    world.broadphase().getAabb( body.proxy, lower, upper );
    const Box box = { { lower.x(), lower.y(), lower.z() }, { upper.x(), upper.y(), upper.z() } };
    if ( !isSame( box, body.box ) )
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
        if ( world.population().size() > 0 )
        {
            checkGetAabb( world, random );
        }
    }
}

} // namespace cullet::stress
