// SPDX-License-Identifier: Zlib
// Each hook also checks what cullet.h promises about how it is called.
#include "tests/behaviour/bridge/hooks.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <new>
#include <vector>

namespace test
{

/// The bytes behind each block, which detect writes out of bounds.
static const ptrdiff_t guardSize = 64;
static const unsigned char rubbish = 0xa5;

static const std::align_val_t blockAlignment{ 64 };

void Hooks::failAllocations( uint64_t call, uint64_t count )
{
    m_failFirst = m_allocationCount + call;
    m_failLast = m_failFirst + count - 1;
}

size_t Hooks::bytesHeld() const
{
    size_t bytes = 0;
    for ( const auto& block : m_blocks )
    {
        bytes += block.second;
    }
    return bytes;
}

void Hooks::installMemory( cltBroadphaseDef& def )
{
    def.hooks.allocate = allocate;
    def.hooks.release = release;
    def.hooks.userContext = this;
}

void Hooks::installLoop( cltBroadphaseDef& def, cltParallelForFcn* loop )
{
    def.hooks.parallelFor = loop;
    def.hooks.userContext = this;
}

void* Hooks::allocate( size_t size, size_t alignment, void* userContext )
{
    Hooks* hooks = static_cast<Hooks*>( userContext );
    EXPECT_EQ( hooks->m_caller, std::this_thread::get_id() );
    EXPECT_FALSE( hooks->m_inLoop ) << "allocation inside parallelFor";
    EXPECT_GT( size, 0u );
    EXPECT_TRUE( alignment != 0 && ( alignment & ( alignment - 1 ) ) == 0 ) << alignment;

    uint64_t call = ++hooks->m_allocationCount;
    if ( hooks->m_failFirst != 0 && call >= hooks->m_failFirst && call <= hooks->m_failLast )
    {
        ++hooks->m_failureCount;
        return nullptr;
    }
    EXPECT_LE( alignment, size_t( blockAlignment ) );
    void* memory = ::operator new( size + guardSize, blockAlignment );
    // Fills new memory with garbage, because code that relies on zeros must fail.
    std::fill_n( static_cast<unsigned char*>( memory ), size + guardSize, rubbish );
    hooks->m_blocks[memory] = size;
    return memory;
}

void Hooks::release( void* memory, size_t size, void* userContext )
{
    Hooks* hooks = static_cast<Hooks*>( userContext );
    EXPECT_EQ( hooks->m_caller, std::this_thread::get_id() );
    EXPECT_FALSE( hooks->m_inLoop ) << "release inside parallelFor";
    auto block = hooks->m_blocks.find( memory );
    if ( block == hooks->m_blocks.end() )
    {
        ADD_FAILURE() << "released what was not allocated";
        return;
    }
    EXPECT_EQ( block->second, size );
    const unsigned char* guard = static_cast<unsigned char*>( memory ) + block->second;
    EXPECT_EQ( guardSize, std::count( guard, guard + guardSize, rubbish ) ) << "written behind its end";
    hooks->m_blocks.erase( block );
    ::operator delete( memory, blockAlignment );
}

uint32_t Hooks::beginLoop( uint32_t count, uint32_t grain )
{
    EXPECT_GT( grain, 0u ) << "for " << count << " indices";
    EXPECT_FALSE( m_inLoop.exchange( true ) ) << "parallelFor inside parallelFor";
    ++m_loopCount;
    uint32_t rangeCount = count / grain + ( count % grain != 0 );
    m_rangeCount += rangeCount;
    return rangeCount;
}

void Hooks::endLoop()
{
    m_inLoop = false;
}

static void runRange( cltTask* task, uint32_t range, uint32_t count, uint32_t grain, void* taskContext )
{
    uint32_t first = range * grain;
    task( first, first + std::min( grain, count - first ), taskContext );
}

void Hooks::backwardLoop( cltTask* task, uint32_t count, uint32_t grain, void* taskContext, void* userContext )
{
    Hooks* hooks = static_cast<Hooks*>( userContext );
    uint32_t rangeCount = hooks->beginLoop( count, grain );
    for ( uint32_t range = rangeCount; range-- > 0; )
    {
        runRange( task, range, count, grain, taskContext );
    }
    hooks->endLoop();
}

void Hooks::threadedLoop( cltTask* task, uint32_t count, uint32_t grain, void* taskContext, void* userContext )
{
    Hooks* hooks = static_cast<Hooks*>( userContext );
    uint32_t rangeCount = hooks->beginLoop( count, grain );
    std::atomic<uint32_t> next( 0 );
    auto work = [&]
    {
        for ( uint32_t range = next++; range < rangeCount; range = next++ )
        {
            runRange( task, range, count, grain, taskContext );
        }
    };
    std::vector<std::thread> threads;
    for ( uint32_t i = 0; i < std::min( rangeCount, 4u ); ++i )
    {
        threads.emplace_back( work );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
    hooks->endLoop();
}

uint64_t failEachAllocation( const std::function<void( Hooks& hooks, uint64_t k )>& live )
{
    for ( uint64_t k = 1;; ++k )
    {
        SCOPED_TRACE( "allocation " + std::to_string( k ) );
        Hooks hooks;
        live( hooks, k );
        EXPECT_EQ( 0u, hooks.bytesHeld() );
        if ( testing::Test::HasFailure() || hooks.failureCount() == 0 )
        {
            return k - 1;
        }
    }
}

} // namespace test
