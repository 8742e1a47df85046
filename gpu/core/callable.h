// SPDX-License-Identifier: Zlib
/// \file callable.h Macros that differ between a C compiler and a CUDA compiler. All of gpu/core is written in the
/// common subset of C11 and CUDA C++17: no compound literals, designated initializers, variable-length arrays or
/// implicit conversions from void*.
#ifndef CLT_CORE_CALLABLE_H
#define CLT_CORE_CALLABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// CLT_READ( Type, name, place ) makes `name` a pointer to the object at `place`. A device copies the object first,
/// with as few loads as its alignment allows. A processor reads it in place.
///
/// CLT_HD_SELDOM is for long functions that are called rarely from many places. Device code contains them once, not
/// inlined.
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
#define CLT_SSE2 ///< available on every x86-64
#endif
#endif

#if defined( __cplusplus )
#define CLT_ALIGNED( bytes ) alignas( bytes )
#else
#define CLT_ALIGNED( bytes ) _Alignas( bytes )
#endif

#endif
