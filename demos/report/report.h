// SPDX-License-Identifier: Zlib
/// \file report.h
/// The result of a race as text: for people, for spreadsheets, for programs. Same values in all three.
#ifndef CLT_REPORT_REPORT_H
#define CLT_REPORT_REPORT_H

#include "machine.h"
#include "run.h"

#include <string>
#include <vector>

namespace cullet::compare
{

/// Fills in Run::ratioToDbvt, for runs of one scene at one size.
void setRatiosToDbvt( std::vector<Run>& runs );

/// "brownian, 1,000 bodies, 10 % moving, speed 1": what all runs of one block have in common.
std::string caseName( const Run& run );

/// ", speed 1, 5 % jumping": what there is of it.
std::string motionOf( const Run& run );

/// \param format  "table", "csv" or "json"
void printReport( const std::string& format, const Machine& machine, const std::vector<Run>& runs );

/// Prints a line for each engine that was wrong, to stderr.
/// \return whether any was
bool tellWrong( const std::vector<Run>& runs );

/// One header line, one line a run. Unknown values are empty.
std::string csvReport( const std::vector<Run>& runs );

/// {"machine": {…}, "date": "…", "commit": "…", "runs": [{…}]}. Unknown values are null.
std::string jsonReport( const Machine& machine, const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
