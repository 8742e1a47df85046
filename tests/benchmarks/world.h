// SPDX-License-Identifier: Zlib
/// \file world.h
/// A named scene and a broadphase that follows it.
#ifndef CLT_BENCHMARKS_WORLD_H
#define CLT_BENCHMARKS_WORLD_H

#include "demos/scenes/scenes.h"

#include <memory>
#include <vector>

namespace benchmarks
{

struct DestroyScene
{
    void operator()( cltScene* scene ) const
    {
        cltDestroyScene( scene );
    }
};

struct DestroyBroadphase
{
    void operator()( cltBroadphase* broadphase ) const
    {
        cltDestroyBroadphase( broadphase );
    }
};

class World
{
public:
    World( cltAlgorithm algorithm, int threads, uint32_t bodies, double movingPercent );

    /// The scene goes one step on; who moved is copied together, as an application would have it.
    void step();

    /// Hands over what moved.
    void move();

    /// \return how many pairs began or ended
    size_t update();

    cltBroadphase* broadphase() const
    {
        return m_broadphase.get();
    }

    const cltScene& scene() const
    {
        return *m_scene;
    }

private:
    std::unique_ptr<cltScene, DestroyScene> m_scene;
    std::unique_ptr<cltBroadphase, DestroyBroadphase> m_broadphase;
    std::vector<cltAabb> m_moved;
};

/// Ends the program with what the status means, unless it is clt_ok: a figure of something that failed is none.
void require( cltStatus status );

} // namespace benchmarks

#endif
