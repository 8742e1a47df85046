// SPDX-License-Identifier: Zlib
/// \file doctor.h
/// What is said of a finding.
#ifndef CLT_RUN_DOCTOR_H
#define CLT_RUN_DOCTOR_H

#include "reach.h"

namespace cullet::run
{

/// Several lines: what was found, and what to do.
std::string advice( const Finding& finding );

/// One line, without an end, if `cullet run` cannot change anything; else empty.
std::string warning( const Finding& finding );

} // namespace cullet::run

#endif
