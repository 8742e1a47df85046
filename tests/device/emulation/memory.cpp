// SPDX-License-Identifier: Zlib
// Memory of the emulated runtime. Each allocation on the device has pages of its own and lies at their end. The page
// behind them is never accessible.
#include "tests/device/emulation/cuda.h"
#include "tests/device/emulation/emulation.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

using namespace emulation;

static constexpr int garbage = 0xcd;

struct DeviceAllocation
{
    void* pages;
    size_t pageBytes;
};

static std::map<const void*, DeviceAllocation> blocks; // by the address of their data
static int protection = PROT_NONE;

static size_t pageSize()
{
    return static_cast<size_t>( sysconf( _SC_PAGESIZE ) );
}

static void* allocateOnDevice( size_t bytes )
{
    const size_t pageBytes = ( bytes + pageSize() - 1 ) / pageSize() * pageSize();
    void* pages = mmap( nullptr, pageBytes + pageSize(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 );
    if ( pages == MAP_FAILED )
    {
        return nullptr;
    }
    mprotect( pages, pageBytes, PROT_READ | PROT_WRITE );
    std::memset( pages, garbage, pageBytes );
    mprotect( pages, pageBytes, protection );
    void* data = static_cast<char*>( pages ) + ( pageBytes - bytes ) / 256 * 256;
    blocks[data] = { pages, pageBytes };
    return data;
}

static bool isOnDevice( const void* data )
{
    const auto after = blocks.upper_bound( data );
    if ( after == blocks.begin() )
    {
        return false;
    }
    const DeviceAllocation& block = std::prev( after )->second;
    return data < static_cast<const char*>( block.pages ) + block.pageBytes;
}

void emulation::makeAccessible( bool accessible )
{
    protection = accessible ? PROT_READ | PROT_WRITE : PROT_NONE;
    for ( const auto& [data, block] : blocks )
    {
        mprotect( block.pages, block.pageBytes, protection );
    }
}

/// Allocates, unless the machine requests a failure.
template <typename Allocate>
static cudaError_t allocateWith( Allocate allocate, void** data, size_t bytes )
{
    ++counts.allocations;
    *data = nullptr;
    if ( machine.isBroken )
    {
        return recordError( cudaErrorLaunchFailure );
    }
    if ( runsOut( machine.allocationsToFailure ) )
    {
        return recordError( cudaErrorMemoryAllocation );
    }
    *data = allocate( bytes );
    counts.blocksHeld += *data != nullptr;
    return recordError( *data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation );
}

cudaError_t cudaMalloc( void** data, size_t bytes )
{
    useContext();
    return allocateWith( allocateOnDevice, data, bytes );
}

cudaError_t cudaFree( void* data )
{
    useContext();
    runAllStreams(); // freeing waits for the device
    const auto found = blocks.find( data );
    munmap( found->second.pages, found->second.pageBytes + pageSize() );
    blocks.erase( found );
    --counts.blocksHeld;
    return cudaSuccess;
}

cudaError_t cudaMallocHost( void** data, size_t bytes )
{
    useContext();
    return allocateWith( []( size_t size ) { return std::memset( std::malloc( size ), garbage, size ); }, data, bytes );
}

cudaError_t cudaFreeHost( void* data )
{
    useContext();
    runAllStreams();
    std::free( data );
    --counts.blocksHeld;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync( void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t stream )
{
    if ( isOnDevice( to ) && !isOnDevice( from ) )
    {
        ++counts.copiesToDevice;
        counts.bytesToDevice += bytes;
    }
    const auto* first = static_cast<const char*>( from );
    // not memcpy, which may not get NULL, even for zero bytes
    return enqueue( stream, [=] { std::copy_n( first, bytes, static_cast<char*>( to ) ); } );
}

cudaError_t cudaMemsetAsync( void* to, int value, size_t bytes, cudaStream_t stream )
{
    return enqueue( stream, [=] { std::memset( to, value, bytes ); } );
}

CUresult cuPointerGetAttributes( unsigned count, CUpointer_attribute* attributes, void** values, CUdeviceptr address )
{
    const bool isKnown = isOnDevice( reinterpret_cast<const void*>( address ) );
    for ( unsigned i = 0; i < count; ++i )
    {
        *static_cast<int*>( values[i] ) =
            isKnown && attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE ? CU_MEMORYTYPE_DEVICE : 0;
    }
    return CUDA_SUCCESS;
}
