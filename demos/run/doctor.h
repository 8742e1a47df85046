// SPDX-License-Identifier: Zlib
/// \file doctor.h
/// Messages about a finding.
#ifndef CLT_RUN_DOCTOR_H
#define CLT_RUN_DOCTOR_H

#include "reach.h"

namespace cullet::run
{

/// Several lines: the finding, and how to use cullet with this program.
std::string advice( const Finding& finding );

/// One line without a newline if `cullet run` has no effect; else empty.
std::string warning( const Finding& finding );

} // namespace cullet::run

#endif
