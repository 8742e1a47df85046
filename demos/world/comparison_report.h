// SPDX-License-Identifier: Zlib
/// \file comparison_report.h
/// Where the time of whole steps went, broadphase by broadphase: as a table, for programs, and as stacked bars.
#ifndef CLT_WORLD_COMPARISON_REPORT_H
#define CLT_WORLD_COMPARISON_REPORT_H

#include "comparison.h"

namespace cullet::demo
{

/// Prints medians, totals and the processor time of all threads, part by part.
/// \param format  "table", "csv" or "json"
/// \param runs    not empty; those of a kind follow each other
void printComparison( const std::string& format, const std::vector<ComparedRun>& runs );

/// Draws the mean step of each run into a PNG, a panel a kind. Throws std::runtime_error if gnuplot fails.
void drawComparison( const std::string& path, const std::vector<ComparedRun>& runs );

} // namespace cullet::demo

#endif
