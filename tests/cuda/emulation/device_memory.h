// SPDX-License-Identifier: Zlib
/// \file device_memory.h
/// Memory that only the emulated device may touch.
#ifndef CLT_TESTS_EMULATED_DEVICE_MEMORY_H
#define CLT_TESTS_EMULATED_DEVICE_MEMORY_H

#include <cstddef>

namespace emulation
{

/// Filled with garbage; NULL if there is none.
void* allocateOnDevice( size_t bytes );
void releaseOnDevice( void* data );
bool isOnDevice( const void* data );

/// Lets everybody touch it, or nobody.
void setAccessible( bool accessible );

} // namespace emulation

#endif
