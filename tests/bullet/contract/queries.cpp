// SPDX-License-Identifier: Zlib
#include "queries.h"

#include "LinearMath/btAabbUtil2.h"

namespace test
{

Ray randomRay( Random& random, double halfWidth )
{
    Ray ray;
    ray.from = randomPoint( random, halfWidth );
    ray.to = randomPoint( random, halfWidth );
    const uint32_t shape = random.below( 8 );
    for ( uint32_t axis = 0; axis < 2 && shape > axis + 4;
          ++axis ) // 5: within a coordinate plane; 6 and 7: along an axis
    {
        const int fixed = int( ( shape + axis + random.below( 2 ) ) % 3 );
        ray.to[fixed] = ray.from[fixed];
    }
    if ( random.below( 2 ) )
    {
        ray.sweep = { btVector3( btScalar( -0.1 ), btScalar( -0.5 ), 0 ), btVector3( 1, btScalar( 0.2 ), 0 ) };
    }
    return ray;
}

static Box cubeAt( const btVector3& lower )
{
    return { lower, lower + btVector3( 1, 1, 1 ) };
}

void moveCube( Bodies& bodies, Body& body, double halfWidth )
{
    bodies.move( body, cubeAt( randomPoint( bodies.random(), halfWidth ) ) );
}

void createCubes( Bodies& bodies, int count, double halfWidth )
{
    for ( int i = 0; i < count; ++i )
    {
        bodies.create( cubeAt( randomPoint( bodies.random(), halfWidth ) ) );
    }
}

std::vector<int> boxHits( btBroadphaseInterface& broadphase, const Box& box )
{
    CollectBox hits;
    broadphase.aabbTest( box.lower, box.upper, hits );
    return hits.ids();
}

std::vector<int> rayHits( btBroadphaseInterface& broadphase, const Ray& ray, btScalar inverseOf0 )
{
    CollectRay hits;
    aim( hits, ray.from, ray.to, inverseOf0 );
    broadphase.rayTest( ray.from, ray.to, hits, ray.sweep.lower, ray.sweep.upper );
    return hits.ids();
}

std::vector<int> expectedBoxHits( const Bodies& bodies, const Box& box, btScalar margin )
{
    const btVector3 all( margin, margin, margin );
    std::vector<int> ids;
    for ( const auto& body : bodies.all() )
    {
        if ( overlap( { body->box.lower - all, body->box.upper + all }, box ) )
        {
            ids.push_back( body->id );
        }
    }
    return ids;
}

std::vector<int> expectedRayHits( const Bodies& bodies, const Ray& ray )
{
    CollectRay aimed;
    aim( aimed, ray.from, ray.to );
    std::vector<int> ids;
    for ( const auto& body : bodies.all() )
    {
        const btVector3 bounds[2] = { body->box.lower - ray.sweep.upper, body->box.upper - ray.sweep.lower };
        btScalar entry = 1;
        if ( btRayAabb2( ray.from, aimed.m_rayDirectionInverse, aimed.m_signs, bounds, entry, 0, aimed.m_lambda_max ) )
        {
            ids.push_back( body->id );
        }
    }
    return ids;
}

} // namespace test
