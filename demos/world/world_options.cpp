// SPDX-License-Identifier: Zlib
/// \file world_options.cpp
/// The broadphases are the engines of `cullet compare` that implement Bullet's interface.
#include "world_options.h"

#include "demos/command/option_checks.h"
#include "demos/engines/engines.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{

using command::between;
using command::Number;
using compare::Family;

static constexpr double mostBodies = 1'000'000;
static constexpr double mostSteps = 1'000'000;

void addWorldOptions( CLI::App& command, WorldOptions& options )
{
    command.add_option( "--bodies", options.bodies, "How many bodies there are beside the ground" )
        ->check( between( 1, mostBodies, Number::whole ) );
    command.add_option( "--steps", options.steps, "Steps of 1/60 s, each with two updates of the pairs" )
        ->check( between( 1, mostSteps, Number::whole ) );
    command.add_option( "--threads", options.threads, "Threads of cullet, 0 for one per processor" )
        ->check( between( 0, CLT_MAX_THREADS, Number::whole ) );
}

std::vector<std::string> broadphaseNames()
{
    return compare::engineNames( { Family::bullet, Family::plugin } );
}

/// Bullet's sweep needs bounds; outside of them it is slower, but not wrong. The widest kind of world is the city. The
/// number of proxies allows for almost one ball for each cloth, and for stairs and plates.
std::unique_ptr<btBroadphaseInterface> createBroadphase( const std::string& name, const WorldOptions& options )
{
    const btScalar side = std::max( 100 + 6 * std::sqrt( btScalar( options.bodies ) ), 2 * btScalar( options.reach ) );
    const compare::StreamInfo info = { 2 * std::uint32_t( options.bodies ) + 30, btVector3( -side, -side, -side ),
                                       btVector3( side, side, side ) };
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = options.threads;
    return compare::createBroadphase( compare::engineKind( name ), info, def );
}

} // namespace cullet::demo
