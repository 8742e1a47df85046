// SPDX-License-Identifier: Zlib
// The index-to-pair map against nested loops or, if n is too large for these, at the borders of rows.
#include "gpu/core/pair_map.h"
#include "tests/support/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace
{

const std::vector<cltPairMap> rootMaps = { { clt_rootHardware, 2 }, { clt_rootCarmack, 1 }, { clt_rootCarmack, 2 },
                                           { clt_rootCarmack, 3 },  { clt_rootCarmack, 4 }, { clt_rootLomont, 1 },
                                           { clt_rootLomont, 2 },   { clt_rootLomont, 3 },  { clt_rootLomont, 4 } };

testing::AssertionResult isPairOf( const cltPairMap& map, uint64_t n, uint64_t k, uint64_t i, uint64_t j )
{
    uint32_t foundI = 0;
    uint32_t foundJ = 0;
    if ( cltPairMap_Pair( &map, static_cast<uint32_t>( n ), k, &foundI, &foundJ ) && foundI == i && foundJ == j )
    {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "n " << n << ", k " << k << ": (" << foundI << ", " << foundJ
                                       << ") instead of (" << i << ", " << j << "), root " << map.root << ", "
                                       << map.steps << " steps";
}

/// Tests the first and last two indices of every `rowStride`th row, where a wrong row shows.
void expectRowBorders( const cltPairMap& map, uint64_t n, uint64_t rowStride )
{
    for ( uint64_t i = 0; i + 1 < n; i += rowStride )
    {
        const uint64_t first = i * ( 2 * n - i - 1 ) / 2;
        const uint64_t length = n - 1 - i;
        for ( uint64_t k = 0; k < std::min( length, uint64_t( 2 ) ); ++k )
        {
            ASSERT_TRUE( isPairOf( map, n, first + k, i, i + 1 + k ) );
            ASSERT_TRUE( isPairOf( map, n, first + length - 1 - k, i, n - 1 - k ) );
        }
    }
}

void expectEveryIndex( const cltPairMap& map, uint32_t n )
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
            expectEveryIndex( map, n );
        }
        expectEveryIndex( map, 643 ); // a single Newton step and the published rules fail from here on
        // Avril, Gouranton and Arnaldi number bodies from 1: (75, 303) and (48, 285) of 1000
        EXPECT_TRUE( isPairOf( map, 1000, 71452, 74, 302 ) );
        EXPECT_TRUE( isPairOf( map, 1000, 46108, 47, 284 ) );
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
            uint32_t i, j;
            const bool isPair = cltPairMap_Pair( &squareMap, n, k, &i, &j );
            ASSERT_TRUE( isPair == ( i < j ) && i < n && j < n );
            ++visits[i * n + j];
        }
        EXPECT_EQ( visits, std::vector<int>( n * n, 1 ) );
    }
}

TEST( PairMap, IsExactAtEveryRowBorderOfLargeCounts )
{
    // Numbers of bodies around which published variants of the map begin to fail: a float discriminant, unsigned and
    // signed 32 bit squares, n(n-1) in 32 bits, two Newton steps.
    const uint64_t counts[] = { 643,   2048,  4098,  4609,  5794,  23172,  32769,
                                46342, 65536, 65537, 70000, 92683, 212000, 1000000 };
    for ( const cltPairMap& map : rootMaps )
    {
        for ( uint64_t n : counts )
        {
            // One Newton step leaves up to 0.18 % of n rows to correct one by one, so fewer rows are checked.
            const bool isSlow = map.root != clt_rootHardware && map.steps == 1 && n > 10000;
            expectRowBorders( map, n, !isSlow ? 1 : n < 1000000 ? 17 : 997 );
        }
    }
    expectRowBorders( rootMaps[0], CLT_MAX_PROXIES, 9973 );
    EXPECT_EQ( uint64_t( CLT_MAX_PROXIES ) / 2 * ( CLT_MAX_PROXIES - 1 ),
               cltPairMap_CandidateCount( rootMaps.data(), CLT_MAX_PROXIES ) );
}

TEST( PairMap, EveryRootNeedsCorrection )
{
    const cltPairMap hardware = { clt_rootHardware, 1 };
    uint64_t q = 0;
    while ( q < cltTriangle( 5000 ) && cltPairMap_EstimateRow( &hardware, q ) == cltPairMap_Row( &hardware, q ) )
    {
        ++q;
    }
    // q is the first wrong index. 4608 bodies have cltTriangle( 4607 ) pairs, so for them the map is exact.
    EXPECT_GE( q, cltTriangle( 4607 ) );
    EXPECT_LT( q, cltTriangle( 4608 ) );
    for ( const cltPairMap& map : rootMaps )
    {
        uint64_t row = 1;
        while ( row < 70000 && cltPairMap_EstimateRow( &map, cltTriangle( row ) ) == row &&
                cltPairMap_EstimateRow( &map, cltTriangle( row ) - 1 ) == row - 1 )
        {
            ++row;
        }
        EXPECT_LT( row, 70000u ) << "root " << map.root << ", " << map.steps << " steps";
    }
}

TEST( PairMap, FastRootConvergesQuadratically )
{
    // Relative errors of the fast inverse square root after each step: Lomont, Fast Inverse Square Root, 2003.
    const double worst[] = { 0.0018, 6e-6, 4e-7, 4e-7 };
    for ( const cltPairMap& map : rootMaps )
    {
        for ( float x = 1.0f; map.root != clt_rootHardware && x < 1e18f; x *= 1.0137f )
        {
            const double error = double( cltPairMap_Root( &map, x ) ) / std::sqrt( double( x ) ) - 1.0;
            ASSERT_LT( std::fabs( error ), worst[map.steps - 1] ) << x << ", " << map.steps << " steps";
        }
    }
}
