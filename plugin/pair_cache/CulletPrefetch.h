// SPDX-License-Identifier: Zlib
/// \file CulletPrefetch.h
/// Prefetching of cache lines.
#ifndef CULLET_PREFETCH_H
#define CULLET_PREFETCH_H

#if defined( _MSC_VER ) && ( defined( _M_IX86 ) || defined( _M_X64 ) )
#include <xmmintrin.h>
#endif

/// Prefetches a cache line that will be needed soon.
inline void culletPrefetch( const void* address )
{
#if defined( __GNUC__ )
    __builtin_prefetch( address );
    __asm__ volatile( "" ); // gcc takes a function that only prefetches for pure, and drops its calls
#elif defined( _MSC_VER ) && ( defined( _M_IX86 ) || defined( _M_X64 ) )
    _mm_prefetch( static_cast<const char*>( address ), _MM_HINT_T0 );
#else
    (void)address;
#endif
}

#endif
