// SPDX-License-Identifier: Zlib
// Records an update's operations, captures them as a graph and launches it.

#include "gpu/cuda/update_graph.cuh"

#include <stdlib.h>
#include <string.h>

/// Consecutive updates with other operations before the graph is given up.
#define STRANGE_UPDATES 2u

bool cltUpdateGraph_IsAskedFor( void )
{
#if defined( CLT_CHECK_KERNELS ) // captured kernels have not run and cannot be waited for
    return false;
#else
    const char* asked = getenv( "CULLET_CUDA_GRAPH" );
    return asked != NULL && strcmp( asked, "1" ) == 0;
#endif
}

static cltGraphList* Current( cltUpdateGraph* graph )
{
    return graph->lists + graph->current;
}

static cltGraphList* Captured( cltUpdateGraph* graph )
{
    return graph->lists + !graph->current;
}

static const void* CallOf( const cltGraphList* list, uint32_t i )
{
    return list->calls + list->steps[i].begin;
}

/// Appends a step with space for its call; NULL if the list is full.
static cltGraphStep* AddStep( cltGraphList* list, const cltOperation* operation, size_t size )
{
    const uint32_t begin = ( list->size + 15u ) / 16u * 16u;
    if ( list->count == CLT_GRAPH_STEPS || begin > CLT_GRAPH_BYTES || size > CLT_GRAPH_BYTES - begin )
    {
        return NULL;
    }
    cltGraphStep* step = list->steps + list->count++;
    step->operation = *operation;
    step->begin = begin;
    step->size = (uint32_t)size;
    list->size = begin + step->size;
    return step;
}

cltStatus cltEnqueue( cltCudaDevice* device, const cltOperation* operation, const void* call, size_t size )
{
    cltUpdateGraph* graph = device->graph;
    if ( graph == NULL || !graph->isOpen )
    {
        return operation->issue( device, call );
    }
    const cltGraphStep* step = AddStep( Current( graph ), operation, size );
    if ( step == NULL )
    {
        CLT_TRY( cltUpdateGraph_Break( device ) );
        return operation->issue( device, call );
    }
    memcpy( Current( graph )->calls + step->begin, call, size );
    return clt_ok;
}

static cltStatus IssueAll( cltCudaDevice* device, const cltGraphList* list )
{
    for ( uint32_t i = 0; i < list->count; ++i )
    {
        CLT_TRY( list->steps[i].operation.issue( device, CallOf( list, i ) ) );
    }
    return clt_ok;
}

/// True if both lists have the same operations, except for arguments that can be updated.
static bool HasFormOf( const cltGraphList* a, const cltGraphList* b )
{
    bool isSame = a->count == b->count;
    for ( uint32_t i = 0; isSame && i < a->count; ++i )
    {
        const cltGraphStep* step = a->steps + i;
        isSame = step->operation.issue == b->steps[i].operation.issue && step->size == b->steps[i].size &&
                 memcmp( CallOf( a, i ), CallOf( b, i ), step->operation.formSize ) == 0;
    }
    return isSame;
}

/// Gets the node captured last. Its edge data is not requested, because no kernel of this library uses it.
static cltStatus NoteNode( cltCudaDevice* device, cudaGraphNode_t* node )
{
    cudaStreamCaptureStatus capturing;
    const cudaGraphNode_t* last = NULL;
    size_t count = 0;
#if CUDART_VERSION >= 13000
    CLT_TRY_CUDA( device, cudaStreamGetCaptureInfo( device->stream, &capturing, NULL, NULL, &last, NULL, &count ) );
#else
    CLT_TRY_CUDA( device, cudaStreamGetCaptureInfo_v2( device->stream, &capturing, NULL, NULL, &last, &count ) );
#endif
    *node = count > 0 ? last[0] : NULL;
    return clt_ok;
}

static cltStatus IssueAndNote( cltCudaDevice* device, const cltGraphList* list )
{
    for ( uint32_t i = 0; i < list->count; ++i )
    {
        CLT_TRY( list->steps[i].operation.issue( device, CallOf( list, i ) ) );
        if ( list->steps[i].operation.set != NULL )
        {
            CLT_TRY( NoteNode( device, device->graph->nodes + i ) );
        }
    }
    return clt_ok;
}

/// Captures and instantiates the graph. Relaxed mode: calls of other threads of the application do not matter.
static cltStatus Capture( cltCudaDevice* device, const cltGraphList* list )
{
    cltUpdateGraph* graph = device->graph;
    if ( graph->stream == NULL )
    {
        CLT_TRY_CUDA( device, cudaStreamCreateWithFlags( &graph->stream, cudaStreamNonBlocking ) );
    }
    CLT_TRY_CUDA( device, cudaStreamBeginCapture( graph->stream, cudaStreamCaptureModeRelaxed ) );
    const cudaStream_t stream = device->stream;
    const uint32_t operationCount = device->operationCount;
    device->stream = graph->stream;
    const cltStatus issued = IssueAndNote( device, list );
    device->stream = stream;
    device->operationCount = operationCount;
    const cudaError_t ended = cudaStreamEndCapture( graph->stream, &graph->graph ); // also after a failure
    CLT_TRY( issued );
    CLT_TRY( cltCudaDevice_Check( device, ended, "ending the capture" ) );
    CLT_TRY_CUDA( device, cudaGraphInstantiate( &graph->runnable, graph->graph, 0 ) );
    return clt_ok;
}

/// Updates the nodes with changed arguments.
static cltStatus SetCalls( cltCudaDevice* device, const cltGraphList* list, const cltGraphList* known )
{
    const cltUpdateGraph* graph = device->graph;
    for ( uint32_t i = 0; i < list->count; ++i )
    {
        const cltGraphStep* step = list->steps + i;
        if ( memcmp( CallOf( list, i ), CallOf( known, i ), step->size ) != 0 )
        {
            CLT_TRY( cltCudaDevice_Check( device,
                                          step->operation.set( graph->runnable, graph->nodes[i], CallOf( list, i ) ),
                                          "setting a node" ) );
        }
    }
    return clt_ok;
}

static cltStatus Launch( cltCudaDevice* device )
{
    cltUpdateGraph* graph = device->graph;
    CLT_TRY( graph->runnable == NULL ? Capture( device, Current( graph ) )
                                     : SetCalls( device, Current( graph ), Captured( graph ) ) );
    ++device->operationCount;
    CLT_TRY_CUDA( device, cudaGraphLaunch( graph->runnable, device->stream ) );
    return clt_ok;
}

/// Destroys the graph. A running launch completes.
static void GiveUp( cltUpdateGraph* graph )
{
    if ( graph->runnable != NULL )
    {
        cudaGraphExecDestroy( graph->runnable );
    }
    if ( graph->graph != NULL )
    {
        cudaGraphDestroy( graph->graph );
    }
    graph->runnable = NULL;
    graph->graph = NULL;
    graph->strangeCount = 0;
}

void cltUpdateGraph_Open( cltCudaDevice* device )
{
    if ( device->graph != NULL )
    {
        device->graph->isOpen = true;
        Current( device->graph )->count = 0;
        Current( device->graph )->size = 0;
    }
}

cltStatus cltUpdateGraph_Break( cltCudaDevice* device )
{
    if ( device->graph == NULL || !device->graph->isOpen )
    {
        return clt_ok;
    }
    device->graph->isOpen = false;
    return IssueAll( device, Current( device->graph ) );
}

cltStatus cltUpdateGraph_Close( cltCudaDevice* device )
{
    cltUpdateGraph* graph = device->graph;
    if ( graph == NULL || !graph->isOpen )
    {
        return clt_ok;
    }
    graph->isOpen = false;
    if ( HasFormOf( Current( graph ), Captured( graph ) ) )
    {
        const cltStatus status = Launch( device );
        if ( status != clt_ok ) // it may be partly updated or captured
        {
            GiveUp( graph );
        }
        graph->strangeCount = 0;
        graph->current = !graph->current;
        return status;
    }
    CLT_TRY( IssueAll( device, Current( graph ) ) );
    if ( graph->runnable == NULL || ++graph->strangeCount == STRANGE_UPDATES )
    {
        GiveUp( graph );
        graph->current = !graph->current;
    }
    return clt_ok;
}

cltUpdateGraph::~cltUpdateGraph()
{
    GiveUp( this );
    if ( stream != NULL )
    {
        cudaStreamDestroy( stream );
    }
}
