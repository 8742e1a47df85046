// SPDX-License-Identifier: Zlib
/// \file atomic.h
/// The two meetings of threads that the algorithms need, with the ordering spelled out once.
#ifndef CLT_CORE_ATOMIC_H
#define CLT_CORE_ATOMIC_H

#include "gpu/core/callable.h"

/// Leaves `value` for the partner and takes what the partner left. What the earlier of the two wrote before is visible
/// to the later one afterwards; without the ordering a sibling's box could be read before it is there.
CLT_HD uint32_t cltMeet( uint32_t* place, uint32_t value )
{
#if defined( __CUDA_ARCH__ )
    // release: publishes what this thread wrote; acquire: shows what the partner did. One instruction, where two fences
    // around an exchange would each be as strong as sequential consistency asks for.
    uint32_t found;
    asm volatile( "atom.acq_rel.gpu.exch.b32 %0, [%1], %2;" : "=r"( found ) : "l"( place ), "r"( value ) : "memory" );
    return found;
#else
    return __atomic_exchange_n( place, value, __ATOMIC_ACQ_REL );
#endif
}

/// Claims `count` places of an output and returns the first. Ordering is the business of whoever ends the stage.
CLT_HD uint64_t cltClaim( uint64_t* next, uint64_t count )
{
#if defined( __CUDA_ARCH__ )
    return (uint64_t)atomicAdd( (unsigned long long*)next, (unsigned long long)count );
#else
    return __atomic_fetch_add( next, count, __ATOMIC_RELAXED );
#endif
}

#endif
