// SPDX-License-Identifier: Zlib
// The sort against std::stable_sort: keys spread evenly, keys that share their leading bits, and counts around the
// sizes at which it changes its ways.
extern "C" {
#include "gpu/host/radix_sort.h"
}

#include "tests/support/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace test;

namespace
{

class RadixSort : public testing::TestWithParam<int>
{
protected:
    RadixSort()
    {
        m_def = cltDefaultBroadphaseDef();
        m_def.threadCount = GetParam();
        cltMemory_Init( &m_memory, &m_def );
        EXPECT_EQ( clt_ok, cltCreateWorkerPool( &m_def, &m_memory, &m_pool ) );
    }

    ~RadixSort() override
    {
        cltBuffer_Release( &m_keys, &m_memory );
        cltRadixSort_Release( &m_sort, &m_memory );
        cltDestroyWorkerPool( m_pool, &m_memory );
        EXPECT_EQ( 0u, m_memory.bytes );
    }

    /// Bits from `endBit` on must be the same in all keys.
    void expectSorted( std::vector<uint64_t> keys, uint32_t firstBit, uint32_t endBit )
    {
        ASSERT_EQ( clt_ok, cltBuffer_Reserve( &m_keys, &m_memory, keys.size() + 1, sizeof( uint64_t ) ) );
        std::copy( keys.begin(), keys.end(), static_cast<uint64_t*>( m_keys.data ) );
        ASSERT_EQ( clt_ok, cltRadixSort_Run( &m_sort, m_pool, &m_memory, &m_keys, keys.size(), firstBit, endBit ) );
        std::stable_sort( keys.begin(), keys.end(),
                          [=]( uint64_t a, uint64_t b ) { return a >> firstBit < b >> firstBit; } );
        const uint64_t* sorted = static_cast<const uint64_t*>( m_keys.data );
        for ( size_t i = 0; i < keys.size(); ++i )
        {
            ASSERT_EQ( keys[i], sorted[i] ) << "at " << i << " of " << keys.size();
        }
    }

    Random m_random{ 81 };

private:
    cltBroadphaseDef m_def;
    cltMemory m_memory;
    cltWorkerPool* m_pool = nullptr;
    cltBuffer m_keys = {};
    cltRadixSort m_sort = {};
};

INSTANTIATE_TEST_SUITE_P( Threads, RadixSort, testing::Values( 1, 4 ) );

} // namespace

TEST_P( RadixSort, KeysSpreadEvenly )
{
    for ( size_t count : { 0, 1, 2, 31, 32, 33, 100, 4096, 16383, 16384, 16385, 50000, 300000 } )
    {
        std::vector<uint64_t> keys( count );
        for ( uint64_t& key : keys )
        {
            key = m_random.bits() >> 29;
        }
        expectSorted( keys, 0, 35 );
    }
}

/// As when one body meets all others: the leading half is the same everywhere, and runs cross every border of a chunk.
TEST_P( RadixSort, OneBodyMeetsAll )
{
    std::vector<uint64_t> keys( 60000 );
    for ( uint64_t& key : keys )
    {
        key = uint64_t{ 7 } << 17 | m_random.below( 1u << 17 );
    }
    expectSorted( keys, 0, 35 );
}

TEST_P( RadixSort, RunsOfEveryLength )
{
    std::vector<uint64_t> keys;
    for ( uint64_t run = 0; run < 400; ++run )
    {
        for ( uint64_t i = 0; i < run; ++i )
        {
            keys.push_back( ( run * 2654435761u % 4096 ) << 40 | m_random.below( 1u << 20 ) );
        }
    }
    expectSorted( keys, 0, 52 );
}

TEST_P( RadixSort, BitsBelowTheFirstAreNotLookedAt )
{
    std::vector<uint64_t> keys( 40000 );
    for ( size_t i = 0; i < keys.size(); ++i )
    {
        keys[i] = uint64_t{ m_random.below( 3000 ) } << 32 | ( keys.size() - i ); // falling: a sort by all would show
    }
    expectSorted( keys, 32, 63 );
}

TEST_P( RadixSort, FewBits )
{
    for ( uint32_t endBit = 1; endBit < 12; ++endBit )
    {
        std::vector<uint64_t> keys( 20000 );
        for ( uint64_t& key : keys )
        {
            key = m_random.below( 1u << endBit );
        }
        expectSorted( keys, 0, endBit );
    }
}
