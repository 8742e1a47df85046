// SPDX-License-Identifier: Zlib
/// \file timed_queue.cuh Times every operation that the backend enqueues, with the device's clock.
#ifndef CLT_TESTS_TIMED_QUEUE_CUH
#define CLT_TESTS_TIMED_QUEUE_CUH

#include "gpu/cuda/device.cuh"

#include <string>
#include <vector>

namespace test
{

/// Consecutive operations of one name, such as the passes of `frontier`.
struct TimedRow
{
    std::string name;
    int count;
    double us;
};

void startTiming( cltCudaDevice* device );

/// Stops timing, waits for the stream and returns the times in its order.
std::vector<TimedRow> stopTiming( cltCudaDevice* device );

/// Frees the resources of timing.
void releaseTimes();

[[noreturn]] void fail( const std::string& why );

/// Exits on an error, so that no figures of failed calls are printed.
void require( cudaError_t error, const char* what );

} // namespace test

#endif
