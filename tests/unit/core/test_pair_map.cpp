// SPDX-License-Identifier: Zlib
// The index-to-pair map against nested loops. If n is too large for these, it is tested at the borders of each row.
#include "gpu/core/pair_map.h"
#include "tests/support/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using test::Random;

namespace
{

const std::vector<cltPairMap> rootMaps = { { clt_rootHardware, 2 }, { clt_rootCarmack, 1 }, { clt_rootCarmack, 2 },
                                           { clt_rootCarmack, 3 },  { clt_rootCarmack, 4 }, { clt_rootLomont, 1 },
                                           { clt_rootLomont, 2 },   { clt_rootLomont, 3 },  { clt_rootLomont, 4 } };

struct IndexPair
{
    uint32_t i, j;
    bool valid;
};

IndexPair pairOf( const cltPairMap& map, uint32_t n, uint64_t k )
{
    IndexPair pair = {};
    pair.valid = cltPairMap_Pair( &map, n, k, &pair.i, &pair.j );
    return pair;
}

/// The first index of row i.
uint64_t rowStart( uint64_t n, uint64_t i )
{
    return i * ( 2 * n - i - 1 ) / 2;
}

testing::AssertionResult isPairOf( const cltPairMap& map, uint64_t n, uint64_t k, uint64_t i, uint64_t j )
{
    IndexPair pair = pairOf( map, static_cast<uint32_t>( n ), k );
    if ( pair.valid && pair.i == i && pair.j == j )
    {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "n " << n << ", k " << k << ": (" << pair.i << ", " << pair.j
                                       << ") instead of (" << i << ", " << j << "), root " << map.root << ", "
                                       << map.steps << " steps";
}

/// Checks the first and last two indices of each row, where a wrong row shows.
void checkRowBorders( const cltPairMap& map, uint64_t n, uint64_t rowStride )
{
    for ( uint64_t i = 0; i + 1 < n; i += rowStride )
    {
        uint64_t first = rowStart( n, i );
        uint64_t length = n - 1 - i;
        for ( uint64_t k = 0; k < std::min( length, uint64_t( 2 ) ); ++k )
        {
            ASSERT_TRUE( isPairOf( map, n, first + k, i, i + 1 + k ) );
            ASSERT_TRUE( isPairOf( map, n, first + length - 1 - k, i, n - 1 - k ) );
        }
    }
}

void checkEveryIndex( const cltPairMap& map, uint32_t n )
{
    uint64_t k = 0;
    for ( uint32_t i = 0; i < n; ++i )
    {
        for ( uint32_t j = i + 1; j < n; ++j )
        {
            ASSERT_TRUE( isPairOf( map, n, k++, i, j ) );
        }
    }
    EXPECT_EQ( k, cltPairMap_CandidateCount( &map, n ) );
}

} // namespace

TEST( PairMap, IsExactForEveryIndexOfSmallCounts )
{
    for ( const cltPairMap& map : rootMaps )
    {
        for ( uint32_t n = 0; n <= 70; ++n )
        {
            checkEveryIndex( map, n );
        }
        checkEveryIndex( map, 643 ); // a single Newton step and the published rules fail from here on
    }
}

TEST( PairMap, DivideAndModuloVisitsEachPairOnce )
{
    const cltPairMap squareMap = { clt_rootNone, 2 };
    for ( uint32_t n = 0; n <= 70; ++n )
    {
        std::vector<int> visits( n * n, 0 );
        for ( uint64_t k = 0; k < cltPairMap_CandidateCount( &squareMap, n ); ++k )
        {
            IndexPair pair = pairOf( squareMap, n, k );
            ASSERT_EQ( pair.valid, pair.i < pair.j );
            ASSERT_LT( pair.i, n );
            ASSERT_LT( pair.j, n );
            ++visits[pair.i * n + pair.j];
        }
        EXPECT_EQ( visits, std::vector<int>( n * n, 1 ) );
    }
}

TEST( PairMap, IsExactAtEveryRowBorderOfLargeCounts )
{
    // Sizes around which a published variant leaves its domain: float discriminant, unsigned and signed 32 bit squares,
    // n(n-1) in 32 bits, two Newton steps.
    const uint64_t counts[] = { 643,   2048,  4098,  4609,  5794,  23172,  32769,
                                46342, 65536, 65537, 70000, 92683, 212000, 1000000 };
    for ( const cltPairMap& map : rootMaps )
    {
        for ( uint64_t n : counts )
        {
            // One Newton step leaves up to 0.18 % of n rows to correct one by one, so fewer rows are checked.
            bool isSlow = map.root != clt_rootHardware && map.steps == 1 && n > 10000;
            checkRowBorders( map, n, !isSlow ? 1 : n < 1000000 ? 17 : 997 );
        }
    }
}

TEST( PairMap, IsExactForTheLargestCount )
{
    const uint64_t n = CLT_MAX_PROXIES;
    Random random( 1 );
    const cltPairMap& map = rootMaps[0];
    uint64_t total = cltPairMap_CandidateCount( &map, n );
    EXPECT_EQ( total, n / 2 * ( n - 1 ) );
    for ( int repeat = 0; repeat < 20000; ++repeat )
    {
        uint64_t k = random.bits() % total;
        IndexPair pair = pairOf( map, CLT_MAX_PROXIES, k );
        ASSERT_TRUE( pair.valid && pair.i < pair.j && pair.j < n );
        ASSERT_EQ( k, rowStart( n, pair.i ) + pair.j - pair.i - 1 );
    }
    EXPECT_TRUE( isPairOf( map, n, 0, 0, 1 ) );
    EXPECT_TRUE( isPairOf( map, n, total - 1, n - 2, n - 1 ) );
}

TEST( PairMap, EqualsTheExamplesOfThePaper )
{
    // Avril, Gouranton and Arnaldi number bodies from 1: (75, 303) and (48, 285) of 1000.
    for ( const cltPairMap& map : rootMaps )
    {
        EXPECT_TRUE( isPairOf( map, 1000, 71452, 74, 302 ) );
        EXPECT_TRUE( isPairOf( map, 1000, 46108, 47, 284 ) );
    }
}

TEST( PairMap, HardwareRootNeedsCorrectionFrom4609Bodies )
{
    const cltPairMap map = { clt_rootHardware, 1 };
    uint64_t q = 0;
    while ( q < cltTriangle( 5000 ) && cltPairMap_EstimateRow( &map, q ) == cltPairMap_Row( &map, q ) )
    {
        ++q;
    }
    EXPECT_GE( q, cltTriangle( 4607 ) ); // 4608 bodies have the rows 0 .. 4606
    EXPECT_LT( q, cltTriangle( 4608 ) );
}

TEST( PairMap, NewtonStepsNeedCorrection )
{
    for ( const cltPairMap& map : rootMaps )
    {
        uint64_t wrong = 0;
        for ( uint64_t row = 1; row < 70000; ++row )
        {
            wrong += cltPairMap_EstimateRow( &map, cltTriangle( row ) ) != row;
            wrong += cltPairMap_EstimateRow( &map, cltTriangle( row ) - 1 ) != row - 1;
        }
        EXPECT_GT( wrong, 0u ) << "root " << map.root << ", " << map.steps << " steps";
    }
}

TEST( PairMap, FastRootConvergesQuadratically )
{
    // Relative errors of the fast inverse square root after each step: Lomont, Fast Inverse Square Root, 2003.
    const double worst[] = { 0.0018, 6e-6, 4e-7, 4e-7 };
    for ( cltRoot root : { clt_rootCarmack, clt_rootLomont } )
    {
        for ( int steps = 1; steps <= 4; ++steps )
        {
            const cltPairMap map = { root, steps };
            for ( float x = 1.0f; x < 1e18f; x *= 1.0137f )
            {
                double error = double( cltPairMap_Root( &map, x ) ) / std::sqrt( double( x ) ) - 1.0;
                ASSERT_LT( std::fabs( error ), worst[steps - 1] ) << x << ", " << steps << " steps";
            }
        }
    }
}
