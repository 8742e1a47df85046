// SPDX-License-Identifier: Zlib
/// \file hooks.h
/// Hooks that record their use by the library: memory that counts and fails on request, and loops in unusual orders.
#ifndef CLT_TESTS_HOOKS_H
#define CLT_TESTS_HOOKS_H

#include "cullet.h"

#include <atomic>
#include <functional>
#include <map>
#include <thread>

namespace test
{

/// The user context of all hooks below.
class Hooks
{
public:
    /// Makes `count` consecutive allocations fail, from the `call`th from now on; 1 is the next allocation.
    void failAllocations( uint64_t call, uint64_t count );

    /// Number of allocations, failed ones included, since the hooks were created.
    uint64_t allocationCount() const
    {
        return m_allocationCount;
    }

    /// Number of allocations that failed.
    uint64_t failureCount() const
    {
        return m_failureCount;
    }

    size_t bytesHeld() const;

    /// Number of loops that the library passed to the parallelFor hook.
    uint64_t loopCount() const
    {
        return m_loopCount;
    }

    /// Number of ranges into which the hook divided all loops.
    uint64_t rangeCount() const
    {
        return m_rangeCount;
    }

    /// Sets the memory hooks and the user context.
    void installMemory( cltBroadphaseDef& def );

    /// Sets one of the loops below and the user context.
    void installLoop( cltBroadphaseDef& def, cltParallelForFcn* loop );

    static void backwardLoop( cltTask* task, uint32_t count, uint32_t grain, void* taskContext, void* userContext );
    static void threadedLoop( cltTask* task, uint32_t count, uint32_t grain, void* taskContext, void* userContext );

private:
    static void* allocate( size_t size, size_t alignment, void* userContext );
    static void release( void* memory, size_t size, void* userContext );

    /// Notes that a loop begins. Returns the number of ranges to divide it into.
    uint32_t beginLoop( uint32_t count, uint32_t grain );
    void endLoop();

    std::map<void*, size_t> m_blocks;
    std::thread::id m_caller = std::this_thread::get_id();
    std::atomic<bool> m_inLoop{ false };
    uint64_t m_allocationCount = 0;
    uint64_t m_failureCount = 0;
    uint64_t m_loopCount = 0;
    uint64_t m_rangeCount = 0;
    uint64_t m_failFirst = 0; // number of the first allocation that fails; 0: none fails
    uint64_t m_failLast = 0;
};

/// Calls `live` with fresh hooks and k = 1, 2, ... until a call has no failed allocation. `live` must let the k-th
/// allocation fail, by failAllocations, and release all memory. Returns the number of calls with a failed allocation.
uint64_t failEachAllocation( const std::function<void( Hooks& hooks, uint64_t k )>& live );

} // namespace test

#endif
