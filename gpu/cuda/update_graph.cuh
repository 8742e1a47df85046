// SPDX-License-Identifier: Zlib
/// \file update_graph.cuh
/// An update's operations as one CUDA graph, which the host launches in their place.
///
/// While it is open, what would go into the stream is written down instead: what to do, and the bytes of the call. When
/// it is closed, before the host waits, that list is compared with the one that the graph was made of. Where both have
/// the same operations, the graph is launched, and arguments that differ, as where there was a count or a room is
/// another one, are set in it before: a microsecond each, where kernels that read all of them from the plan would have
/// to be launched for whatever there is room for. So a graph never computes with arguments of an update before.
///
/// A list of other operations is put into the stream one by one, and so is all that follows when memory has to grow on
/// the way. It is captured once it has come twice while there was no graph, or twice in a row beside another one: who
/// sorts anew now and then keeps the graph for the updates in between.
///
/// It captures in a stream of its own, because that of an application may be one that cannot be captured.
#ifndef CLT_CUDA_UPDATE_GRAPH_CUH
#define CLT_CUDA_UPDATE_GRAPH_CUH

#include "gpu/cuda/device.cuh"

/// Operations of an update and the bytes of their calls that there is room for. A million bodies need a fifth of that.
#define CLT_GRAPH_STEPS 128u
#define CLT_GRAPH_BYTES 32768u

/// Something that can be put into the stream, by the bytes of its call.
typedef struct cltOperation
{
    cltStatus ( *issue )( cltCudaDevice* device, const void* call );
    cudaError_t ( *set )( cudaGraphExec_t graph, cudaGraphNode_t node, const void* call ); ///< or NULL: it is as it is
    uint32_t formSize; ///< bytes that begin the call and cannot be set
    const char* name;  ///< for people; NULL: of a kernel, which its call has (launch.cuh)
} cltOperation;

typedef struct cltGraphStep
{
    cltOperation operation;
    uint32_t begin; ///< of its call, in `calls`
    uint32_t size;
} cltGraphStep;

typedef struct cltGraphList
{
    uint32_t count;
    uint32_t size; ///< of all calls
    cltGraphStep steps[CLT_GRAPH_STEPS];
    alignas( 16 ) unsigned char calls[CLT_GRAPH_BYTES];
} cltGraphList;

/// Zero-initialised there is none yet. It is given back before the device's stream is.
struct cltUpdateGraph
{
    bool isOpen;
    uint32_t current;      ///< of the lists, the one that is written; the other one is what the graph does, or would
    uint32_t strangeCount; ///< updates since the last launch
    cltGraphList lists[2];
    cudaGraphNode_t nodes[CLT_GRAPH_STEPS]; ///< of those operations that can be set
    cudaGraph_t graph;                      ///< names the nodes
    cudaGraphExec_t runnable;               ///< NULL: there is none
    cudaStream_t stream;                    ///< where it is captured

    cltUpdateGraph() = default;
    cltUpdateGraph( const cltUpdateGraph& ) = delete;
    cltUpdateGraph& operator=( const cltUpdateGraph& ) = delete;
    ~cltUpdateGraph();
};

/// By the environment, until somebody has measured it: CULLET_CUDA_GRAPH=1. Not in a build that waits for each kernel.
bool cltUpdateGraph_IsAskedFor( void );

/// Puts an operation into the stream, now or with the others of an update. What the call points at stays where it is
/// until then.
/// \param call  `size` bytes, aligned to 16 at the most; they are copied
cltStatus cltEnqueue( cltCudaDevice* device, const cltOperation* operation, const void* call, size_t size );

/// From here on operations are written down, if the device has a graph.
void cltUpdateGraph_Open( cltCudaDevice* device );

/// Puts all that was written down into the stream, as a graph or one by one.
cltStatus cltUpdateGraph_Close( cltCudaDevice* device );

/// The same, one by one, and what follows at once: memory is about to go that an operation may need.
cltStatus cltUpdateGraph_Break( cltCudaDevice* device );

/// True while operations are put into a stream that is being captured.
static inline bool cltUpdateGraph_Captures( const cltCudaDevice* device )
{
    return device->graph != NULL && device->stream == device->graph->stream && device->stream != NULL;
}

#endif
