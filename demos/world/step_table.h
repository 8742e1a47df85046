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

/// One row a step, under one row of names; the order of the columns is part of what plotSteps reads.
/// \throws std::runtime_error if the file cannot be written
void writeStepTable( const std::vector<StepRecord>& records, const std::string& path );

/// Prints each stage's median step, and its share of all. The records are not empty.
void printStages( const std::vector<StepRecord>& records );

/// Draws the table of `tablePath` with gnuplot.
/// \return false if there is no gnuplot; then there is no picture either
bool plotSteps( const std::string& tablePath, const std::string& title, const std::string& picturePath );

} // namespace cullet::demo

#endif
