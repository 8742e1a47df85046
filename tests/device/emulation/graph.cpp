// SPDX-License-Identifier: Zlib
// Graphs of the emulated runtime: capture records operations, and a launch enqueues all of them with the captured or
// updated arguments.
#include "tests/device/emulation/emulation.h"

#include <algorithm>
#include <memory>

using namespace emulation;

struct EmulatedNode
{
    std::function<void()> work;
    Bind bind; ///< nullptr if it is no kernel
};

struct EmulatedGraph
{
    std::vector<std::unique_ptr<EmulatedNode>> nodes; ///< in order
};

struct EmulatedRunnable
{
    const EmulatedGraph* graph; ///< owns the nodes
    std::vector<std::function<void()>> work;
};

void emulation::put( cudaStream_t stream, std::function<void()> work, Bind bind )
{
    if ( stream->captured != nullptr )
    {
        stream->captured->nodes.push_back( std::make_unique<EmulatedNode>( EmulatedNode{ std::move( work ), bind } ) );
        return;
    }
    stream->work.push_back( std::move( work ) );
}

cudaError_t cudaStreamBeginCapture( cudaStream_t stream, cudaStreamCaptureMode )
{
    const cudaError_t error = beginCall();
    if ( error == cudaSuccess )
    {
        stream->captured = new EmulatedGraph;
        ++counts.captures;
        ++counts.streamsHeld;
    }
    return error;
}

/// A failure ends the capture too, without a graph.
cudaError_t cudaStreamEndCapture( cudaStream_t stream, cudaGraph_t* graph )
{
    const cudaError_t error = beginCall();
    *graph = std::exchange( stream->captured, nullptr );
    if ( error != cudaSuccess )
    {
        cudaGraphDestroy( std::exchange( *graph, nullptr ) );
    }
    return error;
}

cudaError_t cudaStreamGetCaptureInfo( cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long*,
                                      cudaGraph_t*, const cudaGraphNode_t** last, const cudaGraphEdgeData**,
                                      size_t* lastCount )
{
    static cudaGraphNode_t node;
    const EmulatedGraph* graph = stream->captured;
    *status = graph != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    *lastCount = graph != nullptr && !graph->nodes.empty() ? 1 : 0;
    node = *lastCount > 0 ? graph->nodes.back().get() : nullptr;
    *last = &node;
    return beginCall();
}

cudaError_t cudaGraphInstantiate( cudaGraphExec_t* runnable, cudaGraph_t graph, unsigned long long )
{
    const cudaError_t error = beginCall();
    if ( error == cudaSuccess )
    {
        *runnable = new EmulatedRunnable{ graph, {} };
        ++counts.streamsHeld;
        for ( const auto& node : graph->nodes )
        {
            ( *runnable )->work.push_back( node->work );
        }
    }
    return error;
}

cudaError_t cudaGraphLaunch( cudaGraphExec_t runnable, cudaStream_t stream )
{
    const cudaError_t error = beginCall();
    if ( error == cudaSuccess )
    {
        ++counts.graphLaunches;
        stream->work.insert( stream->work.end(), runnable->work.begin(), runnable->work.end() );
    }
    return error;
}

/// Replaces the work of a node.
static cudaError_t setWork( cudaGraphExec_t runnable, cudaGraphNode_t node, std::function<void()> work )
{
    const cudaError_t error = beginCall();
    const auto& nodes = runnable->graph->nodes;
    const auto found =
        std::find_if( nodes.begin(), nodes.end(), [node]( const auto& each ) { return each.get() == node; } );
    if ( error != cudaSuccess || found == nodes.end() )
    {
        return error != cudaSuccess ? error : note( cudaErrorInvalidValue );
    }
    ++counts.nodesSet;
    runnable->work[static_cast<size_t>( found - nodes.begin() )] = std::move( work );
    return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams( cudaGraphExec_t runnable, cudaGraphNode_t node,
                                              const cudaKernelNodeParams* params )
{
    return setWork( runnable, node,
                    gridOf( params->gridDim, params->blockDim, node->bind( params->func, params->kernelParams ) ) );
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D( cudaGraphExec_t runnable, cudaGraphNode_t node, void* to,
                                                const void* from, size_t bytes, cudaMemcpyKind )
{
    const auto* first = static_cast<const char*>( from );
    return setWork( runnable, node, [=] { std::copy_n( first, bytes, static_cast<char*>( to ) ); } );
}

cudaError_t cudaGraphExecDestroy( cudaGraphExec_t runnable )
{
    delete runnable;
    --counts.streamsHeld;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy( cudaGraph_t graph )
{
    delete graph;
    --counts.streamsHeld;
    return cudaSuccess;
}
