// SPDX-License-Identifier: Zlib
/// \file world_options.h
/// The options that demo and record have in common: how large a world, for how long, and on which broadphase.
#ifndef CLT_WORLD_WORLD_OPTIONS_H
#define CLT_WORLD_WORLD_OPTIONS_H

#include <memory>
#include <string>

class btBroadphaseInterface;

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
    std::string broadphase = "cullet";
    int threads = 0; ///< of cullet; 0 for one per processor
};

/// \param options  must outlive the parsing; its values are the defaults
void addWorldOptions( CLI::App& command, WorldOptions& options );

/// Throws std::runtime_error if cullet cannot be had as asked for.
std::unique_ptr<btBroadphaseInterface> createBroadphase( const WorldOptions& options );

} // namespace cullet::demo

#endif
