// SPDX-License-Identifier: Zlib
/// \file world_options.cpp
/// A table of names, and for cullet the algorithm that each one asks for.
#include "world_options.h"

#include "column.h"

#include "demos/command/option_checks.h"
#include "demos/engines/bullet_engine.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <CLI/App.hpp>

#include <map>

namespace cullet::demo
{
namespace
{

using command::between;
using command::Number;

constexpr double mostBodies = 1'000'000;
constexpr double mostSteps = 1'000'000;

const std::map<std::string, cltAlgorithm> culletNames = { { "cullet", clt_algorithmAuto },
                                                          { "cullet-lbvh", clt_algorithmLbvh },
                                                          { "cullet-grid", clt_algorithmGrid },
                                                          { "cullet-brute", clt_algorithmBruteForce } };

/// The sweep maps its world onto integers and has to know its limits and how many there will be.
std::unique_ptr<btBroadphaseInterface> createSweep( int bodyCount )
{
    constexpr btScalar margin = 5; // bodies are smaller; beyond it the sweep would be slower, but not wrong
    constexpr unsigned planeCount = 1;
    const Column column( bodyCount );
    const btScalar side = column.bound() + margin;
    return std::make_unique<bt32BitAxisSweep3>( btVector3( -side, -margin, -side ),
                                                btVector3( side, column.top + margin, side ),
                                                unsigned( bodyCount ) + planeCount );
}

} // namespace

void addWorldOptions( CLI::App& command, WorldOptions& options )
{
    command.add_option( "--bodies", options.bodies, "How many bodies fall" )
        ->check( between( 1, mostBodies, Number::whole ) );
    command.add_option( "--steps", options.steps, "Steps of 1/60 s, each with two updates of the pairs" )
        ->check( between( 1, mostSteps, Number::whole ) );
    command.add_option( "--broadphase", options.broadphase, "What finds the pairs" )
        ->check( command::oneOf( { "cullet", "cullet-lbvh", "cullet-grid", "cullet-brute", "dbvt", "sap" } ) );
    command.add_option( "--threads", options.threads, "Threads of cullet, 0 for one per processor" )
        ->check( between( 0, CLT_MAX_THREADS, Number::whole ) );
}

std::unique_ptr<btBroadphaseInterface> createBroadphase( const WorldOptions& options )
{
    if ( options.broadphase == "sap" )
    {
        return createSweep( options.bodies );
    }
    if ( options.broadphase == "dbvt" )
    {
        return std::make_unique<btDbvtBroadphase>();
    }
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = options.threads;
    def.algorithm = culletNames.at( options.broadphase );
    return compare::createCullet( def );
}

} // namespace cullet::demo
