// SPDX-License-Identifier: Zlib
// All device memory and pinned memory is allocated by Allocate and freed by the destructor of cltCudaBuffer.

#include "gpu/cuda/cuda_buffer.cuh"

/// Alignment of cudaMalloc.
#define ALLOCATION_ALIGNMENT 256u

static cltStatus Allocate( cltCudaBuffer* buffer, cltCudaDevice* device, size_t bytes )
{
    if ( buffer->place == clt_memoryPinned )
    {
        CLT_TRY_CUDA( device, cudaMallocHost( &buffer->data, bytes ) );
    }
    else
    {
        CLT_TRY_CUDA( device, cudaMalloc( &buffer->data, bytes ) );
        device->bytes += bytes;
    }
    buffer->bytes = bytes;
    buffer->device = device;
    return clt_ok;
}

/// Freeing waits until the device no longer uses the memory.
cltCudaBuffer::~cltCudaBuffer()
{
    if ( bytes == 0 )
    {
        return;
    }
    if ( place == clt_memoryPinned )
    {
        cudaFreeHost( data );
        return;
    }
    cudaFree( data );
    device->bytes -= bytes;
}

/// Bytes to allocate for `count` items; 0 if the size does not fit a size_t.
static size_t GrownBytes( const cltCudaBuffer* buffer, size_t count, size_t itemSize )
{
    if ( count > ( SIZE_MAX / 2u ) / itemSize )
    {
        return 0;
    }
    const size_t needed = count * itemSize;
    const size_t grown = buffer->bytes + buffer->bytes / 2u;
    return ( ( grown > needed ? grown : needed ) + ALLOCATION_ALIGNMENT - 1u ) / ALLOCATION_ALIGNMENT *
           ALLOCATION_ALIGNMENT;
}

cltStatus cltCudaBuffer_Reserve( cltCudaBuffer* buffer, cltCudaDevice* device, size_t count, size_t itemSize,
                                 size_t kept )
{
    if ( count <= buffer->bytes / itemSize )
    {
        return clt_ok;
    }
    const size_t bytes = GrownBytes( buffer, count, itemSize );
    if ( bytes == 0 )
    {
        return clt_deviceMemory;
    }
    if ( kept == 0 ) // frees the old memory before the new allocation, to lower the peak
    {
        cltCudaBuffer( buffer->place ) = std::move( *buffer );
    }
    cltCudaBuffer grown( buffer->place );
    CLT_TRY( Allocate( &grown, device, bytes ) );
    CLT_TRY( cltCudaCopy( device, grown.data, buffer->data, kept * itemSize ) );
    *buffer = std::move( grown );
    return clt_ok;
}

cltStatus cltCudaBuffer_ReserveFilled( cltCudaBuffer* buffer, cltCudaDevice* device, size_t count, size_t itemSize,
                                       int value )
{
    const size_t known = buffer->bytes;
    CLT_TRY( cltCudaBuffer_Reserve( buffer, device, count, itemSize ) );
    return buffer->bytes > known ? cltCudaFill( device, buffer->data, value, buffer->bytes ) : clt_ok;
}
