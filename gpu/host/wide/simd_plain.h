// SPDX-License-Identifier: Zlib
/// \file simd_plain.h
/// The operations of simd.h in plain C, with vectors of four lanes. They define what the operations do, and run on
/// processors without one of the other instruction sets.
#ifndef CLT_HOST_SIMD_PLAIN_H
#define CLT_HOST_SIMD_PLAIN_H

#include "gpu/core/callable.h"

#define CLT_WIDTH 4u

typedef struct cltFloats
{
    float lanes[CLT_WIDTH];
} cltFloats;

typedef uint32_t cltFlags; ///< bit i for lane i

static inline cltFloats cltFloats_Load( const float* from )
{
    cltFloats value;
    for ( uint32_t i = 0; i < CLT_WIDTH; ++i )
    {
        value.lanes[i] = from[i];
    }
    return value;
}

static inline void cltFloats_Store( float* to, cltFloats value )
{
    for ( uint32_t i = 0; i < CLT_WIDTH; ++i )
    {
        to[i] = value.lanes[i];
    }
}

static inline cltFloats cltFloats_Splat( float value )
{
    return ( cltFloats ){ { value, value, value, value } };
}

/// Defines an operation by its expression in a and b, the values of one lane of two vectors.
#define CLT_LANEWISE( name, type, start, expression )                                                                  \
    static inline type name( cltFloats x, cltFloats y )                                                                \
    {                                                                                                                  \
        type result = start;                                                                                           \
        for ( uint32_t i = 0; i < CLT_WIDTH; ++i )                                                                     \
        {                                                                                                              \
            const float a = x.lanes[i];                                                                                \
            const float b = y.lanes[i];                                                                                \
            expression;                                                                                                \
        }                                                                                                              \
        return result;                                                                                                 \
    }

CLT_LANEWISE( cltFloats_Min, cltFloats, x, result.lanes[i] = a < b ? a : b )
CLT_LANEWISE( cltFloats_Max, cltFloats, x, result.lanes[i] = a > b ? a : b )
CLT_LANEWISE( cltFloats_Subtract, cltFloats, x, result.lanes[i] = a - b )
CLT_LANEWISE( cltFloats_Add, cltFloats, x, result.lanes[i] = a + b )
CLT_LANEWISE( cltFloats_Multiply, cltFloats, x, result.lanes[i] = a * b )
CLT_LANEWISE( cltFloats_Less, cltFlags, 0, result |= (cltFlags)( a < b ) << i )
CLT_LANEWISE( cltFloats_LessEqual, cltFlags, 0, result |= (cltFlags)( a <= b ) << i )

static inline cltFlags cltFloats_GreaterEqual( cltFloats a, cltFloats b )
{
    return cltFloats_LessEqual( b, a );
}

static inline float cltFloats_Lowest( cltFloats value )
{
    float lowest = value.lanes[0];
    for ( uint32_t i = 1; i < CLT_WIDTH; ++i )
    {
        lowest = value.lanes[i] < lowest ? value.lanes[i] : lowest;
    }
    return lowest;
}

static inline float cltFloats_Highest( cltFloats value )
{
    float highest = value.lanes[0];
    for ( uint32_t i = 1; i < CLT_WIDTH; ++i )
    {
        highest = value.lanes[i] > highest ? value.lanes[i] : highest;
    }
    return highest;
}

static inline cltFlags cltFlags_And( cltFlags a, cltFlags b )
{
    return a & b;
}

static inline cltFlags cltFlags_Or( cltFlags a, cltFlags b )
{
    return a | b;
}

static inline uint32_t cltFlags_Bits( cltFlags flags )
{
    return flags;
}

/// Which integers have a bit in common with `bits`, as a mask.
static inline uint32_t cltInts_Share( const int32_t* from, int32_t bits )
{
    uint32_t sharing = 0;
    for ( uint32_t i = 0; i < CLT_WIDTH; ++i )
    {
        sharing |= (uint32_t)( ( from[i] & bits ) != 0 ) << i;
    }
    return sharing;
}

#endif
