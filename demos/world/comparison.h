// SPDX-License-Identifier: Zlib
/// \file comparison.h
/// The same world over several broadphases, stepped in turns, and a report of where the time went.
#ifndef CLT_WORLD_COMPARISON_H
#define CLT_WORLD_COMPARISON_H

#include "kinds.h"
#include "world_options.h"

#include "demos/command/progress.h"

#include <functional>
#include <string>
#include <vector>

namespace cullet::demo
{

/// One world over one broadphase.
struct WorldRun
{
    std::string kind;
    int bodies;
    std::string broadphase;
    std::string algorithm; ///< of cullet; empty for other broadphases
    std::vector<StepRecord> records;
};

using Worlds = std::vector<std::unique_ptr<World>>; ///< by broadphase

/// Steps all worlds once in each round, a different one first each time. At the start of a round all worlds get the
/// placements and velocities of worlds[0]. Otherwise the worlds drift apart, because Bullet's solver takes contacts in
/// the order of the pairs and rounds accordingly. Contacts and cached impulses stay each world's own. Worlds with soft
/// bodies are not synchronized: where the cloth of each world goes is one of the results.
/// \param broadphases  names, not empty
/// \param watch        called with 0 before the first step, then after each step with its number
/// \param worlds[out]  the worlds after the last step
std::vector<WorldRun> runWorlds( const WorldKind& kind, const std::vector<std::string>& broadphases,
                                 const WorldOptions& requested, const std::function<void( int step )>& watch,
                                 Worlds& worlds, command::Progress& progress );

/// Prints medians, totals and the processor time of all threads for each part of a step.
/// \param format  "table", "csv" or "json"
/// \param runs    not empty; grouped by kind
void printWorlds( const std::string& format, const std::vector<WorldRun>& runs );

/// Draws the mean step of each run into a PNG, one panel for each kind. Throws std::runtime_error if gnuplot fails.
void drawWorlds( const std::string& path, const std::vector<WorldRun>& runs );

/// The name of a part's column in CSV and JSON: "narrow_phase_ms".
/// \param suffix  such as "_ms"
std::string columnName( std::size_t part, const char* suffix );

} // namespace cullet::demo

#endif
