// SPDX-License-Identifier: Zlib
/// \file callable.h
/// The only file that asks which compiler is reading. Everything in gpu/core is the common subset of C11 and CUDA
/// C++17: no compound literals, designated initialisers, variable length arrays or implicit conversions from void*.
#ifndef CLT_CORE_CALLABLE_H
#define CLT_CORE_CALLABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// CLT_READ( Type, name, place ) makes `name` a pointer to what lies at `place`, to be read as a whole: a device copies
/// it first, in as few loads as its alignment allows; a processor looks at it where it lies.
///
/// CLT_HD_SELDOM is for what is long, named in many places, and seldom called: a device's code has it once.
#if defined( __CUDACC__ )
#define CLT_HD static __host__ __device__ __forceinline__
#define CLT_HD_SELDOM [[maybe_unused]] static __host__ __device__ __noinline__
#define CLT_READ( Type, name, place )                                                                                  \
    const Type name##Copy = *( place );                                                                                \
    const Type* name = &name##Copy
#else
#define CLT_HD static inline
#define CLT_HD_SELDOM static inline
#define CLT_READ( Type, name, place ) const Type* name = ( place )
#if defined( __SSE2__ )
#define CLT_SSE2 ///< every x86-64 has it
#endif
#endif

#if defined( __cplusplus )
#define CLT_ALIGNED( bytes ) alignas( bytes )
#else
#define CLT_ALIGNED( bytes ) _Alignas( bytes )
#endif

#endif
