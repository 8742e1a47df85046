// SPDX-License-Identifier: Zlib
/// \file comparison.h
/// The same world over several broadphases, stepped in turns, and a report of where the time went.
#ifndef CLT_WORLD_COMPARISON_H
#define CLT_WORLD_COMPARISON_H

#include "kinds.h"
#include "world_options.h"

#include "demos/command/progress.h"

#include <string>
#include <vector>

namespace cullet::demo
{

/// One world over one broadphase.
struct ComparedRun
{
    std::string kind;
    int bodies;
    std::string broadphase;
    std::string algorithm; ///< of cullet; empty for other broadphases
    std::vector<StepRecord> records;
    std::vector<int> touching; ///< by step: pairs with contacts
};

/// Steps all worlds once in each round, a different one first each time. Each round begins with all bodies placed as in
/// the first world, with its velocities. Otherwise the worlds drift apart, because Bullet's solver takes contacts in
/// the order of the pairs and rounds accordingly. Contacts and cached impulses stay each world's own. Worlds with soft
/// bodies are not synchronized: they show where their cloths go.
/// \param broadphases  names, not empty
/// \param directory    for pictures of kinds that are drawn
std::vector<ComparedRun> compareWorlds( const WorldKind& kind, const std::vector<std::string>& broadphases,
                                        const WorldOptions& options, const std::string& directory,
                                        command::Progress& progress );

/// Prints medians, totals and the processor time of all threads for each part of a step.
/// \param format  "table", "csv" or "json"
/// \param runs    not empty; grouped by kind
void printComparison( const std::string& format, const std::vector<ComparedRun>& runs );

/// Draws the mean step of each run into a PNG, one panel for each kind. Throws std::runtime_error if gnuplot fails.
void drawComparison( const std::string& path, const std::vector<ComparedRun>& runs );

} // namespace cullet::demo

#endif
