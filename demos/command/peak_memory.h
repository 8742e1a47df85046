// SPDX-License-Identifier: Zlib
/// \file peak_memory.h
/// How much memory an engine needs. Engines that share a process share an allocator, which keeps what one of them gave
/// back; so each is measured in a child process of its own.
#ifndef CLT_COMMAND_PEAK_MEMORY_H
#define CLT_COMMAND_PEAK_MEMORY_H

#include "compare_options.h"

#include <optional>

namespace cullet::compare
{

/// How far the resident memory rises, in MiB, while an engine gets all boxes and makes a few steps; empty if the cap
/// stops it before that. Must be called before this process has started threads or used a CUDA device: neither survives
/// into a child. Throws std::runtime_error if the child fails.
std::optional<double> measurePeakMib( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options );

} // namespace cullet::compare

#endif
