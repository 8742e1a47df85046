// SPDX-License-Identifier: Zlib
/// \file comparison.h
/// The same world over several broadphases, stepped in turns.
#ifndef CLT_WORLD_COMPARISON_H
#define CLT_WORLD_COMPARISON_H

#include "kinds.h"
#include "world_options.h"

#include "demos/command/progress.h"

#include <string>
#include <vector>

namespace cullet::demo
{

/// What became of one broadphase in one world.
struct ComparedRun
{
    std::string kind;
    int bodies;
    std::string broadphase;
    std::string algorithm; ///< of cullet, else empty
    std::vector<StepRecord> records;
    std::vector<int> touching; ///< pairs that touch after each step
};

/// A round is a step of every world, a different one first each time. At the start of each round all bodies are put
/// where those of the first world are, with their velocities: Bullet's solver takes contacts in the order of the pairs,
/// and its rounding would let worlds drift apart until they are about different piles. Contacts and what the solver
/// remembers of them stay each world's own. Worlds of soft bodies are left where they are: where these went is what is
/// to be seen.
/// \param broadphases  names, not empty
/// \param directory    for pictures of kinds that are drawn
std::vector<ComparedRun> compareWorlds( const WorldKind& kind, const std::vector<std::string>& broadphases,
                                        const WorldOptions& options, const std::string& directory,
                                        command::Progress& progress );

} // namespace cullet::demo

#endif
