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

#include "tests/cuda/emulation/cuda_runtime.h"

#include <cstdint>

namespace emulation
{

/// What a program finds when it asks.
struct Machine
{
    int driverVersion = 13000;
    cudaError_t deviceCountError = cudaSuccess;
    int deviceCount = 1;
    int major = 9;
    int minor = 0;
    cudaError_t codeError = cudaSuccess; ///< what looking for a kernel's code gives
};

struct Counts
{
    uint64_t calls;          ///< that can fail, but for allocations
    uint64_t allocations;    ///< so far
    uint64_t blocksHeld;     ///< of memory, of both kinds
    uint64_t streamsHeld;    ///< and events
    uint64_t waits;          ///< for a stream
    uint64_t switches;       ///< from one device to another
    uint64_t copiesToDevice; ///< from the host
    uint64_t bytesToDevice;  ///< that these took along
};

enum class Order
{
    forward,
    backward
};

/// Everything as at the start: a machine with a device on which nothing fails. What is held stays held.
void reset();

void setMachine( const Machine& machine );
void setOrder( Order order );

/// The allocation after the next `count` fails, once. Negative: none does.
void failAllocationAfter( int64_t count );

/// The call after the next `count` fails, once.
void failCallAfter( int64_t count );

/// The same, and nothing works from then on: what is in the streams is lost, and every call fails.
void breakAfter( int64_t count );

/// True if an allocation or call failed since the last reset.
bool hasFailed();

Counts counts();

/// Puts `work` into the stream. A call that can fail.
cudaError_t enqueue( cudaStream_t stream, std::function<void()> work );

/// Runs `thread` once for each thread of a block (fibers.cpp).
void runBlock( const std::function<void()>& thread, unsigned threadCount, Order order );

} // namespace emulation

#endif
