// SPDX-License-Identifier: Zlib
// The functions of malloc for the whole process, on top of those of glibc. Only one thread may allocate.
#include "tests/files/allocated.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <malloc.h>

extern "C" void* __libc_malloc( size_t size );
extern "C" void* __libc_calloc( size_t count, size_t size );
extern "C" void* __libc_realloc( void* memory, size_t size );
extern "C" void* __libc_memalign( size_t alignment, size_t size );
extern "C" void __libc_free( void* memory );

namespace
{

std::size_t allocated = 0;
std::size_t peak = 0;

void* added( void* memory, std::size_t requested )
{
    const std::size_t size = memory != nullptr ? malloc_usable_size( memory ) : 0;
    peak = std::max( peak, allocated + std::max( size, std::min( requested, SIZE_MAX - allocated ) ) );
    allocated += size;
    return memory;
}

} // namespace

extern "C" void* malloc( size_t size )
{
    return added( __libc_malloc( size ), size );
}

extern "C" void* calloc( size_t count, size_t size )
{
    std::size_t bytes = 0;
    return added( __libc_calloc( count, size ), __builtin_mul_overflow( count, size, &bytes ) ? SIZE_MAX : bytes );
}

/// Counts the old and the new block at the same time, as if it were always copied.
extern "C" void* realloc( void* memory, size_t size )
{
    const std::size_t before = memory != nullptr ? malloc_usable_size( memory ) : 0;
    void* const result = added( __libc_realloc( memory, size ), size );
    allocated -= result != nullptr || size == 0 ? before : 0;
    return result;
}

extern "C" void* memalign( size_t alignment, size_t size )
{
    return added( __libc_memalign( alignment, size ), size );
}

extern "C" void* aligned_alloc( size_t alignment, size_t size )
{
    return memalign( alignment, size );
}

extern "C" int posix_memalign( void** result, size_t alignment, size_t size )
{
    *result = memalign( alignment, size );
    return *result != nullptr ? 0 : ENOMEM;
}

extern "C" void free( void* memory )
{
    allocated -= memory != nullptr ? malloc_usable_size( memory ) : 0;
    __libc_free( memory );
}

namespace test
{

std::size_t allocatedBytes()
{
    return allocated;
}

std::size_t peakBytes()
{
    return peak;
}

void restartPeak()
{
    peak = allocated;
}

} // namespace test
