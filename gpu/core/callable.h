// SPDX-License-Identifier: Zlib
/// \file callable.h
/// The only file that asks which compiler is reading. Everything in gpu/core is the common subset of C11 and CUDA C++17:
/// no compound literals, designated initialisers, variable length arrays or implicit conversions from void*.
#ifndef CLT_CORE_CALLABLE_H
#define CLT_CORE_CALLABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined( __CUDACC__ )
#define CLT_HD static __host__ __device__ __forceinline__
#else
#define CLT_HD static inline
#if defined( __SSE2__ )
#define CLT_SSE2 ///< every x86-64 has it
#endif
#endif

#endif
