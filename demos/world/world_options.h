// SPDX-License-Identifier: Zlib
/// \file world_options.h
/// The options that demo and record have in common: the size of the world, the number of steps, and the broadphases.
#ifndef CLT_WORLD_WORLD_OPTIONS_H
#define CLT_WORLD_WORLD_OPTIONS_H

#include <memory>
#include <string>
#include <vector>

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
    int threads = 0; ///< of cullet; 0 for one per processor
};

/// \param options  must outlive the parsing; its values are the defaults
void addWorldOptions( CLI::App& command, WorldOptions& options );

/// The values of `--broadphase`.
std::vector<std::string> broadphaseNames();

/// Throws std::runtime_error if cullet cannot be created with these options.
std::unique_ptr<btBroadphaseInterface> createBroadphase( const std::string& name, const WorldOptions& options );

} // namespace cullet::demo

#endif
