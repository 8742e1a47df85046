// SPDX-License-Identifier: Zlib
// Stream operations other than kernels.

#include "gpu/cuda/stream.cuh"

cltStatus cltCudaCopy( cltCudaDevice* device, void* to, const void* from, size_t bytes )
{
    if ( bytes == 0 )
    {
        return clt_ok;
    }
    device->copying = true;
    cltCudaDevice_BeginOperation( device, "copy" );
    return cltCudaDevice_EndOperation( device, cudaMemcpyAsync( to, from, bytes, cudaMemcpyDefault, device->stream ),
                                       "copy" );
}

cltStatus cltCudaFill( cltCudaDevice* device, void* to, int value, size_t bytes )
{
    if ( bytes == 0 )
    {
        return clt_ok;
    }
    cltCudaDevice_BeginOperation( device, "clear" );
    return cltCudaDevice_EndOperation( device, cudaMemsetAsync( to, value, bytes, device->stream ), "clear" );
}

cltStatus cltCudaDevice_Wait( cltCudaDevice* device )
{
    device->copying = false;
    ++device->operationCount;
    CLT_TRY_CUDA( device, cudaStreamSynchronize( device->stream ) );
    return clt_ok;
}

cltStatus cltCudaDevice_Mark( cltCudaDevice* device, cltMark mark )
{
    CLT_TRY_CUDA( device, cudaEventRecord( device->marks[mark], device->stream ) );
    return clt_ok;
}
