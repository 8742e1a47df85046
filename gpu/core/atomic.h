// SPDX-License-Identifier: Zlib
/// \file atomic.h The three synchronizing operations that the algorithms need, with their memory ordering.
#ifndef CLT_CORE_ATOMIC_H
#define CLT_CORE_ATOMIC_H

#include "gpu/core/callable.h"

/// The value of an exchange location that no thread has reached yet.
#define CLT_NO_PARTNER UINT32_MAX

/// Two threads exchange values through a memory location, `place`. The first thread to call stores `value` and gets
/// CLT_NO_PARTNER. The second gets the first thread's value and resets the location to CLT_NO_PARTNER.
///
/// What the first thread wrote before its call is visible to the second after its call. Every exchange releases. Only
/// the second thread acquires: it reads the location once more, and gets the value that it stored there. This suffices,
/// because its exchange has read the first thread's value (PTX ISA, memory consistency model, observation order). So
/// the first thread does not invalidate its processor's cache, as an acquiring exchange would.
CLT_HD uint32_t cltExchangeWithPartner( uint32_t* place, uint32_t value )
{
    uint32_t found;
#if defined( __CUDA_ARCH__ )
    asm volatile( "atom.release.gpu.exch.b32 %0, [%1], %2;" : "=r"( found ) : "l"( place ), "r"( value ) : "memory" );
    if ( found != CLT_NO_PARTNER )
    {
        asm volatile( "{ .reg .b32 mine; ld.acquire.gpu.b32 mine, [%0]; }" ::"l"( place ) : "memory" );
    }
#else
    found = __atomic_exchange_n( place, value, __ATOMIC_ACQ_REL );
#endif
    if ( found != CLT_NO_PARTNER )
    {
        *place = CLT_NO_PARTNER; // plain write: no third thread uses this location
    }
    return found;
}

/// As cltExchangeWithPartner, for two threads of one block and a location in shared memory. No cache is invalidated.
CLT_HD uint32_t cltExchangeWithPartnerInBlock( uint32_t* place, uint32_t value )
{
#if defined( __CUDA_ARCH__ )
    uint32_t found;
    const uint32_t at = (uint32_t)__cvta_generic_to_shared( place );
    asm volatile( "atom.acq_rel.cta.shared.exch.b32 %0, [%1], %2;"
                  : "=r"( found )
                  : "r"( at ), "r"( value )
                  : "memory" );
    if ( found != CLT_NO_PARTNER )
    {
        atomicExch( place, CLT_NO_PARTNER ); // a plain write beside the partner's exchange would be reported as a race
    }
    return found;
#else
    return cltExchangeWithPartner( place, value );
#endif
}

/// Counts the arrival of one of `count` threads at a memory location that holds 0. True for the last thread, which
/// resets the location. Everything that the others wrote before they arrived is visible to it afterwards. Ordered as
/// cltExchangeWithPartner is: the last addition has read a chain of additions, each of which released.
CLT_HD bool cltArriveLast( uint32_t* place, uint32_t count )
{
    uint32_t found;
#if defined( __CUDA_ARCH__ )
    asm volatile( "atom.release.gpu.add.u32 %0, [%1], 1;" : "=r"( found ) : "l"( place ) : "memory" );
    if ( found + 1u == count )
    {
        asm volatile( "{ .reg .b32 all; ld.acquire.gpu.b32 all, [%0]; }" ::"l"( place ) : "memory" );
    }
#else
    found = __atomic_fetch_add( place, 1u, __ATOMIC_ACQ_REL );
#endif
    if ( found + 1u == count )
    {
        *place = 0; // plain write: no other thread uses this location
    }
    return found + 1u == count;
}

/// Reserves `count` consecutive elements of an output array and returns the index of the first. Relaxed; the end of the
/// stage synchronizes.
CLT_HD uint64_t cltClaim( uint64_t* next, uint64_t count )
{
#if defined( __CUDA_ARCH__ )
    return (uint64_t)atomicAdd( (unsigned long long*)next, (unsigned long long)count );
#else
    return __atomic_fetch_add( next, count, __ATOMIC_RELAXED );
#endif
}

#endif
