// SPDX-License-Identifier: Zlib
/// \file cases.h
/// What a comparison goes through: a scene at one size, moved share, speed and jumping share is a case.
#ifndef CLT_COMMAND_CASES_H
#define CLT_COMMAND_CASES_H

#include "compare_options.h"

#include <string>
#include <vector>

namespace cullet::compare
{

/// Every combination of what the options list, sizes following each other.
std::vector<cltSceneDef> casesOf( const CompareOptions& options );

/// For progress: only what is not as usual is named.
std::string shortName( const cltSceneDef& def );

} // namespace cullet::compare

#endif
