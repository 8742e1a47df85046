// SPDX-License-Identifier: Zlib
/// \file published_pair.h
/// From an index to a pair as Avril, Gouranton and Arnaldi 2012 print it: equations (1) and (2), and the two rules of
/// section 3.3, applied once. Not exact; the library's own map (gpu/core/pair_map.h) is.
#ifndef CLT_PAPERS_PUBLISHED_PAIR_H
#define CLT_PAPERS_PUBLISHED_PAIR_H

#include "gpu/core/pair_map.h"

/// Bodies are numbered from 1, pairs from 0. All in 32 bits, as on the card of the paper.
/// \param n  bodies; the discriminant fits up to 32,768
CLT_HD void cltPairMap_PublishedPair( const cltPairMap* map, uint32_t n, uint32_t k, uint32_t* first, uint32_t* second )
{
    const uint32_t discriminant = 4u * n * ( n - 1u ) - 8u * k + 1u;
    int32_t a = (int32_t)( ( (float)( 2u * n + 1u ) - cltPairMap_Root( map, (float)discriminant ) ) / 2.0f );
    const int32_t start = ( a - 1 ) * ( 2 * (int32_t)n - a ) / 2;
    int32_t b = a + 1 + (int32_t)k - start;
    if ( b > (int32_t)n )
    {
        ++a;
        b = a + ( b - (int32_t)n );
    }
    if ( a >= b ) // "a > b" in the text
    {
        b = (int32_t)n - ( a - b );
        --a;
    }
    *first = (uint32_t)a;
    *second = (uint32_t)b;
}

#endif
