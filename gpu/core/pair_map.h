// SPDX-License-Identifier: Zlib
/// \file pair_map.h Maps the index of a candidate to its pair, so that a thread reads no memory to find the pair.
///
/// Avril, Gouranton, Arnaldi, Fast Collision Culling in Large-Scale Environments Using GPU Mapping Function, 2012,
/// section 3. The n(n-1)/2 pairs (i, j), i < j < n, are numbered row by row:
///
///              j = 1   2   3   4
///     i = 0        0   1   2   3
///         1            4   5   6        n = 5
///         2                7   8
///         3                    9
///
/// The paper takes the root of 4n^2 - 4n - 8k + 1. Its terms cancel towards the end of the triangle, and 32 bits are
/// too few from n = 5794 (float) or 32,769 (integers) on. The paper corrects the row by one, which fails if the
/// estimate is two rows off. Here pairs and rows are counted from the last one. Pair k has the index q = n(n-1)/2 - 1 -
/// k and lies in row floor( ( sqrt( 8q + 1 ) - 1 ) / 2 ), without cancellation. Integer comparison with the row's first
/// index, repeated as needed, makes every estimate exact.
#ifndef CLT_CORE_PAIR_MAP_H
#define CLT_CORE_PAIR_MAP_H

#include "bridge/cullet_research.h"
#include "gpu/core/bits.h"

#include <math.h>

/// How the square root is estimated. Every choice gives the same pairs.
typedef struct cltPairMap
{
    cltRoot root;
    int steps; ///< Newton steps for Carmack and Lomont, 1 to 4
} cltPairMap;

/// Square root by the fast inverse square root. The first guess halves the exponent in the float's bits. Each Newton
/// step squares the relative error: 0.18 %, 5e-6, then the precision of float.
CLT_HD float cltFastRoot( float x, uint32_t constant, int steps )
{
    float y = cltFloatOfBits( constant - ( cltBitsOfFloat( x ) >> 1 ) );
    for ( int step = 0; step < steps; ++step )
    {
        y = y * ( 1.5f - 0.5f * x * y * y );
    }
    return x * y;
}

CLT_HD float cltPairMap_Root( const cltPairMap* map, float x )
{
    switch ( map->root )
    {
    case clt_rootCarmack:
        return cltFastRoot( x, 0x5f3759dfu, map->steps );
    case clt_rootLomont: // Lomont, Fast Inverse Square Root, 2003
        return cltFastRoot( x, 0x5f375a86u, map->steps );
    default:
        return sqrtf( x );
    }
}

/// The number of pairs in the last p rows of the triangle: 0, 1, 3, 6, ...
CLT_HD uint64_t cltTriangle( uint64_t p )
{
    return p * ( p + 1u ) / 2u;
}

/// An estimate of the row of index q, which cltPairMap_Row corrects.
CLT_HD uint64_t cltPairMap_EstimateRow( const cltPairMap* map, uint64_t q )
{
    float row = ( cltPairMap_Root( map, (float)( 8u * q + 1u ) ) - 1.0f ) * 0.5f;
    return row > 0.0f ? (uint64_t)row : 0u;
}

/// The row p with cltTriangle( p ) <= q < cltTriangle( p + 1 ), exactly. Valid while 8q + 1 fits 64 bits, so for n
/// below 2^30.
CLT_HD uint64_t cltPairMap_Row( const cltPairMap* map, uint64_t q )
{
    uint64_t p = cltPairMap_EstimateRow( map, q );
    while ( cltTriangle( p ) > q )
    {
        --p;
    }
    while ( cltTriangle( p + 1u ) <= q )
    {
        ++p;
    }
    return p;
}

/// The number of candidates of n boxes. Indices below it are valid for cltPairMap_Pair.
CLT_HD uint64_t cltPairMap_CandidateCount( const cltPairMap* map, uint64_t n )
{
    if ( map->root == clt_rootNone )
    {
        return n * n;
    }
    return n < 2u ? 0u : n * ( n - 1u ) / 2u;
}

/// The pair of candidate k, i < j. \return false if k is no pair, which happens only for clt_rootNone
CLT_HD bool cltPairMap_Pair( const cltPairMap* map, uint32_t n, uint64_t k, uint32_t* i, uint32_t* j )
{
    if ( map->root == clt_rootNone )
    {
        *i = (uint32_t)( k / n );
        *j = (uint32_t)( k % n );
        return *i < *j;
    }
    uint64_t q = cltPairMap_CandidateCount( map, n ) - 1u - k;
    uint64_t p = cltPairMap_Row( map, q );
    *i = (uint32_t)( n - 2u - p );
    *j = (uint32_t)( n - 1u - ( q - cltTriangle( p ) ) );
    return true;
}

#endif
