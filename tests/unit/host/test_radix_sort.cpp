// SPDX-License-Identifier: Zlib
// The sort against std::stable_sort: evenly spread keys, keys that share their leading bits, and counts around the
// sizes at which the sort changes its method.
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
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = GetParam();
        cltMemory_Init( &m_memory, &def );
        EXPECT_EQ( clt_ok, cltCreateWorkerPool( &def, &m_memory, &m_pool ) );
    }

    ~RadixSort() override
    {
        cltBuffer_Release( &m_keys, &m_memory );
        cltRadixSort_Release( &m_sort, &m_memory );
        cltDestroyWorkerPool( m_pool, &m_memory );
        EXPECT_EQ( 0u, m_memory.bytes );
    }

    template <typename Key>
    static std::vector<uint64_t> keysOf( size_t count, Key key )
    {
        std::vector<uint64_t> keys( count );
        std::generate( keys.begin(), keys.end(), key );
        return keys;
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
        EXPECT_TRUE( std::equal( keys.begin(), keys.end(), sorted ) ) << keys.size() << " keys";
    }

    Random m_random{ 81 };
    cltMemory m_memory;
    cltWorkerPool* m_pool = nullptr;
    cltBuffer m_keys = {};
    cltRadixSort m_sort = {};
};

INSTANTIATE_TEST_SUITE_P( Threads, RadixSort, testing::Values( 1, 4 ) );

} // namespace

TEST_P( RadixSort, SortsEvenlySpreadKeys )
{
    for ( size_t count : { 0, 1, 2, 31, 32, 33, 100, 4096, 16384, 32767, 32768, 32769, 50000, 300000 } )
    {
        expectSorted( keysOf( count, [this] { return m_random.bits() >> 29; } ), 0, 35 );
    }
}

/// As if one body overlaps all others: the leading half is the same in all keys.
TEST_P( RadixSort, SortsKeysOfOneBodyThatMeetsAll )
{
    expectSorted( keysOf( 60000, [this] { return uint64_t{ 7 } << 17 | m_random.below( 1u << 17 ); } ), 0, 35 );
}

/// As in a mesh: the partners of a slot are its neighbours, so few keys differ in their leading bits.
TEST_P( RadixSort, SortsKeysOfNeighbouringSlots )
{
    for ( size_t count : { 3000, 40000, 250000 } )
    {
        expectSorted( keysOf( count,
                              [this]
                              {
                                  const uint64_t low = m_random.below( 40000 );
                                  return m_random.bits() >> 63 << 36 | low << 18 | ( low + m_random.below( 500 ) );
                              } ),
                      0, 37 );
    }
}

/// Half of all keys share all leading bits except the last. They are divided into buckets three times.
TEST_P( RadixSort, SortsBucketsWithinBuckets )
{
    expectSorted( keysOf( 300000,
                          [this]
                          {
                              const uint64_t low =
                                  m_random.oneIn( 2 ) ? m_random.below( 2 ) : m_random.below( 1u << 20 );
                              return low << 20 | m_random.below( 1u << 20 );
                          } ),
                  0, 40 );
}

TEST_P( RadixSort, SortsRunsOfEveryLength )
{
    std::vector<uint64_t> keys;
    for ( uint64_t run = 0; run < 400; ++run )
    {
        const uint64_t leading = ( run * 2654435761u % 4096 ) << 40;
        std::generate_n( std::back_inserter( keys ), run, [&] { return leading | m_random.below( 1u << 20 ); } );
    }
    expectSorted( keys, 0, 52 );
}

/// The low bits descend, so a sort by all bits would be detected.
TEST_P( RadixSort, IgnoresBitsBelowTheFirst )
{
    uint64_t low = 40000;
    expectSorted( keysOf( low, [&] { return uint64_t{ m_random.below( 3000 ) } << 32 | low--; } ), 32, 63 );
}

TEST_P( RadixSort, SortsByFewBits )
{
    for ( uint32_t endBit = 1; endBit < 12; ++endBit )
    {
        expectSorted( keysOf( 20000, [&] { return m_random.below( 1u << endBit ); } ), 0, endBit );
    }
}
