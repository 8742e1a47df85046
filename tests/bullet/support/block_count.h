// SPDX-License-Identifier: Zlib
/// \file block_count.h
/// Counts what Bullet's allocator gives out, as long as one of these lives.
#ifndef CULLET_TESTS_BLOCK_COUNT_H
#define CULLET_TESTS_BLOCK_COUNT_H

#include "LinearMath/btAlignedAllocator.h"

#include <cstdlib>
#include <malloc.h>

namespace test
{

/// One at a time, in one thread.
class BlockCount
{
public:
    BlockCount()
    {
        s_alive = 0;
        s_made = 0;
        s_bytes = 0;
        s_held = 0;
        btAlignedAllocSetCustomAligned( allocate, release );
    }

    ~BlockCount()
    {
        btAlignedAllocSetCustomAligned( nullptr, nullptr ); // back to Bullet's own
    }

    /// Blocks.
    long alive() const
    {
        return s_alive;
    }

    /// Blocks since the beginning, given back or not.
    long made() const
    {
        return s_made;
    }

    /// Bytes of these.
    size_t bytes() const
    {
        return s_bytes;
    }

    /// Bytes of the blocks that are alive.
    size_t held() const
    {
        return s_held;
    }

private:
    static void* allocate( size_t size, int alignment )
    {
        ++s_alive;
        ++s_made;
        s_bytes += size;
        const size_t step = size_t( alignment );
        void* memory = std::aligned_alloc( step, ( size + step - 1 ) / step * step );
        s_held += malloc_usable_size( memory );
        return memory;
    }

    static void release( void* memory )
    {
        s_alive -= memory != nullptr;
        s_held -= malloc_usable_size( memory );
        std::free( memory );
    }

    inline static long s_alive = 0; // Bullet's hooks get no context
    inline static long s_made = 0;
    inline static size_t s_bytes = 0;
    inline static size_t s_held = 0;
};

} // namespace test

#endif
