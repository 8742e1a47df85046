// SPDX-License-Identifier: Zlib
/// \file host_twin.h Downloads device arrays, and builds the same arrays on the host for comparison.
#ifndef CLT_TESTS_CUDA_HOST_TWIN_H
#define CLT_TESTS_CUDA_HOST_TWIN_H

extern "C" {
#include "gpu/host/reference/reference.h"
}
#include "gpu/cuda/cuda_backend.cuh"

#include <gtest/gtest.h>
#include <vector>

namespace test
{

/// The host's reference implementation (gpu/host/reference) of a device algorithm. The CPU runs it for every algorithm
/// except `wide`. In contrast, emulation/ runs the CUDA sources.
class HostTwin
{
public:
    HostTwin( cltAlgorithm algorithm, cltPrecision precision )
    {
        m_def.algorithm = algorithm;
        m_def.precision = precision;
        m_def.research = &m_research;
        cltMemory_Init( &m_memory, &m_def );
        EXPECT_EQ( clt_ok, cltCreateWorkerPool( &m_def, &m_memory, &m_resources.pool ) );
        EXPECT_EQ( clt_ok, cltCreateReference( &m_resources, &m_algorithm ) );
    }

    ~HostTwin()
    {
        m_algorithm->ops->destroy( m_algorithm );
        cltDestroyWorkerPool( m_resources.pool, &m_memory );
    }

    /// Builds the leaves and the search structure of the upload. The result is valid until the next call.
    const cltReference& build( const cltUpload& upload )
    {
        const bool isDouble = m_def.precision == clt_precisionDouble;
        cltSearchInput input = { { upload.boxes, upload.before, upload.states, isDouble, upload.slotCount },
                                 { upload.filters, upload.filtersBefore } };
        if ( upload.allFiltersAccept )
        {
            input.filters = {};
        }
        EXPECT_EQ( clt_ok, m_algorithm->ops->build( m_algorithm, &upload, &input, false ) );
        return *reinterpret_cast<const cltReference*>( m_algorithm );
    }

private:
    cltBroadphaseDef m_def = cltDefaultBroadphaseDef();
    cltResearchDef m_research = cltDefaultResearchDef();
    cltMemory m_memory;
    cltHostResources m_resources = { &m_def, &m_memory, nullptr };
    cltHostAlgorithm* m_algorithm = nullptr;
};

/// Copies the first `count` items of a device array.
template <typename Item>
std::vector<Item> download( const cltCudaBackend& cuda, const void* data, size_t count )
{
    void* pinned = nullptr;
    const size_t bytes = count * sizeof( Item );
    EXPECT_EQ( cudaSuccess, cudaMallocHost( &pinned, bytes + 1 ) );
    EXPECT_EQ( cudaSuccess, cudaMemcpyAsync( pinned, data, bytes, cudaMemcpyDefault, cuda.device.stream ) );
    EXPECT_EQ( cudaSuccess, cudaStreamSynchronize( cuda.device.stream ) );
    const Item* items = static_cast<const Item*>( pinned );
    std::vector<Item> copy( items, items + count );
    cudaFreeHost( pinned );
    return copy;
}

inline cltPlan planOf( const cltCudaBackend& cuda )
{
    return download<cltPlan>( cuda, cuda.leaves.found.data, 1 )[0];
}

} // namespace test

#endif
