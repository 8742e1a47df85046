// SPDX-License-Identifier: Zlib
/// \file simd_neon.h
/// The operations of simd.h with the NEON of every 64-bit ARM: vectors of four lanes. NEON's minimum returns NaN if
/// either argument is a NaN, so minima and maxima are a comparison and a selection. Minima and maxima across a vector
/// are only taken of running bounds, which have no NaN.
#ifndef CLT_HOST_SIMD_NEON_H
#define CLT_HOST_SIMD_NEON_H

#include "gpu/core/callable.h"

#include <arm_neon.h>

#define CLT_WIDTH 4u

typedef float32x4_t cltFloats;
typedef uint32x4_t cltFlags;

static inline cltFloats cltFloats_Load( const float* from )
{
    return vld1q_f32( from );
}

static inline void cltFloats_Store( float* to, cltFloats value )
{
    vst1q_f32( to, value );
}

static inline cltFloats cltFloats_Splat( float value )
{
    return vdupq_n_f32( value );
}

static inline cltFloats cltFloats_Min( cltFloats a, cltFloats b )
{
    return vbslq_f32( vcltq_f32( a, b ), a, b );
}

static inline cltFloats cltFloats_Max( cltFloats a, cltFloats b )
{
    return vbslq_f32( vcgtq_f32( a, b ), a, b );
}

static inline cltFloats cltFloats_Subtract( cltFloats a, cltFloats b )
{
    return vsubq_f32( a, b );
}

static inline cltFloats cltFloats_Add( cltFloats a, cltFloats b )
{
    return vaddq_f32( a, b );
}

static inline cltFloats cltFloats_Multiply( cltFloats a, cltFloats b )
{
    return vmulq_f32( a, b );
}

static inline cltFlags cltFloats_Less( cltFloats a, cltFloats b )
{
    return vcltq_f32( a, b );
}

static inline cltFlags cltFloats_LessEqual( cltFloats a, cltFloats b )
{
    return vcleq_f32( a, b );
}

static inline cltFlags cltFloats_GreaterEqual( cltFloats a, cltFloats b )
{
    return vcgeq_f32( a, b );
}

static inline float cltFloats_Lowest( cltFloats value )
{
    return vminvq_f32( value );
}

static inline float cltFloats_Highest( cltFloats value )
{
    return vmaxvq_f32( value );
}

static inline cltFlags cltFlags_And( cltFlags a, cltFlags b )
{
    return vandq_u32( a, b );
}

static inline cltFlags cltFlags_Or( cltFlags a, cltFlags b )
{
    return vorrq_u32( a, b );
}

static inline uint32_t cltFlags_Bits( cltFlags flags )
{
    static const uint32_t places[CLT_WIDTH] = { 1u, 2u, 4u, 8u };
    return vaddvq_u32( vandq_u32( flags, vld1q_u32( places ) ) );
}

/// Which integers have a bit in common with `bits`, as a mask.
static inline uint32_t cltInts_Share( const int32_t* from, int32_t bits )
{
    return cltFlags_Bits( vtstq_s32( vld1q_s32( from ), vdupq_n_s32( bits ) ) );
}

#endif
