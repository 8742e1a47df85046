// SPDX-License-Identifier: Zlib
/// \file bits.h
/// Floats as bits, the neighbours of a float, and how many bits a count needs.
#ifndef CLT_CORE_BITS_H
#define CLT_CORE_BITS_H

#include "gpu/core/callable.h"

#include <string.h>

CLT_HD uint32_t cltBitsOfFloat( float value )
{
    uint32_t bits;
    memcpy( &bits, &value, sizeof bits );
    return bits;
}

CLT_HD float cltFloatOfBits( uint32_t bits )
{
    float value;
    memcpy( &value, &bits, sizeof value );
    return value;
}

/// A quiet NaN: the coordinate of a box that is not there.
CLT_HD float cltNan( void )
{
    return cltFloatOfBits( 0x7fc00000u );
}

/// The next float towards -infinity. Not for NaN or -infinity.
CLT_HD float cltNextBelow( float value )
{
    uint32_t bits = cltBitsOfFloat( value );
    if ( ( bits & 0x7fffffffu ) == 0u )
    {
        return cltFloatOfBits( 0x80000001u ); // below either zero lies the smallest negative denormal
    }
    // sign and magnitude: a negative number moves down by growing
    return cltFloatOfBits( ( bits >> 31 ) != 0u ? bits + 1u : bits - 1u );
}

/// The next float towards +infinity. Not for NaN or +infinity.
CLT_HD float cltNextAbove( float value )
{
    return -cltNextBelow( -value );
}

/// The smallest b with count <= 2^b: the width of an index below `count`.
CLT_HD uint32_t cltIndexBits( uint32_t count )
{
    uint32_t bits = 0;
    while ( bits < 32u && ( (uint64_t)1 << bits ) < count )
    {
        ++bits;
    }
    return bits;
}

#endif
