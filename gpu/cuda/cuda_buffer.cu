// SPDX-License-Identifier: Zlib
// All memory that is not the host's own comes and goes through the two functions at the top.

#include "gpu/cuda/cuda_buffer.cuh"

/// What the device aligns allocations to anyway.
#define GRAIN 256u

static cltStatus Allocate( cltCudaDevice* device, cltPlace place, size_t bytes, void** data )
{
    *data = NULL;
    if ( place == clt_placePinned )
    {
        CLT_TRY_CUDA( device, cudaMallocHost( data, bytes ) );
        return clt_ok;
    }
    CLT_TRY_CUDA( device, cudaMalloc( data, bytes ) );
    device->bytes += bytes;
    return clt_ok;
}

/// Both wait until the device has done with the memory.
static void Free( cltCudaDevice* device, cltPlace place, void* data, size_t bytes )
{
    if ( data == NULL )
    {
        return;
    }
    if ( place == clt_placePinned )
    {
        cudaFreeHost( data );
        return;
    }
    cudaFree( data );
    device->bytes -= bytes;
}

/// The capacity to have for `count` items, or 0 if the size does not fit a size_t.
static size_t GrownBytes( const cltCudaBuffer* buffer, size_t count, size_t itemSize )
{
    if ( count > ( SIZE_MAX / 2u ) / itemSize )
    {
        return 0;
    }
    const size_t needed = count * itemSize;
    const size_t grown = buffer->bytes + buffer->bytes / 2u;
    return ( ( grown > needed ? grown : needed ) + GRAIN - 1u ) / GRAIN * GRAIN;
}

static bool HasRoom( const cltCudaBuffer* buffer, size_t count, size_t itemSize )
{
    return count <= buffer->bytes / itemSize;
}

cltStatus cltCudaBuffer_Reserve( cltCudaBuffer* buffer, cltCudaDevice* device, size_t count, size_t itemSize )
{
    if ( HasRoom( buffer, count, itemSize ) )
    {
        return clt_ok;
    }
    const size_t bytes = GrownBytes( buffer, count, itemSize );
    cltCudaBuffer_Release( buffer, device ); // nothing is kept, so first give back: the peak is lower
    if ( bytes == 0 )
    {
        return clt_deviceMemory;
    }
    CLT_TRY( Allocate( device, buffer->place, bytes, &buffer->data ) );
    buffer->bytes = bytes;
    return clt_ok;
}

cltStatus cltCudaBuffer_Grow( cltCudaBuffer* buffer, cltCudaDevice* device, size_t kept, size_t count, size_t itemSize )
{
    if ( HasRoom( buffer, count, itemSize ) )
    {
        return clt_ok;
    }
    cltCudaBuffer grown = { NULL, GrownBytes( buffer, count, itemSize ), buffer->place };
    if ( grown.bytes == 0 )
    {
        return clt_deviceMemory;
    }
    CLT_TRY( Allocate( device, grown.place, grown.bytes, &grown.data ) );
    const cltStatus status = cltCudaCopy( device, grown.data, buffer->data, kept * itemSize );
    cltCudaBuffer_Release( status == clt_ok ? buffer : &grown, device );
    if ( status == clt_ok )
    {
        *buffer = grown;
    }
    return status;
}

void cltCudaBuffer_Release( cltCudaBuffer* buffer, cltCudaDevice* device )
{
    Free( device, buffer->place, buffer->data, buffer->bytes );
    buffer->data = NULL;
    buffer->bytes = 0;
}

cltStatus cltCudaCopy( cltCudaDevice* device, void* to, const void* from, size_t bytes )
{
    if ( bytes > 0 )
    {
        device->copying = true;
        CLT_TRY_CUDA( device, cudaMemcpyAsync( to, from, bytes, cudaMemcpyDefault, device->stream ) );
    }
    return clt_ok;
}

cltStatus cltCudaFill( cltCudaDevice* device, void* to, int value, size_t bytes )
{
    if ( bytes > 0 )
    {
        CLT_TRY_CUDA( device, cudaMemsetAsync( to, value, bytes, device->stream ) );
    }
    return clt_ok;
}
