// SPDX-License-Identifier: Zlib
/// \file world_options.cpp
/// The broadphases by name, with the algorithm of each of cullet's.
#include "world_options.h"

#include "demos/command/option_checks.h"
#include "demos/engines/bullet_engine.h"
#include "demos/engines/core_engine.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "BulletCollision/CollisionDispatch/btCollisionWorld.h"

#include <CLI/App.hpp>

#include <cmath>
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

/// The sweep maps its world onto integers, so it needs bounds and the number of bodies. Outside the bounds it is
/// slower, but not wrong. The widest world is the level of tiles, and the ground has at most five bodies.
std::unique_ptr<btBroadphaseInterface> createSweep( int bodyCount )
{
    constexpr unsigned groundBodies = 5;
    const btScalar side = 100 + std::sqrt( btScalar( bodyCount ) );
    return std::make_unique<bt32BitAxisSweep3>( btVector3( -side, -side, -side ), btVector3( side, side, side ),
                                                unsigned( bodyCount ) + groundBodies );
}

} // namespace

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
    return { "cullet", "cullet-lbvh", "cullet-grid", "cullet-brute", "dbvt", "sap" };
}

std::unique_ptr<btBroadphaseInterface> createBroadphase( const std::string& name, const WorldOptions& options )
{
    if ( name == "sap" )
    {
        return createSweep( options.bodies );
    }
    if ( name == "dbvt" )
    {
        return std::make_unique<btDbvtBroadphase>();
    }
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = options.threads;
    def.algorithm = culletNames.at( name );
    return compare::createCullet( def );
}

CulletBroadphase* culletOf( btCollisionWorld& world )
{
    return dynamic_cast<CulletBroadphase*>( world.getBroadphase() );
}

void requireSound( btCollisionWorld& world )
{
    if ( const CulletBroadphase* cullet = culletOf( world ) )
    {
        compare::requireOk( cullet->getStatus() );
    }
}

} // namespace cullet::demo
