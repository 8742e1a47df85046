// SPDX-License-Identifier: Zlib
/// \file update_graph.cuh
/// An update's operations as one CUDA graph that the host launches in their place.
///
/// While the graph is open, operations are recorded instead of enqueued: the operation and the bytes of its call. On
/// closing, before the host waits, the list is compared with the list of the captured graph. If both have the same
/// operations, changed arguments, such as counts and capacities, are updated, a microsecond each, and the graph is
/// launched. Kernels that read all arguments from the plan would need no update, but would have to be launched for the
/// full capacity. So a graph never runs with arguments of an earlier update.
///
/// If the operations differ, the list is enqueued one by one, and so is the rest of an update in which memory grows. If
/// there is no graph, two equal lists in a row are captured as one. An existing graph is given up only after several
/// mismatching updates in a row, so a scene that sorts now and then keeps the graph of the updates in between.
///
/// Capture uses a stream of its own, because the application's stream may not allow it.
#ifndef CLT_CUDA_UPDATE_GRAPH_CUH
#define CLT_CUDA_UPDATE_GRAPH_CUH

#include "gpu/cuda/device.cuh"

/// The largest number of operations of an update, and of bytes of their calls. A million bodies need a fifth of that.
#define CLT_GRAPH_STEPS 128u
#define CLT_GRAPH_BYTES 32768u

/// A kind of stream operation.
typedef struct cltOperation
{
    cltStatus ( *issue )( cltCudaDevice* device, const void* call );
    cudaError_t ( *set )( cudaGraphExec_t graph, cudaGraphNode_t node, const void* call ); ///< NULL if it cannot change
    uint32_t formSize; ///< leading bytes of the call that cannot be updated
    const char* name;  ///< for reports; NULL for kernels: their call has the name (launch.cuh)
} cltOperation;

typedef struct cltGraphStep
{
    cltOperation operation;
    uint32_t begin; ///< offset of its call in `calls`
    uint32_t size;
} cltGraphStep;

typedef struct cltGraphList
{
    uint32_t count;
    uint32_t size; ///< of all calls
    cltGraphStep steps[CLT_GRAPH_STEPS];
    alignas( 16 ) unsigned char calls[CLT_GRAPH_BYTES];
} cltGraphList;

/// Value-initialized: no graph. Destroyed before the device's stream.
struct cltUpdateGraph
{
    bool isOpen;
    uint32_t current;      ///< index of the list being recorded; the other list is the captured graph's
    uint32_t strangeCount; ///< mismatching updates since the last launch
    cltGraphList lists[2];
    cudaGraphNode_t nodes[CLT_GRAPH_STEPS]; ///< of the operations that can be updated
    cudaGraph_t graph;                      ///< owns the nodes
    cudaGraphExec_t runnable;               ///< NULL if there is no graph
    cudaStream_t stream;                    ///< for capture

    cltUpdateGraph() = default;
    cltUpdateGraph( const cltUpdateGraph& ) = delete;
    cltUpdateGraph& operator=( const cltUpdateGraph& ) = delete;
    ~cltUpdateGraph();
};

/// True if the environment has CULLET_CUDA_GRAPH=1, until graphs are measured. False in builds with CLT_CHECK_KERNELS.
bool cltUpdateGraph_IsAskedFor( void );

/// Enqueues an operation, or records it while the graph is open. Data that the call points to must not change until it
/// runs.
/// \param call  `size` bytes with an alignment of at most 16; copied
cltStatus cltEnqueue( cltCudaDevice* device, const cltOperation* operation, const void* call, size_t size );

/// Starts recording, if the device has a graph.
void cltUpdateGraph_Open( cltCudaDevice* device );

/// Enqueues all recorded operations, as a graph or one by one.
cltStatus cltUpdateGraph_Close( cltCudaDevice* device );

/// Enqueues the recorded operations one by one and stops recording: memory that they use is about to be freed.
cltStatus cltUpdateGraph_Break( cltCudaDevice* device );

/// True during capture.
static inline bool cltUpdateGraph_Captures( const cltCudaDevice* device )
{
    return device->graph != NULL && device->stream == device->graph->stream && device->stream != NULL;
}

#endif
