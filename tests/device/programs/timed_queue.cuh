// SPDX-License-Identifier: Zlib
/// \file timed_queue.cuh Times every operation that the backend enqueues, with the device's clock. timed_queue.cu
/// replaces gpu/cuda/update_graph.cu: it enqueues the same, without a graph.
#ifndef CLT_TESTS_TIMED_QUEUE_CUH
#define CLT_TESTS_TIMED_QUEUE_CUH

#include "gpu/cuda/device.cuh"

#include <string>
#include <vector>

namespace test
{

/// Consecutive operations of one name, such as the passes of a sort.
struct TimedRow
{
    std::string name;
    int count;
    double us;
};

void beginTimes();

/// Stops timing and returns the times in stream order. The stream must have been waited for.
std::vector<TimedRow> endTimes();

/// Frees the resources of timing.
void releaseTimes();

[[noreturn]] void fail( const std::string& why );

/// Exits on an error: no figures of failed calls.
void require( cudaError_t error, const char* what );

} // namespace test

#endif
