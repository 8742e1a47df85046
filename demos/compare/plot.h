// SPDX-License-Identifier: Zlib
/// \file plot.h
/// Milliseconds a step over the number of bodies, and over the share of them that moves, drawn by gnuplot.
#ifndef CLT_COMPARE_PLOT_H
#define CLT_COMPARE_PLOT_H

#include "demos/report/run.h"

namespace cullet::compare
{

/// Throws std::runtime_error if gnuplot is missing or the folder of `path` cannot be written to. To be called before an
/// hour of measuring rather than after it.
void requirePlotting( const std::string& path );

/// Writes a PNG, or an SVG if `path` ends so: milliseconds over bodies where several sizes were measured, a panel for
/// each scene, moved share, speed and jumping share; then milliseconds over the moved share, at the largest size, where
/// several were measured. Throws std::runtime_error if nothing was measured or gnuplot fails.
void plotRuns( const std::string& path, const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
