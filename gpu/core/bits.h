// SPDX-License-Identifier: Zlib
/// \file bits.h Bit-level arithmetic: order and neighbours of floats, directed rounding, a cube root with the same
/// result on every device, and bit widths.
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

/// An integer that orders as the float does, so that a device can find a minimum with integer atomics. Not for NaN.
CLT_HD uint32_t cltOrderOfFloat( float value )
{
    const uint32_t bits = cltBitsOfFloat( value );
    // floats are sign and magnitude: negative ones are in reverse order
    return ( bits >> 31 ) != 0u ? ~bits : bits | 0x80000000u;
}

CLT_HD float cltFloatOfOrder( uint32_t order )
{
    return cltFloatOfBits( ( order >> 31 ) != 0u ? order & 0x7fffffffu : ~order );
}

/// A quiet NaN, the coordinate of a missing box.
CLT_HD float cltNan( void )
{
    return cltFloatOfBits( 0x7fc00000u );
}

#define CLT_LARGEST_FLOAT 3.40282346638528859812e38f

/// The cube root of a positive number, to the last bit or two. The first guess divides the exponent by three in the
/// number's bits; its relative error is below 0.07, and each Newton step squares it. Uses only operations that round
/// alike on every machine, unlike the C library's function.
CLT_HD double cltCubeRoot( double x )
{
    uint64_t bits;
    memcpy( &bits, &x, sizeof bits );
    bits = bits / 3u + ( (uint64_t)682 << 52 ); // two thirds of the exponent's bias
    double root;
    memcpy( &root, &bits, sizeof root );
    for ( int step = 0; step < 5; ++step )
    {
        root = ( 2.0 * root + x / ( root * root ) ) / 3.0;
    }
    return root;
}

/// The next float towards -infinity. Not for NaN or -infinity.
CLT_HD float cltNextBelow( float value )
{
    uint32_t bits = cltBitsOfFloat( value );
    if ( ( bits & 0x7fffffffu ) == 0u )
    {
        return cltFloatOfBits( 0x80000001u ); // below either zero is the smallest negative denormal
    }
    // sign and magnitude: a larger magnitude is a smaller negative number
    return cltFloatOfBits( ( bits >> 31 ) != 0u ? bits + 1u : bits - 1u );
}

/// The next float towards +infinity. Not for NaN or +infinity.
CLT_HD float cltNextAbove( float value )
{
    return -cltNextBelow( -value );
}

/// The greatest float that is not above `value`. For finite values beyond the range of float, FLT_MAX or -infinity.
CLT_HD float cltRoundDown( double value )
{
    const float nearest = (float)value;
    const bool isAbove = (double)nearest > value;
#if defined( __CUDA_ARCH__ )
    return isAbove ? cltNextBelow( nearest ) : nearest;
#else
    // Without a branch on `isAbove`, which among coordinates is as random as a coin. +0 is never above.
    const uint32_t bits = cltBitsOfFloat( nearest );
    const float below = cltFloatOfBits( bits - isAbove + 2u * ( isAbove & ( bits >> 31 ) ) );
    const bool isFlushed = (double)below > value;             // the caller's mode takes subnormal numbers for zero
    return isFlushed ? cltFloatOfBits( 0x80800000u ) : below; // -FLT_MIN
#endif
}

/// The smallest float that is not below `value`.
CLT_HD float cltRoundUp( double value )
{
    return -cltRoundDown( -value );
}

/// The smallest b with count <= 2^b, the bits of an index below `count`.
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
