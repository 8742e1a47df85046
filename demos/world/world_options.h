// SPDX-License-Identifier: Zlib
/// \file world_options.h
/// The options that demo and record have in common: how large a world, for how long, and on which broadphases.
#ifndef CLT_WORLD_WORLD_OPTIONS_H
#define CLT_WORLD_WORLD_OPTIONS_H

#include <memory>
#include <string>
#include <vector>

class CulletBroadphase;
class btBroadphaseInterface;
class btCollisionWorld;

namespace CLI
{
class App;
}

namespace cullet::demo
{

struct WorldOptions
{
    int bodies = 3000;
    int steps = 300;
    int threads = 0; ///< of cullet; 0 for one per processor
};

/// \param options  must outlive the parsing; its values are the defaults
void addWorldOptions( CLI::App& command, WorldOptions& options );

/// What `--broadphase` takes.
std::vector<std::string> broadphaseNames();

/// Throws std::runtime_error if cullet cannot be had as asked for.
std::unique_ptr<btBroadphaseInterface> createBroadphase( const std::string& name, const WorldOptions& options );

/// NULL if the world runs on another.
CulletBroadphase* culletOf( btCollisionWorld& world );

/// Cullet keeps going without memory or device and repairs itself later; a demo had better say so. Throws
/// std::runtime_error.
void requireSound( btCollisionWorld& world );

} // namespace cullet::demo

#endif
