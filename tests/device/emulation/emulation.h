// SPDX-License-Identifier: Zlib
/// \file emulation.h A CUDA device emulated on the CPU, controlled by tests. It runs the sources of gpu/cuda;
/// gpu/host/reference, the other stand-in, is the same algorithms as CPU loops, without them.
///
/// It is as lazy as a device may be: enqueued work runs when the host waits, and not before. A host that reads results
/// too early, or overwrites the source of a pending copy, gets garbage. Device memory is initialized with garbage and
/// accessible only while a stream runs; the page behind it is never accessible. The threads of a block really
/// synchronize at barriers, and blocks and threads run in either order. It cannot show two threads at the same time:
/// one thread runs from barrier to barrier.
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

/// What queries report and what fails. By default there is one device, and nothing fails.
struct Machine
{
    int driverVersion = 13000;
    cudaError_t deviceCountError = cudaSuccess;
    int deviceCount = 1;
    int major = 9;
    int minor = 0;
    cudaError_t codeError = cudaSuccess; ///< result of looking for a kernel's code
    Order order = Order::forward;        ///< of blocks, and of the threads of each

    int64_t allocationsToFailure = -1; ///< successful allocations before one fails, once; negative: none fails
    int64_t callsToFailure = -1;       ///< the same for other calls that can fail
    bool breaks = false;               ///< from that failure on every call fails, and enqueued work is lost
    bool isBroken = false;             ///< it happened
    bool hasFailed = false;            ///< an allocation or a call did
    cudaError_t lastError = cudaSuccess;
};

/// Set by tests. Resources stay held when it is replaced.
extern Machine machine;

/// In a fixture: resets the machine for the next test.
struct Cleanup
{
    ~Cleanup()
    {
        machine = {};
    }
};

/// Since the program started.
struct Counts
{
    uint64_t calls;       ///< calls that can fail, except allocations
    uint64_t allocations; ///< successful or not
    uint64_t blocksHeld;  ///< of memory, of both kinds
    uint64_t streamsHeld; ///< and events
    uint64_t waits;       ///< for a stream
    uint64_t switches;    ///< of a thread to another device, by pushing its context
    uint64_t contexts;    ///< a bit for each device on which a context was created
    uint64_t contextsHeld;
    uint64_t copiesToDevice; ///< from the host
    uint64_t bytesToDevice;  ///< of these copies
};

extern Counts counts;

/// Enqueues `work`. May fail.
cudaError_t enqueue( cudaStream_t stream, std::function<void()> work );

// Shared by the files of the emulation.

/// Every call that can fail begins with this.
cudaError_t beginCall();

/// Creating or freeing something uses the current device: it has a context from then on.
void useContext();

/// Records an error for cudaGetLastError, and returns it.
cudaError_t note( cudaError_t error );

/// True once, when the countdown ends: a call fails.
bool runsOut( int64_t& countdown );

void runAllStreams();

/// Makes device memory accessible or inaccessible (memory.cpp).
void makeAccessible( bool accessible );

/// Runs `thread` once for each thread of a block (fibers.cpp).
void runBlock( const std::function<void()>& thread, unsigned threadCount, Order order );

} // namespace emulation

#endif
