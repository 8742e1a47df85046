// SPDX-License-Identifier: Zlib
/// \file plot.h
/// Milliseconds a step over the number of bodies, and over the share of them that moves, drawn by gnuplot.
#ifndef CLT_COMPARE_PLOT_H
#define CLT_COMPARE_PLOT_H

#include "demos/report/machine.h"
#include "demos/report/run.h"

#include <string>
#include <vector>

namespace cullet::compare
{

/// Throws std::runtime_error if gnuplot is missing or the folder of `path` cannot be written to. To be called before an
/// hour of measuring rather than after it.
void requirePlotting( const std::string& path );

/// Writes a PNG, or an SVG if `path` ends so, with the panels of plot_panels.h. Throws std::runtime_error if nothing
/// was measured or gnuplot fails.
void plotRuns( const std::string& path, const Machine& machine, const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
