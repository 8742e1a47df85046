// SPDX-License-Identifier: Zlib
// Each block has pages of its own and ends where they end; behind them lies one that is never accessible.
#include "tests/cuda/emulation/device_memory.h"

#include <cstring>
#include <iterator>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace emulation
{

struct DeviceBlock
{
    void* pages;
    size_t pageBytes;
};

static std::map<const void*, DeviceBlock> blocks; // by where their data begins
static int access = PROT_NONE;

static size_t pageSize()
{
    return static_cast<size_t>( sysconf( _SC_PAGESIZE ) );
}

void* allocateOnDevice( size_t bytes )
{
    const size_t pageBytes = ( bytes + pageSize() - 1 ) / pageSize() * pageSize();
    void* pages = mmap( nullptr, pageBytes + pageSize(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 );
    if ( pages == MAP_FAILED )
    {
        return nullptr;
    }
    mprotect( pages, pageBytes, PROT_READ | PROT_WRITE );
    std::memset( pages, 0xcd, pageBytes );
    mprotect( pages, pageBytes, access );
    void* data = static_cast<char*>( pages ) + ( pageBytes - bytes ) / 256 * 256;
    blocks[data] = { pages, pageBytes };
    return data;
}

void releaseOnDevice( void* data )
{
    const auto found = blocks.find( data );
    munmap( found->second.pages, found->second.pageBytes + pageSize() );
    blocks.erase( found );
}

bool isOnDevice( const void* data )
{
    const auto after = blocks.upper_bound( data );
    if ( after == blocks.begin() )
    {
        return false;
    }
    const DeviceBlock& block = std::prev( after )->second;
    return data < static_cast<const char*>( block.pages ) + block.pageBytes;
}

void setAccessible( bool accessible )
{
    access = accessible ? PROT_READ | PROT_WRITE : PROT_NONE;
    for ( const auto& [data, block] : blocks )
    {
        mprotect( block.pages, block.pageBytes, access );
    }
}

} // namespace emulation
