// SPDX-License-Identifier: Zlib
/// \file step_table.h
/// The numbers of all steps: as a CSV file, as a table of where the time went, and as a plot.
#ifndef CLT_WORLD_STEP_TABLE_H
#define CLT_WORLD_STEP_TABLE_H

#include "world.h"

#include <string>
#include <vector>

namespace cullet::demo
{

/// Prints each part's median step and its share of all, writes demo-steps.csv, one row a step under one row of names,
/// and draws demo-time.png of it where there is gnuplot. The records are not empty.
/// \throws std::runtime_error if the file cannot be written
void tellSteps( const std::vector<StepRecord>& records, const std::string& title, const std::string& directory );

} // namespace cullet::demo

#endif
