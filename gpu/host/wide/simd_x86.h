// SPDX-License-Identifier: Zlib
/// \file simd_x86.h
/// The operations of simd.h that SSE2, AVX2 and AVX-512 spell alike but for the width. The including header defines
/// CLT_WIDTH, cltFloats, cltFlags, CLT_MM( operation ) as the name of an instruction's function, and
/// CLT_COMPARE( a, b, lower, upper ) as the comparison that is named `lower` by SSE2 and `upper` since AVX.
#ifndef CLT_HOST_SIMD_X86_H
#define CLT_HOST_SIMD_X86_H

static inline cltFloats cltFloats_Load( const float* from )
{
    return CLT_MM( loadu_ps )( from );
}

static inline void cltFloats_Store( float* to, cltFloats value )
{
    CLT_MM( storeu_ps )( to, value );
}

static inline cltFloats cltFloats_Splat( float value )
{
    return CLT_MM( set1_ps )( value );
}

static inline cltFloats cltFloats_Min( cltFloats a, cltFloats b )
{
    return CLT_MM( min_ps )( a, b );
}

static inline cltFloats cltFloats_Max( cltFloats a, cltFloats b )
{
    return CLT_MM( max_ps )( a, b );
}

static inline cltFloats cltFloats_Subtract( cltFloats a, cltFloats b )
{
    return CLT_MM( sub_ps )( a, b );
}

static inline cltFloats cltFloats_Add( cltFloats a, cltFloats b )
{
    return CLT_MM( add_ps )( a, b );
}

static inline cltFloats cltFloats_Multiply( cltFloats a, cltFloats b )
{
    return CLT_MM( mul_ps )( a, b );
}

static inline cltFlags cltFloats_Less( cltFloats a, cltFloats b )
{
    return CLT_COMPARE( a, b, lt, LT );
}

static inline cltFlags cltFloats_LessEqual( cltFloats a, cltFloats b )
{
    return CLT_COMPARE( a, b, le, LE );
}

static inline cltFlags cltFloats_GreaterEqual( cltFloats a, cltFloats b )
{
    return CLT_COMPARE( a, b, ge, GE );
}

#if CLT_WIDTH < 16u // AVX-512 has registers for flags

static inline cltFlags cltFlags_And( cltFlags a, cltFlags b )
{
    return CLT_MM( and_ps )( a, b );
}

static inline cltFlags cltFlags_Or( cltFlags a, cltFlags b )
{
    return CLT_MM( or_ps )( a, b );
}

static inline uint32_t cltFlags_Bits( cltFlags flags )
{
    return (uint32_t)CLT_MM( movemask_ps )( flags );
}

#endif

#endif
