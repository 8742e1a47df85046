// SPDX-License-Identifier: Zlib
/// \file block_count.h
/// Counts the blocks that Bullet's allocator hands out during the lifetime of a BlockCount.
#ifndef CULLET_TESTS_BLOCK_COUNT_H
#define CULLET_TESTS_BLOCK_COUNT_H

#include "LinearMath/btAlignedAllocator.h"

#include <cstdlib>
#include <memory>

namespace test
{

/// At most one may exist at a time, and only one thread may allocate.
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
        btAlignedAllocSetCustomAligned( nullptr, nullptr ); // restores Bullet's own
    }

    /// Number of blocks that are not freed yet.
    long alive() const
    {
        return s_alive;
    }

    /// Number of blocks allocated since construction, freed or not.
    long made() const
    {
        return s_made;
    }

    /// Bytes requested for all blocks since construction.
    size_t bytes() const
    {
        return s_bytes;
    }

    /// Bytes of the blocks not freed yet.
    size_t held() const
    {
        return s_held;
    }

private:
    /// Lies before each block.
    struct Header
    {
        void* start; ///< what malloc returned
        size_t size;
    };

    static void* allocate( size_t size, int alignment )
    {
        ++s_alive;
        ++s_made;
        s_bytes += size;
        s_held += size;
        size_t space = size + size_t( alignment );
        void* const start = std::malloc( sizeof( Header ) + space );
        void* memory = static_cast<Header*>( start ) + 1;
        std::align( size_t( alignment ), size, memory, space );
        static_cast<Header*>( memory )[-1] = { start, size };
        return memory;
    }

    static void release( void* memory )
    {
        if ( memory != nullptr )
        {
            const Header header = static_cast<Header*>( memory )[-1];
            --s_alive;
            s_held -= header.size;
            std::free( header.start );
        }
    }

    inline static long s_alive = 0; // static, because Bullet's hooks have no context argument
    inline static long s_made = 0;
    inline static size_t s_bytes = 0;
    inline static size_t s_held = 0;
};

} // namespace test

#endif
