// SPDX-License-Identifier: Zlib
// Runs the threads of a block, one after the other. A thread at a barrier is suspended with its stack, and the threads
// that have not started run on another stack. When all threads wait at the barrier, each is resumed in turn.
// A suspended thread switches to the next one directly: going through a scheduler took twice as long.
// Kernels without barriers need a single stack for all their threads.
#include "tests/device/emulation/emulation.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ucontext.h>
#include <vector>

#if defined( __SANITIZE_ADDRESS__ )
#include <sanitizer/common_interface_defs.h>
#endif

dim3 threadIdx;
dim3 blockIdx;
dim3 blockDim;
dim3 gridDim;

namespace
{

constexpr size_t stackSize = 256 * 1024;

/// Where execution continues after a switch: on the stack of a fiber, or on the stack of the caller of runBlock.
struct SavedContext
{
    ucontext_t context;
    void* jump[5];               ///< buffer of __builtin_setjmp
    bool entered = true;         ///< false until the first switch to a new fiber
    const void* stack = nullptr; ///< for AddressSanitizer
    size_t size = 0;
};

struct Fiber
{
    SavedContext savedContext;
    std::unique_ptr<char[]> stack{ new char[stackSize] };
    unsigned thread = 0;
};

constexpr size_t maxThreads = 1024; ///< of a block, as on a device

struct Block
{
    const std::function<void()>* thread = nullptr;
    unsigned threadCount = 0;
    unsigned startedCount = 0;
    emulation::Order order = emulation::Order::forward;
    SavedContext caller;
    SavedContext* jumpOrigin = nullptr; ///< where the last jump came from
    Fiber* ring[maxThreads];            ///< fibers in the order in which they reach each barrier
    unsigned ringSize = 0;
    unsigned position = 0;     ///< of the running fiber in the ring
    unsigned arrivedCount = 0; ///< threads at the current barrier
    std::vector<Fiber*> idle;  ///< stacks to use again
    std::vector<std::unique_ptr<Fiber>> fibers;
};

Block block;
Fiber* running = nullptr;

// For AddressSanitizer: announceSwitch() names the next stack before a switch; finishSwitch() gets the previous one.
// With swapcontext() AddressSanitizer would know both stacks by itself, at fifty times the cost.

void announceSwitch( const SavedContext& to )
{
#if defined( __SANITIZE_ADDRESS__ )
    __sanitizer_start_switch_fiber( nullptr, to.stack, to.size );
#else
    (void)to;
#endif
}

void finishSwitch()
{
#if defined( __SANITIZE_ADDRESS__ )
    __sanitizer_finish_switch_fiber( nullptr, &block.jumpOrigin->stack, &block.jumpOrigin->size );
#endif
}

#if defined( __GNUC__ )
__attribute__( ( noinline, no_sanitize_address ) )
#endif
void goTo( SavedContext& to )
{
    if ( to.entered )
    {
        __builtin_longjmp( to.jump, 1 );
    }
    to.entered = true;
    setcontext( &to.context );
}

/// Continues at `to`; returns when a fiber switches back to `from`. A jump is many times faster than
/// swapcontext(), which makes a system call for the signal mask. The compiler's built-in jump is also faster than the
/// library's, which AddressSanitizer intercepts.
void switchTo( SavedContext& from, SavedContext& to )
{
    block.jumpOrigin = &from;
    if ( __builtin_setjmp( from.jump ) != 0 )
    {
        finishSwitch();
        return;
    }
    announceSwitch( to );
    goTo( to );
}

void runThreads();

/// Creates a fiber. Stacks begin at different offsets of a page, so that they do not compete for the same cache lines.
Fiber* newFiber()
{
    block.fibers.push_back( std::make_unique<Fiber>() );
    Fiber& fiber = *block.fibers.back();
    fiber.savedContext.entered = false;
    getcontext( &fiber.savedContext.context );
    fiber.savedContext.stack = fiber.savedContext.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.savedContext.size = fiber.savedContext.context.uc_stack.ss_size = stackSize - block.fibers.size() % 16 * 256;
    fiber.savedContext.context.uc_link = nullptr;
    makecontext( &fiber.savedContext.context, runThreads, 0 );
    return &fiber;
}

Fiber* takeIdle()
{
    if ( block.idle.empty() )
    {
        return newFiber();
    }
    Fiber* fiber = block.idle.back();
    block.idle.pop_back();
    return fiber;
}

/// Called when no fiber can run on: each waits at the barrier, or has ended.
void releaseBarrier()
{
    if ( block.arrivedCount != block.threadCount )
    {
        std::fprintf( stderr, "%u of %u threads came to a barrier\n", block.arrivedCount, block.threadCount );
        std::abort();
    }
    block.arrivedCount = 0;
    block.position = 0;
}

/// \return NULL if all threads have ended
Fiber* nextFiber()
{
    if ( block.startedCount < block.threadCount )
    {
        return takeIdle();
    }
    if ( ++block.position < block.ringSize )
    {
        return block.ring[block.position];
    }
    if ( block.arrivedCount == 0 )
    {
        return nullptr;
    }
    releaseBarrier();
    return block.ring[0];
}

/// Runs the next fiber; returns when the calling fiber is resumed.
void suspend()
{
    Fiber* stopped = running;
    running = nextFiber();
    if ( running != stopped )
    {
        switchTo( stopped->savedContext, running != nullptr ? running->savedContext : block.caller );
    }
    threadIdx.x = stopped->thread;
}

void runThreads()
{
    finishSwitch();
    for ( ;; )
    {
        Fiber& fiber = *running;
        while ( block.startedCount < block.threadCount )
        {
            const unsigned i = block.startedCount++;
            fiber.thread = block.order == emulation::Order::forward ? i : block.threadCount - 1 - i;
            threadIdx.x = fiber.thread;
            ( *block.thread )();
        }
        block.idle.push_back( &fiber );
        suspend(); // until another block has threads to start
    }
}

} // namespace

void __syncthreads()
{
    ++block.arrivedCount;
    if ( block.ringSize < block.threadCount ) // the first barrier
    {
        block.position = block.ringSize;
        block.ring[block.ringSize++] = running;
    }
    suspend();
}

unsigned __ballot_sync( unsigned mask, bool vote )
{
    static bool votes[1024]; // by thread of the block
    const unsigned lane = threadIdx.x % 32;
    const unsigned firstOfWarp = threadIdx.x - lane;
    votes[threadIdx.x] = vote;
    __syncthreads();
    unsigned word = 0;
    for ( unsigned i = 0; i < 32; ++i )
    {
        word |= votes[firstOfWarp + i] ? 1u << i : 0u;
    }
    __syncthreads(); // before the next vote
    return word & mask;
}

uint32_t emulation::shuffle( uint32_t word, unsigned fromLane )
{
    static uint32_t words[1024]; // by thread of the block
    words[threadIdx.x] = word;
    __syncthreads();
    const uint32_t other = words[threadIdx.x - threadIdx.x % 32 + fromLane];
    __syncthreads(); // before the next shuffle
    return other;
}

void emulation::runBlock( const std::function<void()>& thread, unsigned threadCount, Order order )
{
    block.thread = &thread;
    block.threadCount = threadCount;
    block.startedCount = 0;
    block.order = order;
    block.ringSize = 0;
    block.position = 0;
    block.arrivedCount = 0;
    running = nextFiber();
    if ( running != nullptr )
    {
        switchTo( block.caller, running->savedContext );
    }
}
