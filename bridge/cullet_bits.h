// SPDX-License-Identifier: Zlib
/// \file cullet_bits.h
/// What each compiler spells in its own way: operations on bits, prefetches and inlining. For gcc, clang (also as
/// clang-cl) and MSVC; in C11 and C++11. Not for programs: it is installed because the plugin is compiled with them.
#ifndef CLT_CULLET_BITS_H
#define CLT_CULLET_BITS_H

#include <stdint.h>

#if defined( __GNUC__ ) || defined( __clang__ )
#define CLT_GNU_COMPILER
#else
#include <intrin.h>
#endif

#if defined( CLT_GNU_COMPILER )
#define CLT_ALWAYS_INLINE inline __attribute__( ( always_inline ) )
#define CLT_NOINLINE __attribute__( ( noinline ) )
#else
#define CLT_ALWAYS_INLINE __forceinline
#define CLT_NOINLINE __declspec( noinline )
#endif

/// Keeps a variable that nothing reads. MSVC drops it.
#if defined( CLT_GNU_COMPILER )
#define CLT_USED __attribute__( ( used ) )
#else
#define CLT_USED
#endif

/// Unrolls a loop of three or four. At -O2 gcc does not, and then passes vectors through memory.
#if defined( __clang__ )
#define CLT_UNROLL _Pragma( "unroll" )
#elif defined( __GNUC__ )
#define CLT_UNROLL _Pragma( "GCC unroll 4" )
#else
#define CLT_UNROLL
#endif

/// Hides from the compiler how a pointer was computed, so that it computes the pointer once and keeps it in a register.
#if defined( CLT_GNU_COMPILER )
#define CLT_HIDE_ORIGIN( pointer ) __asm__( "" : "+r"( pointer ) )
#else
#define CLT_HIDE_ORIGIN( pointer ) (void)( pointer )
#endif

/// The number of the lowest bit that is set. `bits` must not be 0.
static inline uint32_t cltLowestBit( uint32_t bits )
{
#if defined( CLT_GNU_COMPILER )
    return (uint32_t)__builtin_ctz( bits );
#else
    unsigned long number;
    _BitScanForward( &number, bits );
    return (uint32_t)number;
#endif
}

/// The number of the highest bit that is set. `bits` must not be 0.
static inline uint32_t cltHighestBit( uint32_t bits )
{
#if defined( CLT_GNU_COMPILER )
    return 31u - (uint32_t)__builtin_clz( bits );
#else
    unsigned long number;
    _BitScanReverse( &number, bits );
    return (uint32_t)number;
#endif
}

/// As cltLowestBit, of 64 bits.
static inline uint32_t cltLowestBit64( uint64_t bits )
{
#if defined( CLT_GNU_COMPILER )
    return (uint32_t)__builtin_ctzll( bits );
#else
    const uint32_t lower = (uint32_t)bits;
    return lower != 0 ? cltLowestBit( lower ) : 32u + cltLowestBit( (uint32_t)( bits >> 32 ) );
#endif
}

/// As cltHighestBit, of 64 bits.
static inline uint32_t cltHighestBit64( uint64_t bits )
{
#if defined( CLT_GNU_COMPILER )
    return 63u - (uint32_t)__builtin_clzll( bits );
#else
    const uint32_t upper = (uint32_t)( bits >> 32 );
    return upper != 0 ? 32u + cltHighestBit( upper ) : cltHighestBit( (uint32_t)bits );
#endif
}

/// The number of bits that are set.
static inline uint32_t cltBitCount( uint32_t bits )
{
#if defined( CLT_GNU_COMPILER )
    return (uint32_t)__builtin_popcount( bits );
#else
    uint32_t count = 0; // __popcnt needs an instruction that not every processor has
    for ( ; bits != 0; bits &= bits - 1u )
    {
        ++count;
    }
    return count;
#endif
}

/// Prefetches a cache line that will soon be read. The address may be invalid.
static inline void cltPrefetch( const void* address )
{
#if defined( CLT_GNU_COMPILER )
    __builtin_prefetch( address );
    __asm__ volatile( "" ); // gcc takes functions that only prefetch for pure, and leaves out calls of them
#elif defined( _M_IX86 ) || defined( _M_X64 )
    _mm_prefetch( (const char*)address, _MM_HINT_T0 );
#else
    (void)address;
#endif
}

/// Prefetches a cache line that will soon be written. The address may be invalid.
static inline void cltPrefetchForWriting( const void* address )
{
#if defined( CLT_GNU_COMPILER )
    __builtin_prefetch( address, 1 );
    __asm__ volatile( "" ); // as in cltPrefetch
#else
    cltPrefetch( address );
#endif
}

#endif
