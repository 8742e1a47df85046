// SPDX-License-Identifier: Zlib
/// \file allocated.h
/// Counts the memory that this process allocates, libraries included: allocated.cpp replaces malloc.
#ifndef CLT_TESTS_ALLOCATED_H
#define CLT_TESTS_ALLOCATED_H

#include <cstddef>

namespace test
{

/// The bytes allocated at this moment.
std::size_t allocatedBytes();

/// The most bytes that were allocated at the same time since the last call of restartPeak. Requests that the system
/// refused count as if they had been fulfilled.
std::size_t peakBytes();

void restartPeak();

} // namespace test

#endif
