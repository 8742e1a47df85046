// SPDX-License-Identifier: Zlib
/// \file atomic.h
/// The two meetings of threads that the algorithms need, with the ordering spelled out once.
#ifndef CLT_CORE_ATOMIC_H
#define CLT_CORE_ATOMIC_H

#include "gpu/core/callable.h"

/// What a meeting place holds that nobody waits at.
#define CLT_NOBODY UINT32_MAX

/// Leaves `value` for the partner, who comes later, and returns CLT_NOBODY; or takes what the partner left, and leaves
/// the place as it was before both. What the earlier of the two wrote before is visible to the later one afterwards:
/// the exchange releases, and only who comes later acquires, by reading the place once more. It finds its own value, of
/// an exchange that read the earlier one's, which is enough (PTX ISA, memory consistency model, observation order). So
/// the earlier one does not empty its processor's cache, as an exchange that acquires, too, would.
CLT_HD uint32_t cltMeet( uint32_t* place, uint32_t value )
{
    uint32_t found;
#if defined( __CUDA_ARCH__ )
    asm volatile( "atom.release.gpu.exch.b32 %0, [%1], %2;" : "=r"( found ) : "l"( place ), "r"( value ) : "memory" );
    if ( found != CLT_NOBODY )
    {
        asm volatile( "{ .reg .b32 mine; ld.acquire.gpu.b32 mine, [%0]; }" ::"l"( place ) : "memory" );
    }
#else
    found = __atomic_exchange_n( place, value, __ATOMIC_ACQ_REL );
#endif
    if ( found != CLT_NOBODY )
    {
        *place = CLT_NOBODY; // only two ever come here
    }
    return found;
}

/// The same where both are of one block, and the place is in the memory that it shares: no cache is emptied.
CLT_HD uint32_t cltMeetInBlock( uint32_t* place, uint32_t value )
{
#if defined( __CUDA_ARCH__ )
    uint32_t found;
    const uint32_t at = (uint32_t)__cvta_generic_to_shared( place );
    asm volatile( "atom.acq_rel.cta.shared.exch.b32 %0, [%1], %2;"
                  : "=r"( found )
                  : "r"( at ), "r"( value )
                  : "memory" );
    if ( found != CLT_NOBODY )
    {
        atomicExch( place, CLT_NOBODY ); // a plain write beside the partner's exchange is what a race looks like
    }
    return found;
#else
    return cltMeet( place, value );
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
