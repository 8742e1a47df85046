// SPDX-License-Identifier: Zlib
/// \file timed_queue.cuh
/// The times of all that the backend puts into the stream, one by one, on the device's own clock. timed_queue.cu takes
/// the place of gpu/cuda/update_graph.cu: what it does to the stream is the same, without the graph.
#ifndef CLT_TESTS_TIMED_QUEUE_CUH
#define CLT_TESTS_TIMED_QUEUE_CUH

#include "gpu/cuda/device.cuh"

#include <string>
#include <vector>

namespace test
{

/// Operations of one name in a row, as a sort's passes are.
struct TimedRow
{
    std::string name;
    int count;
    double us;
};

/// From here on operations are timed.
void beginTimes();

/// What was timed since, in the order of the stream, which must have been waited for. Nothing is timed any more.
std::vector<TimedRow> endTimes();

/// Gives back what timing took.
void releaseTimes();

/// Ends the program unless all is well: a figure of something that failed is none.
void require( cudaError_t error, const char* what );

} // namespace test

#endif
