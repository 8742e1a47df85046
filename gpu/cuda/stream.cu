// SPDX-License-Identifier: Zlib
// Stream operations other than kernels.

#include "gpu/cuda/stream.cuh"

#include "gpu/cuda/update_graph.cuh"

typedef struct Copy
{
    void* to;
    const void* from;
    size_t bytes;
} Copy;

static cltStatus IssueCopy( cltCudaDevice* device, const void* call )
{
    const Copy* copy = (const Copy*)call;
    ++device->operationCount;
    CLT_TRY_CUDA( device, cudaMemcpyAsync( copy->to, copy->from, copy->bytes, cudaMemcpyDefault, device->stream ) );
    return clt_ok;
}

static cudaError_t SetCopy( cudaGraphExec_t graph, cudaGraphNode_t node, const void* call )
{
    const Copy* copy = (const Copy*)call;
    return cudaGraphExecMemcpyNodeSetParams1D( graph, node, copy->to, copy->from, copy->bytes, cudaMemcpyDefault );
}

cltStatus cltCudaCopy( cltCudaDevice* device, void* to, const void* from, size_t bytes )
{
    static const cltOperation operation = { IssueCopy, SetCopy, 0, "copy" };
    const Copy copy = { to, from, bytes };
    device->copying |= bytes > 0;
    return bytes > 0 ? cltEnqueue( device, &operation, &copy, sizeof copy ) : clt_ok;
}

typedef struct Fill
{
    void* to;
    size_t bytes;
    uint64_t value; ///< 64 bits wide, so that there is no padding to compare
} Fill;

static cltStatus IssueFill( cltCudaDevice* device, const void* call )
{
    const Fill* fill = (const Fill*)call;
    ++device->operationCount;
    CLT_TRY_CUDA( device, cudaMemsetAsync( fill->to, (int)fill->value, fill->bytes, device->stream ) );
    return clt_ok;
}

cltStatus cltCudaFill( cltCudaDevice* device, void* to, int value, size_t bytes )
{
    static const cltOperation operation = { IssueFill, NULL, sizeof( Fill ), "clear" };
    const Fill fill = { to, bytes, (uint64_t)value };
    return bytes > 0 ? cltEnqueue( device, &operation, &fill, sizeof fill ) : clt_ok;
}

cltStatus cltCudaDevice_Wait( cltCudaDevice* device )
{
    CLT_TRY( cltUpdateGraph_Close( device ) );
    device->copying = false;
    ++device->operationCount;
    CLT_TRY_CUDA( device, cudaStreamSynchronize( device->stream ) );
    return clt_ok;
}

/// In a capture the event needs the external flag, or it would not be recorded when the graph runs.
static cltStatus RecordMark( cltCudaDevice* device, const void* call )
{
    const cudaEvent_t mark = *(const cudaEvent_t*)call;
    CLT_TRY_CUDA( device, cltUpdateGraph_Captures( device )
                              ? cudaEventRecordWithFlags( mark, device->stream, cudaEventRecordExternal )
                              : cudaEventRecord( mark, device->stream ) );
    return clt_ok;
}

cltStatus cltCudaDevice_Mark( cltCudaDevice* device, cltMark mark )
{
    static const cltOperation record = { RecordMark, NULL, sizeof( cudaEvent_t ), "mark" };
    return cltEnqueue( device, &record, device->marks + mark, sizeof( cudaEvent_t ) );
}
