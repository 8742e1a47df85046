// SPDX-License-Identifier: Zlib
/// \file float_mode.h
/// The floating-point mode of the calling thread.
#ifndef CLT_TESTS_FLOAT_MODE_H
#define CLT_TESTS_FLOAT_MODE_H

#if defined( __SSE__ )
#include <xmmintrin.h>
#endif

namespace test
{

#if defined( __SSE__ )

constexpr unsigned defaultFloatMode = 0x1f80; ///< no traps, round to nearest, flush nothing
constexpr unsigned flushResults = 0x8000;     ///< subnormal results become zero
constexpr unsigned flushOperands = 0x40;      ///< subnormal operands become zero, also in comparisons

inline unsigned getFloatMode()
{
    return _mm_getcsr();
}

inline void setFloatMode( unsigned mode )
{
    _mm_setcsr( mode );
}

#elif defined( __aarch64__ )

constexpr unsigned defaultFloatMode = 0;
constexpr unsigned flushResults = 0; ///< cannot be had without flushing the operands
constexpr unsigned flushOperands = 1u << 24;

inline unsigned getFloatMode()
{
    unsigned long mode;
    asm volatile( "mrs %0, fpcr" : "=r"( mode ) );
    return unsigned( mode );
}

inline void setFloatMode( unsigned long mode )
{
    asm volatile( "msr fpcr, %0" : : "r"( mode ) );
}

#else // one mode

constexpr unsigned defaultFloatMode = 0, flushResults = 0, flushOperands = 0;

inline unsigned getFloatMode()
{
    return defaultFloatMode;
}

inline void setFloatMode( unsigned )
{
}

#endif

} // namespace test

#endif
