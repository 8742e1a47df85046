// SPDX-License-Identifier: Zlib
/// \file plot_panels.h
/// What is to be drawn, without a word about how: runs sorted into panels and curves.
#ifndef CLT_COMPARE_PLOT_PANELS_H
#define CLT_COMPARE_PLOT_PANELS_H

#include "demos/report/run.h"

#include <map>
#include <string>
#include <vector>

namespace cullet::compare
{

/// One engine on one number of threads.
struct Curve
{
    std::string engine;
    int threads;
    std::string title;
    std::map<double, double> points; ///< milliseconds by x
};

struct Panel
{
    std::string title;
    std::string xTitle;
    std::map<double, std::string> marks; ///< labels of the places on the x axis that were measured
    std::vector<Curve> curves; ///< from the slowest to the fastest at the right end, as a legend should have them
};

/// Milliseconds over bodies, a panel for each scene, moved share, speed and jumping share; then milliseconds over the
/// moved share, at the largest size, where several were measured. A panel with a single place on its x axis is drawn
/// only if there is no other. Empty if no engine finished a timed step.
std::vector<Panel> plotPanels( const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
