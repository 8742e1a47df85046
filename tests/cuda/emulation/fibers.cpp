// SPDX-License-Identifier: Zlib
// The threads of a block, one after the other. A thread that comes to a barrier is left there with its stack, and
// another stack takes over for those that have not started; when all stand at the barrier, each goes on in turn.
// Kernels without barriers need a single stack for all their threads.
#include "tests/cuda/emulation/emulation.h"

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
    bool atBarrier = false;
};

struct Block
{
    const std::function<void()>* thread = nullptr;
    unsigned threadCount = 0;
    unsigned startedCount = 0;
    emulation::Order order = emulation::Order::forward;
    Place scheduler;
    Fiber* running = nullptr;
    std::vector<std::unique_ptr<Fiber>> waiting;
    std::vector<std::unique_ptr<Fiber>> arrived; ///< those of the last barrier
    std::vector<std::unique_ptr<Fiber>> idle;    ///< stacks to use again
};

Block block;

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

void arrive( Place& from )
{
#if defined( __SANITIZE_ADDRESS__ )
    __sanitizer_finish_switch_fiber( nullptr, &from.stack, &from.size );
#else
    (void)from;
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
    if ( __builtin_setjmp( from.jump ) != 0 )
    {
        arrive( to ); // somebody came back
        return;
    }
    announce( to );
    goTo( to );
}

void runThreads()
{
    arrive( block.scheduler );
    for ( ;; )
    {
        while ( block.startedCount < block.threadCount )
        {
            const unsigned i = block.startedCount++;
            block.running->thread = block.order == emulation::Order::forward ? i : block.threadCount - 1 - i;
            threadIdx.x = block.running->thread;
            ( *block.thread )();
        }
        switchTo( block.running->place, block.scheduler ); // idle until there are threads again
    }
}

std::unique_ptr<Fiber> newFiber()
{
    auto fiber = std::make_unique<Fiber>();
    fiber->place.entered = false;
    getcontext( &fiber->place.context );
    fiber->place.stack = fiber->place.context.uc_stack.ss_sp = fiber->stack.get();
    fiber->place.size = fiber->place.context.uc_stack.ss_size = stackSize;
    fiber->place.context.uc_link = nullptr;
    makecontext( &fiber->place.context, runThreads, 0 );
    return fiber;
}

/// Runs a fiber until it comes to a barrier or has nothing more to do.
void resume( std::unique_ptr<Fiber> fiber )
{
    fiber->atBarrier = false;
    block.running = fiber.get();
    threadIdx.x = fiber->thread;
    switchTo( block.scheduler, fiber->place );
    ( fiber->atBarrier ? block.waiting : block.idle ).push_back( std::move( fiber ) );
}

void startThreads()
{
    while ( block.startedCount < block.threadCount )
    {
        if ( block.idle.empty() )
        {
            block.idle.push_back( newFiber() );
        }
        std::unique_ptr<Fiber> fiber = std::move( block.idle.back() );
        block.idle.pop_back();
        resume( std::move( fiber ) );
    }
}

} // namespace

void __syncthreads()
{
    block.running->atBarrier = true;
    switchTo( block.running->place, block.scheduler );
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
    startThreads();
    while ( !block.waiting.empty() )
    {
        if ( block.waiting.size() != threadCount )
        {
            std::fprintf( stderr, "%zu of %u threads came to a barrier\n", block.waiting.size(), threadCount );
            std::abort();
        }
        block.arrived.clear();
        block.arrived.swap( block.waiting );
        for ( std::unique_ptr<Fiber>& fiber : block.arrived )
        {
            resume( std::move( fiber ) );
        }
    }
}
