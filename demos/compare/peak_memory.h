// SPDX-License-Identifier: Zlib
/// \file peak_memory.h
/// How much memory an engine needs. Engines that share a process share an allocator, which keeps what one of them gave
/// back; so each is measured in a child process of its own.
#ifndef CLT_COMPARE_PEAK_MEMORY_H
#define CLT_COMPARE_PEAK_MEMORY_H

#include "compare_options.h"

#include <optional>

namespace cullet::compare
{

/// How far the resident memory rises, in MiB, while an engine gets all boxes and makes a few steps; empty if the cap
/// stops it before that. To be called when command::askChild may be, and throws as it does.
std::optional<double> measurePeakMib( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options );

} // namespace cullet::compare

#endif
