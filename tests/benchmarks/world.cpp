// SPDX-License-Identifier: Zlib
/// \file world.cpp
/// Brownian motion throughout: the benchmarks compare stages, not scenes.
#include "tests/benchmarks/world.h"

#include <cstdio>
#include <cstdlib>

namespace benchmarks
{

void require( cltStatus status )
{
    if ( status != clt_ok )
    {
        std::fprintf( stderr, "cullet_benchmarks: %s\n", cltStatusMessage( status ) );
        std::exit( 1 );
    }
}

World::World( cltAlgorithm algorithm, int threads, uint32_t bodies, double movingPercent )
{
    const cltSceneDef sceneDef = { clt_sceneBrownian, bodies, movingPercent, 1.0f, CLT_SCENE_SEED, 0.0 };
    m_scene.reset( cltCreateScene( &sceneDef ) );
    require( m_scene ? clt_ok : clt_hostMemory );
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = clt_deviceCpu;
    def.algorithm = algorithm;
    def.threadCount = threads;
    cltBroadphase* broadphase = nullptr;
    require( cltCreateBroadphase( &def, &broadphase ) );
    m_broadphase.reset( broadphase );
    require( cltBroadphase_CreateProxies( broadphase, m_scene->boxCount, m_scene->boxes, m_scene->filters, nullptr,
                                          nullptr ) );
}

void World::step()
{
    cltScene_Step( m_scene.get() );
    m_moved.resize( m_scene->movedCount );
    for ( uint32_t k = 0; k < m_scene->movedCount; ++k )
    {
        m_moved[k] = m_scene->boxes[m_scene->moved[k]];
    }
}

void World::move()
{
    require( cltBroadphase_MoveProxies( m_broadphase.get(), m_moved.size(), m_scene->moved, m_moved.data() ) );
}

size_t World::update()
{
    cltPairChanges changes = {};
    require( cltBroadphase_Update( m_broadphase.get(), &changes ) );
    return changes.beganCount + changes.endedCount;
}

} // namespace benchmarks
