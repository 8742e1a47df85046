// SPDX-License-Identifier: Zlib
/// \file scene.h The scene that clients run. Its output does not depend on the broadphase: it counts only pairs of
/// overlapping boxes and only hits of boxes that are really hit. Bullet's own broadphases report more. Uses nothing of
/// cullet, not even its test support, as programs of users do.
#ifndef CLT_TEST_PRELOAD_SCENE_H
#define CLT_TEST_PRELOAD_SCENE_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

class Scene
{
public:
    explicit Scene( btBroadphaseInterface& broadphase, int count = 150 ) : m_broadphase( broadphase )
    {
        for ( int i = 0; i < count; ++i )
        {
            add( i );
        }
    }

    /// Moves every body a little, destroys one and creates one.
    void step()
    {
        for ( Body& body : m_bodies )
        {
            if ( body.m_proxy )
            {
                for ( int axis = 0; axis < 3; ++axis )
                {
                    body.m_position[axis] += random() * 2 - 1;
                }
                m_broadphase.setAabb( body.m_proxy, lower( body ), upper( body ), nullptr );
            }
        }
        const int chosen = int( random() * btScalar( m_bodies.size() ) );
        if ( m_bodies[chosen].m_proxy )
        {
            m_broadphase.destroyProxy( m_bodies[chosen].m_proxy, nullptr );
            m_bodies[chosen].m_proxy = nullptr;
        }
        add( int( m_bodies.size() ) );
        m_broadphase.calculateOverlappingPairs( nullptr );
        report();
    }

    /// Prints the number of pairs of overlapping boxes, and a hash of them.
    void report()
    {
        std::vector<std::pair<int, int>> pairs;
        const btBroadphasePairArray& array = m_broadphase.getOverlappingPairCache()->getOverlappingPairArray();
        for ( int i = 0; i < array.size(); ++i )
        {
            const btBroadphaseProxy& a = *array[i].m_pProxy0;
            const btBroadphaseProxy& b = *array[i].m_pProxy1;
            if ( overlap( a, b ) )
            {
                pairs.push_back( std::minmax( numberOf( a ), numberOf( b ) ) );
            }
        }
        std::sort( pairs.begin(), pairs.end() );
        std::uint64_t sum = 1469598103934665603u; // FNV-1a
        for ( const std::pair<int, int>& pair : pairs )
        {
            sum = ( sum ^ std::uint64_t( pair.first ) ) * 1099511628211u;
            sum = ( sum ^ std::uint64_t( pair.second ) ) * 1099511628211u;
        }
        std::printf( "%zu pairs %016llx\n", pairs.size(), (unsigned long long)sum );
    }

    /// Runs a box query and a ray query, and prints the numbers of real hits.
    /// \param hasDirection  whether to set the length of the ray, which only sweeps without an accelerator do not need
    void query( bool hasDirection )
    {
        struct Box : public btBroadphaseAabbCallback
        {
            btVector3 m_lower{ -5, -5, -5 };
            btVector3 m_upper{ 5, 5, 5 };
            int m_count = 0;

            bool process( const btBroadphaseProxy* proxy ) override
            {
                const bool isHit = proxy->m_aabbMin.x() <= m_upper.x() && proxy->m_aabbMin.y() <= m_upper.y() &&
                                   proxy->m_aabbMin.z() <= m_upper.z() && m_lower.x() <= proxy->m_aabbMax.x() &&
                                   m_lower.y() <= proxy->m_aabbMax.y() && m_lower.z() <= proxy->m_aabbMax.z();
                m_count += isHit;
                return true;
            }
        } box;
        struct Ray : public btBroadphaseRayCallback
        {
            int m_count = 0;

            bool process( const btBroadphaseProxy* proxy ) override
            {
                m_count += proxy->m_aabbMin.y() < 0 && 0 < proxy->m_aabbMax.y() && proxy->m_aabbMin.z() < 0 &&
                           0 < proxy->m_aabbMax.z() && proxy->m_aabbMin.x() < 20 && proxy->m_aabbMax.x() > -20;
                return true;
            }
        } ray;
        ray.m_rayDirectionInverse.setValue( 1, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
        ray.m_signs[0] = ray.m_signs[1] = ray.m_signs[2] = 0;
        ray.m_lambda_max = hasDirection ? btScalar( 40 ) : btScalar( 0 );
        m_broadphase.aabbTest( box.m_lower, box.m_upper, box );
        m_broadphase.rayTest( btVector3( -20, 0, 0 ), btVector3( 20, 0, 0 ), ray );
        std::printf( "%d in the box, %d along the ray\n", box.m_count, ray.m_count );
    }

    void removeAll()
    {
        for ( Body& body : m_bodies )
        {
            if ( body.m_proxy )
            {
                m_broadphase.destroyProxy( body.m_proxy, nullptr );
                body.m_proxy = nullptr;
            }
        }
        std::printf( "%d pairs at the end\n", m_broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
    }

private:
    struct Body
    {
        btScalar m_position[3];
        btBroadphaseProxy* m_proxy;
    };

    btScalar random()
    {
        m_state = m_state * 6364136223846793005u + 1442695040888963407u;
        return btScalar( m_state >> 40 ) / btScalar( 1 << 24 );
    }

    static btVector3 lower( const Body& body )
    {
        return btVector3( body.m_position[0] - 1, body.m_position[1] - 1, body.m_position[2] - 1 );
    }

    static btVector3 upper( const Body& body )
    {
        return btVector3( body.m_position[0] + 1, body.m_position[1] + 1, body.m_position[2] + 1 );
    }

    /// Some groups and masks reject each other.
    void add( int number )
    {
        Body body = { { random() * 16 - 8, random() * 16 - 8, random() * 16 - 8 }, nullptr };
        const int group = 1 << ( number % 3 );
        const int mask = number % 5 == 0 ? 3 : 7;
        body.m_proxy =
            m_broadphase.createProxy( lower( body ), upper( body ), 0,
                                      reinterpret_cast<void*>( std::intptr_t( number + 1 ) ), group, mask, nullptr );
        m_bodies.push_back( body );
    }

    static int numberOf( const btBroadphaseProxy& proxy )
    {
        return int( reinterpret_cast<std::intptr_t>( proxy.m_clientObject ) );
    }

    static bool overlap( const btBroadphaseProxy& a, const btBroadphaseProxy& b )
    {
        return a.m_aabbMin.x() <= b.m_aabbMax.x() && b.m_aabbMin.x() <= a.m_aabbMax.x() &&
               a.m_aabbMin.y() <= b.m_aabbMax.y() && b.m_aabbMin.y() <= a.m_aabbMax.y() &&
               a.m_aabbMin.z() <= b.m_aabbMax.z() && b.m_aabbMin.z() <= a.m_aabbMax.z();
    }

    btBroadphaseInterface& m_broadphase;
    std::vector<Body> m_bodies;
    std::uint64_t m_state = 1;
};

/// \param arePairsEarly  whether each broadphase has its pairs before the first calculateOverlappingPairs
/// \param hasDirection   of Scene::query
inline void runScene( btBroadphaseInterface& broadphase, bool arePairsEarly = true, bool hasDirection = true )
{
    Scene scene( broadphase );
    if ( arePairsEarly )
    {
        scene.report();
    }
    for ( int i = 0; i < 20; ++i )
    {
        scene.step();
    }
    scene.query( hasDirection );
    scene.removeAll();
}

#endif
