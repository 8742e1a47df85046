// SPDX-License-Identifier: Zlib
/// \file device_memory.h
/// Memory that only the emulated device may touch.
#ifndef CLT_TESTS_EMULATED_DEVICE_MEMORY_H
#define CLT_TESTS_EMULATED_DEVICE_MEMORY_H

#include <cstddef>
#include <map>

namespace emulation
{

class DeviceMemory
{
public:
    void* allocate( size_t bytes );
    void release( void* data );

    /// Lets everybody touch it, or nobody.
    void setAccessible( bool accessible );

    bool contains( const void* data ) const;

    size_t blockCount() const
    {
        return m_blocks.size();
    }

private:
    struct Block
    {
        void* pages;
        size_t pageBytes;
        size_t bytes;
    };

    std::map<void*, Block> m_blocks;
    bool m_accessible = false;
};

} // namespace emulation

#endif
