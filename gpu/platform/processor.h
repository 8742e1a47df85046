// SPDX-License-Identifier: Zlib
/// \file processor.h
/// What a thread tells its processor: how to compute, and that it waits.
#ifndef CLT_GPU_PROCESSOR_H
#define CLT_GPU_PROCESSOR_H

#include "gpu/platform/threads.h"

#include <stdint.h>

/// About a microsecond.
#define CLT_SPINS_PER_YIELD 32

/// How the calling thread computes: games have denormals taken for zero, which decides some comparisons. A thread
/// begins with the mode of the one that created it, and the caller's may be another by now.
static inline uint32_t cltFloatMode( void )
{
#if defined( __SSE__ )
    return __builtin_ia32_stmxcsr();
#else
    return 0;
#endif
}

static inline void cltSetFloatMode( uint32_t mode )
{
#if defined( __SSE__ )
    __builtin_ia32_ldmxcsr( mode );
#else
    (void)mode;
#endif
}

/// One round of waiting. A thread that waits for one that is to run on the same processor, because others keep the rest
/// busy, would wait for itself: so it offers the processor now and then.
static inline void cltSpin( int round )
{
#if defined( __x86_64__ ) || defined( __i386__ )
    __builtin_ia32_pause();
#elif defined( __aarch64__ )
    __asm__ volatile( "yield" );
#endif
    if ( round % CLT_SPINS_PER_YIELD == CLT_SPINS_PER_YIELD - 1 )
    {
        cltYield();
    }
}

#endif
