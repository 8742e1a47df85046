// SPDX-License-Identifier: Zlib
// The threads of a block, one after the other. A thread that comes to a barrier is left there with its stack, and
// another stack takes over for those that have not started; when all stand at the barrier, each goes on in turn.
// Who stops goes on at the next one's place itself: two jumps, by way of a scheduler, took twice as long.
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

/// A place to run at: a fiber's stack, or the thread's own.
struct Place
{
    ucontext_t context;
    void* jump[5]; ///< as __builtin_setjmp wants it
    bool entered = true;
    const void* stack = nullptr; ///< for AddressSanitizer
    size_t size = 0;
};

struct Fiber
{
    Place place;
    std::unique_ptr<char[]> stack{ new char[stackSize] };
    unsigned thread = 0;
};

struct Block
{
    const std::function<void()>* thread = nullptr;
    unsigned threadCount = 0;
    unsigned startedCount = 0;
    emulation::Order order = emulation::Order::forward;
    Place caller;
    Place* left = nullptr; ///< where the last jump came from
    std::vector<Fiber*> waiting;
    std::vector<Fiber*> released; ///< those of the last barrier
    size_t resumedCount = 0;      ///< of these
    std::vector<Fiber*> idle;     ///< stacks to use again
    std::vector<std::unique_ptr<Fiber>> fibers;
};

Block block;
Fiber* running = nullptr;

// AddressSanitizer wants to know which stack is next, before the switch, and after it which one was left. It would find
// that out by itself where contexts are changed, at fifty times the price.

void announce( const Place& to )
{
#if defined( __SANITIZE_ADDRESS__ )
    __sanitizer_start_switch_fiber( nullptr, to.stack, to.size );
#else
    (void)to;
#endif
}

void arrive()
{
#if defined( __SANITIZE_ADDRESS__ )
    __sanitizer_finish_switch_fiber( nullptr, &block.left->stack, &block.left->size );
#endif
}

#if defined( __GNUC__ )
__attribute__( ( noinline, no_sanitize_address ) )
#endif
void goTo( Place& to )
{
    if ( to.entered )
    {
        __builtin_longjmp( to.jump, 1 );
    }
    to.entered = true;
    setcontext( &to.context );
}

/// Goes on at another place; returns when somebody comes back to this one. A jump is many times faster than a change of
/// context, which asks the system for its signals; the compiler's own jump also than that of the library, about which
/// AddressSanitizer asks the system.
void switchTo( Place& from, Place& to )
{
    block.left = &from;
    if ( __builtin_setjmp( from.jump ) != 0 )
    {
        arrive(); // somebody came back
        return;
    }
    announce( to );
    goTo( to );
}

void runThreads();

/// The stacks begin at different places of a page: else the same few lines of a cache would hold the ends of all.
Fiber* newFiber()
{
    block.fibers.push_back( std::make_unique<Fiber>() );
    Fiber& fiber = *block.fibers.back();
    fiber.place.entered = false;
    getcontext( &fiber.place.context );
    fiber.place.stack = fiber.place.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.place.size = fiber.place.context.uc_stack.ss_size = stackSize - block.fibers.size() % 16 * 256;
    fiber.place.context.uc_link = nullptr;
    makecontext( &fiber.place.context, runThreads, 0 );
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

/// All that have started have come to a barrier or to their end.
void releaseBarrier()
{
    if ( block.waiting.size() != block.threadCount )
    {
        std::fprintf( stderr, "%zu of %u threads came to a barrier\n", block.waiting.size(), block.threadCount );
        std::abort();
    }
    block.released.swap( block.waiting );
    block.waiting.clear();
    block.resumedCount = 0;
}

/// \return NULL if all threads came to their end
Fiber* nextFiber()
{
    if ( block.startedCount < block.threadCount )
    {
        return takeIdle();
    }
    if ( block.resumedCount == block.released.size() && !block.waiting.empty() )
    {
        releaseBarrier();
    }
    return block.resumedCount < block.released.size() ? block.released[block.resumedCount++] : nullptr;
}

/// Lets the next one run; returns when it is the turn of the one that calls.
void stop()
{
    Fiber* stopped = running;
    running = nextFiber();
    if ( running != stopped )
    {
        switchTo( stopped->place, running != nullptr ? running->place : block.caller );
    }
    threadIdx.x = stopped->thread;
}

void runThreads()
{
    arrive();
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
        stop(); // until there are threads again
    }
}

} // namespace

void __syncthreads()
{
    block.waiting.push_back( running );
    stop();
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

void emulation::runBlock( const std::function<void()>& thread, unsigned threadCount, Order order )
{
    block.thread = &thread;
    block.threadCount = threadCount;
    block.startedCount = 0;
    block.order = order;
    block.released.clear();
    block.resumedCount = 0;
    running = nextFiber();
    if ( running != nullptr )
    {
        switchTo( block.caller, running->place );
    }
}
