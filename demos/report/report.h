// SPDX-License-Identifier: Zlib
/// \file report.h
/// The result of a race as text: for people, for spreadsheets, for programs. Same values in all three.
#ifndef CLT_REPORT_REPORT_H
#define CLT_REPORT_REPORT_H

#include "run.h"

namespace cullet::compare
{

/// "brownian, 1,000 bodies, 10 % moving, speed 1": what all runs of one block have in common.
std::string caseName( const Run& run );

/// ", speed 1, 5 % jumping": what there is of it.
std::string motionOf( const Run& run );

/// Prints the result, and to stderr a line for each engine that was wrong.
/// \param format  "table", "csv" or "json". CSV has one header line and one line a run; JSON is
///                {"machine": {…}, "date": "…", "commit": "…", "runs": [{…}]}. What is not known is empty or null
/// \return whether any engine was wrong
bool printReport( const std::string& format, const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
