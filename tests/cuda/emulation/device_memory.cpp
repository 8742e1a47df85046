// SPDX-License-Identifier: Zlib
// Each block has pages of its own and ends where they end; behind them lies one that is never accessible. A sanitizer
// knows more about blocks from the heap than about pages, so under it they come from there.
#include "tests/cuda/emulation/device_memory.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace emulation
{

static constexpr int garbage = 0xcd;

#if defined( __SANITIZE_ADDRESS__ )

void* DeviceMemory::allocate( size_t bytes )
{
    void* data = std::aligned_alloc( 256, ( bytes + 255 ) / 256 * 256 );
    std::memset( data, garbage, bytes );
    m_blocks[data] = { data, 0, bytes };
    return data;
}

void DeviceMemory::release( void* data )
{
    m_blocks.erase( data );
    std::free( data );
}

void DeviceMemory::setAccessible( bool accessible )
{
    m_accessible = accessible;
}

#else

void* DeviceMemory::allocate( size_t bytes )
{
    const size_t page = static_cast<size_t>( sysconf( _SC_PAGESIZE ) );
    const size_t pageBytes = ( bytes + page - 1 ) / page * page;
    void* pages = mmap( nullptr, pageBytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 );
    if ( pages == MAP_FAILED )
    {
        return nullptr;
    }
    mprotect( pages, pageBytes, PROT_READ | PROT_WRITE );
    std::memset( pages, garbage, pageBytes );
    void* data = static_cast<char*>( pages ) + ( pageBytes - bytes ) / 256 * 256;
    m_blocks[data] = { pages, pageBytes, bytes };
    mprotect( pages, pageBytes, m_accessible ? PROT_READ | PROT_WRITE : PROT_NONE );
    return data;
}

void DeviceMemory::release( void* data )
{
    const auto found = m_blocks.find( data );
    munmap( found->second.pages, found->second.pageBytes + static_cast<size_t>( sysconf( _SC_PAGESIZE ) ) );
    m_blocks.erase( found );
}

void DeviceMemory::setAccessible( bool accessible )
{
    m_accessible = accessible;
    for ( const auto& entry : m_blocks )
    {
        mprotect( entry.second.pages, entry.second.pageBytes, accessible ? PROT_READ | PROT_WRITE : PROT_NONE );
    }
}

#endif

bool DeviceMemory::contains( const void* data ) const
{
    auto after = m_blocks.upper_bound( const_cast<void*>( data ) );
    if ( after == m_blocks.begin() )
    {
        return false;
    }
    const auto& entry = *std::prev( after );
    return static_cast<const char*>( data ) < static_cast<const char*>( entry.first ) + entry.second.bytes;
}

} // namespace emulation
