// SPDX-License-Identifier: Zlib
/// \file emulation.h A CUDA device emulated on the CPU, controlled by tests. It runs the sources of gpu/cuda, unlike
/// gpu/host/reference, which has the same algorithms as loops for the CPU.
///
/// The emulated device is as lazy as a device may be: enqueued work runs only when the host waits. A host that reads
/// results too early, or overwrites the source of a pending copy, gets garbage. Device memory is initialized with
/// garbage and accessible only while a stream runs; the page behind each allocation is never accessible. The threads of
/// a block synchronize at barriers. Blocks and threads run in ascending or descending order. No two threads run at the
/// same time: each runs alone from barrier to barrier.
#ifndef CLT_TESTS_EMULATION_H
#define CLT_TESTS_EMULATION_H

#include "tests/device/emulation/cuda_runtime.h"

#include <vector>

struct EmulatedStream
{
    std::vector<std::function<void()>> work;
};

namespace emulation
{

enum class Order
{
    forward,
    backward
};

/// The results of device queries, and which calls fail. By default there is one device, and no call fails.
struct Machine
{
    int driverVersion = 13000;
    cudaError_t deviceCountError = cudaSuccess;
    int deviceCount = 1;
    int major = 9;
    int minor = 0;
    cudaError_t codeError = cudaSuccess; ///< result of cudaFuncGetAttributes
    Order order = Order::forward;        ///< of blocks, and of the threads of each

    int64_t allocationsToFailure = -1; ///< after so many allocations, one fails; negative: none fails
    int64_t callsToFailure = -1;       ///< after so many other calls that can fail, one fails; negative: none fails
    bool breaks = false;               ///< the call that callsToFailure lets fail also breaks the device
    bool isBroken = false;             ///< all calls fail, and enqueued work is lost
    bool hasFailed = false;            ///< an allocation or another call has failed on request
    cudaError_t lastError = cudaSuccess;
};

/// Assigned by tests. Memory, streams and contexts stay in use when a test assigns a new machine.
extern Machine machine;

/// A member of fixtures: resets the machine at the end of a test.
struct Cleanup
{
    ~Cleanup()
    {
        machine = {};
    }
};

/// Calls, waits and copies since the program started, and the resources in use.
struct Counts
{
    uint64_t calls;       ///< calls that can fail, except allocations
    uint64_t allocations; ///< successful or not
    uint64_t blocksHeld;  ///< allocations, on the device or pinned, that are not freed
    uint64_t streamsHeld; ///< streams and events that are not destroyed
    uint64_t waits;       ///< waits for a stream
    uint64_t switches;    ///< switches of a thread to another device, by pushing the device's context
    uint64_t contexts;    ///< a bit for each device on which a context was created
    uint64_t contextsHeld;
    uint64_t copiesToDevice; ///< from the host
    uint64_t bytesToDevice;  ///< of these copies
};

extern Counts counts;

/// Enqueues `work`. May fail.
cudaError_t enqueue( cudaStream_t stream, std::function<void()> work );

// Shared by the files of the emulation.

/// Every call that can fail begins with a call of this function.
cudaError_t beginCall();

/// Called when something is created or freed: from then on the current device has a context.
void useContext();

/// Records an error for cudaGetLastError, and returns it.
cudaError_t recordError( cudaError_t error );

/// Counts one call. Returns true once: if the countdown ends with this call, which must then fail.
bool runsOut( int64_t& countdown );

void runAllStreams();

/// Makes device memory accessible or inaccessible (memory.cpp).
void makeAccessible( bool accessible );

/// Runs `thread` once for each thread of a block (fibers.cpp).
void runBlock( const std::function<void()>& thread, unsigned threadCount, Order order );

} // namespace emulation

#endif
