// SPDX-License-Identifier: Zlib
/// \file report.h
/// What `cullet stress` says while it runs and at the end.
#ifndef CLT_STRESS_REPORT_H
#define CLT_STRESS_REPORT_H

#include "run.h"

namespace cullet::stress
{

std::string progressLine( const Moment& moment );

/// The table at the end.
/// \param heading  what was run
std::string report( const std::string& heading, const Outcome& outcome );

} // namespace cullet::stress

#endif
