// SPDX-License-Identifier: Zlib
// The sort against std::stable_sort: evenly spread keys, keys that share their leading bits, and counts around the
// sizes at which the sort changes its method.
extern "C" {
#include "gpu/host/radix_sort.h"
}

#include "tests/support/random.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

using namespace test;

namespace
{

/// Keys to sort by the bits from `firstBit` to `endBit`. Bits from `endBit` on are the same in all keys.
struct KeyKind
{
    const char* name;
    std::vector<size_t> counts;
    uint32_t firstBit;
    uint32_t endBit;
    std::function<uint64_t( Random&, size_t i )> key;
};

const std::vector<KeyKind> kinds = {
    { "evenly spread",
      { 0, 1, 2, 31, 32, 33, 100, 4096, 16384, 32767, 32768, 32769, 50000, 300000 },
      0,
      35,
      []( Random& random, size_t ) { return random.bits() >> 29; } },
    { "one body that meets all: the leading half is the same in all keys",
      { 60000 },
      0,
      35,
      []( Random& random, size_t ) { return uint64_t{ 7 } << 17 | random.below( 1u << 17 ); } },
    { "neighbouring slots, as in a mesh: few keys differ in their leading bits",
      { 3000, 40000, 250000 },
      0,
      37,
      []( Random& random, size_t )
      {
          const uint64_t low = random.below( 40000 );
          return random.bits() >> 63 << 36 | low << 18 | ( low + random.below( 500 ) );
      } },
    { "half of all keys share all leading bits except the last: buckets within buckets, three times",
      { 300000 },
      0,
      40,
      []( Random& random, size_t )
      {
          const uint64_t low = random.oneIn( 2 ) ? random.below( 2 ) : random.below( 1u << 20 );
          return low << 20 | random.below( 1u << 20 );
      } },
    { "runs of every length",
      { 80000 },
      0,
      52,
      []( Random& random, size_t i )
      {
          const uint64_t run = static_cast<uint64_t>( std::sqrt( 2.0 * static_cast<double>( i ) ) );
          return ( run * 2654435761u % 4096 ) << 40 | random.below( 1u << 20 );
      } },
    { "low bits that descend and do not count",
      { 40000 },
      32,
      63,
      []( Random& random, size_t i ) { return uint64_t{ random.below( 3000 ) } << 32 | ( 40000 - i ); } },
    { "one bit", { 20000 }, 0, 1, []( Random& random, size_t ) { return uint64_t{ random.below( 2 ) }; } },
    { "eleven bits", { 20000 }, 0, 11, []( Random& random, size_t ) { return uint64_t{ random.below( 2048 ) }; } },
};

} // namespace

TEST( RadixSort, EqualsStableSortForKeysOfEveryKind )
{
    for ( int threadCount : { 1, 4 } )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = threadCount;
        cltMemory memory;
        cltMemory_Init( &memory, &def );
        cltWorkerPool* pool = nullptr;
        ASSERT_EQ( clt_ok, cltCreateWorkerPool( &def, &memory, &pool ) );
        cltBuffer buffer = {};
        cltRadixSort sort = {};
        Random random( 81 );
        for ( const KeyKind& kind : kinds )
        {
            for ( size_t count : kind.counts )
            {
                ASSERT_EQ( clt_ok, cltBuffer_Reserve( &buffer, &memory, count + 1, sizeof( uint64_t ) ) );
                uint64_t* sorted = static_cast<uint64_t*>( buffer.data );
                std::vector<uint64_t> keys;
                for ( size_t i = 0; i < count; ++i )
                {
                    keys.push_back( sorted[i] = kind.key( random, i ) );
                }
                ASSERT_EQ( clt_ok,
                           cltRadixSort_Run( &sort, pool, &memory, &buffer, count, kind.firstBit, kind.endBit ) );
                std::stable_sort( keys.begin(), keys.end(),
                                  [&]( uint64_t a, uint64_t b ) { return a >> kind.firstBit < b >> kind.firstBit; } );
                EXPECT_EQ( 0, count == 0 ? 0 : std::memcmp( keys.data(), buffer.data, count * sizeof keys[0] ) )
                    << kind.name << ", " << count << " keys, " << threadCount << " threads";
            }
        }
        cltBuffer_Release( &buffer, &memory );
        cltRadixSort_Release( &sort, &memory );
        cltDestroyWorkerPool( pool, &memory );
        EXPECT_EQ( 0u, memory.bytes );
    }
}
