// SPDX-License-Identifier: Zlib
// The threads of a block, one after the other. A thread that comes to a barrier is left there with its stack, and
// another stack takes over for those that have not started; when all stand at the barrier, each goes on in turn.
// Kernels without barriers need a single stack for all their threads.
#include "tests/cuda/emulation/emulation.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ucontext.h>
#include <vector>

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
    jmp_buf jump;
    bool entered = true;
};

struct Fiber
{
    Place place;
    std::unique_ptr<char[]> stack = std::unique_ptr<char[]>( new char[stackSize] );
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
    std::vector<std::unique_ptr<Fiber>> idle; ///< stacks to use again
};

Block block;

/// Goes on at another place; returns when somebody comes back to this one. A jump is many times faster than a change of
/// context, which asks the system for its signals; but AddressSanitizer follows contexts and takes no jumps.
void switchTo( Place& from, Place& to )
{
#if defined( __SANITIZE_ADDRESS__ )
    swapcontext( &from.context, &to.context );
#else
    if ( _setjmp( from.jump ) != 0 )
    {
        return; // somebody came back
    }
    if ( to.entered )
    {
        _longjmp( to.jump, 1 );
    }
    to.entered = true;
    setcontext( &to.context );
#endif
}

void runThreads()
{
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
    fiber->place.context.uc_stack.ss_sp = fiber->stack.get();
    fiber->place.context.uc_stack.ss_size = stackSize;
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
        std::vector<std::unique_ptr<Fiber>> arrived;
        arrived.swap( block.waiting );
        for ( std::unique_ptr<Fiber>& fiber : arrived )
        {
            resume( std::move( fiber ) );
        }
    }
}
