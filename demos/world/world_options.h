// SPDX-License-Identifier: Zlib
/// \file world_options.h
/// The options that demo and record have in common: the size of the world, the number of steps, and the broadphases.
#ifndef CLT_WORLD_WORLD_OPTIONS_H
#define CLT_WORLD_WORLD_OPTIONS_H

#include "kinds.h"

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
    int threads = 0;  ///< of cullet; 0 for one per processor
    double reach = 0; ///< metres from the origin to the farthest body, if that is known
};

/// The options for a world of this kind: a file decides how many bodies there are.
template <typename Options>
Options optionsFor( const WorldKind& kind, Options options )
{
    if ( kind.bodies > 0 )
    {
        options.bodies = kind.bodies;
        options.reach = double( kind.reach );
    }
    return options;
}

/// \param options  must outlive the parsing; its values are the defaults
void addWorldOptions( CLI::App& command, WorldOptions& options );

/// The values of `--broadphase`.
std::vector<std::string> broadphaseNames();

/// Throws std::runtime_error if cullet cannot be created with these options.
std::unique_ptr<btBroadphaseInterface> createBroadphase( const std::string& name, const WorldOptions& options );

} // namespace cullet::demo

#endif
