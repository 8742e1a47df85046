// SPDX-License-Identifier: Zlib
/// \file emulation.h
/// A processor that plays the CUDA device, and what tests can make it do.
///
/// It is as lazy as a device may be: what is put into a stream runs when somebody waits, and not before, so that a host
/// that reads its results too early, or writes to what a copy has yet to read, gets garbage. Device memory comes filled
/// with garbage and can be touched only while the stream runs; behind its end lies memory that nobody can touch.
/// Threads of a block really meet at barriers, and blocks and threads run in either order. What it cannot show: two
/// threads at the same time. One thread runs from barrier to barrier.
#ifndef CLT_TESTS_EMULATION_H
#define CLT_TESTS_EMULATION_H

#include "tests/device/emulation/cuda_runtime.h"

#include <vector>

struct EmulatedStream
{
    std::vector<std::function<void()>> work;
    EmulatedGraph* captured = nullptr; ///< what is put into it goes there instead
};

namespace emulation
{

enum class Order
{
    forward,
    backward
};

/// What a program finds when it asks, and what goes wrong. As it is made, there is one device on which nothing fails.
struct Machine
{
    int driverVersion = 13000;
    cudaError_t deviceCountError = cudaSuccess;
    int deviceCount = 1;
    int major = 9;
    int minor = 0;
    cudaError_t codeError = cudaSuccess; ///< what looking for a kernel's code gives
    Order order = Order::forward;        ///< of blocks, and of the threads of each

    int64_t allocationsToFailure = -1; ///< the one after so many fails, once. Negative: none does
    int64_t callsToFailure = -1;       ///< the same for calls that can fail, but for allocations
    bool breaks = false;    ///< when that call fails: what is in the streams is lost, and every call fails from then on
    bool isBroken = false;  ///< since it did
    bool hasFailed = false; ///< an allocation or a call did
    cudaError_t lastError = cudaSuccess;
};

/// Tests change it as they like. What is held stays held when it is replaced.
extern Machine machine;

/// For a test's fixture: leaves a new machine to the next one.
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
    uint64_t calls;       ///< that can fail, but for allocations
    uint64_t allocations; ///< successful or not
    uint64_t blocksHeld;  ///< of memory, of both kinds
    uint64_t streamsHeld; ///< and events and graphs
    uint64_t waits;       ///< for a stream
    uint64_t switches;    ///< of a thread to another device, by pushing its context
    uint64_t contexts;    ///< a bit for each device on which one was made
    uint64_t contextsHeld;
    uint64_t copiesToDevice; ///< from the host
    uint64_t bytesToDevice;  ///< that these took along
    uint64_t captures;       ///< of graphs, begun
    uint64_t graphLaunches;
    uint64_t nodesSet; ///< arguments that a graph got after it was made
};

extern Counts counts;

/// Puts `work` into the stream. A call that can fail.
cudaError_t enqueue( cudaStream_t stream, std::function<void()> work );

// What the emulation's own files share.

/// Every call that can fail begins with this.
cudaError_t beginCall();

/// Something is made or given back on the thread's device: then there is a context on it.
void useContext();

/// Puts it into the stream, or into what the stream captures; there it can be bound to other arguments, if it is a
/// kernel.
void put( cudaStream_t stream, std::function<void()> work, Bind bind );

/// A launch: `thread` for every thread of all blocks.
std::function<void()> gridOf( dim3 blockCount, dim3 blockSize, std::function<void()> thread );

/// Keeps the error for cudaGetLastError, if it is one, and returns it.
cudaError_t note( cudaError_t error );

/// True if the countdown reaches its end, which it does once. Then something fails.
bool runsOut( int64_t& countdown );

void runAllStreams();

/// Lets everybody touch the device's memory, or nobody (memory.cpp).
void makeAccessible( bool accessible );

/// Runs `thread` once for each thread of a block (fibers.cpp).
void runBlock( const std::function<void()>& thread, unsigned threadCount, Order order );

} // namespace emulation

#endif
