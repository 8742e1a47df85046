// SPDX-License-Identifier: Zlib
/// \file device_memory.h The memory of a device, for an ArrayWorld.
#ifndef CLT_TESTS_DEVICE_MEMORY_H
#define CLT_TESTS_DEVICE_MEMORY_H

#include "cullet.h"

#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <vector>

namespace test
{

inline void expectSuccess( cudaError_t error )
{
    EXPECT_EQ( cudaSuccess, error );
}

/// Memory is freed after each update: it must not be read later.
class DeviceMemory
{
public:
    DeviceMemory()
    {
        expectSuccess( cudaStreamCreateWithFlags( &m_stream, cudaStreamNonBlocking ) );
    }

    DeviceMemory( const DeviceMemory& ) = delete;
    DeviceMemory& operator=( const DeviceMemory& ) = delete;

    ~DeviceMemory()
    {
        forget();
        expectSuccess( cudaStreamDestroy( m_stream ) );
    }

    template <typename Item>
    const Item* put( const std::vector<Item>& items )
    {
        void* data = nullptr;
        const size_t bytes = items.size() * sizeof( Item );
        if ( bytes > 0 )
        {
            expectSuccess( cudaMalloc( &data, bytes ) );
            m_blocks.push_back( data );
            copy( data, items.data(), bytes );
        }
        return static_cast<const Item*>( data );
    }

    std::vector<cltPair> get( const cltPair* pairs, size_t count )
    {
        std::vector<cltPair> copies( count );
        if ( count > 0 )
        {
            copy( copies.data(), pairs, count * sizeof( cltPair ) );
        }
        return copies;
    }

    void forget()
    {
        for ( void* block : m_blocks )
        {
            expectSuccess( cudaFree( block ) );
        }
        m_blocks.clear();
    }

private:
    void copy( void* to, const void* from, size_t bytes )
    {
        expectSuccess( cudaMemcpyAsync( to, from, bytes, cudaMemcpyDefault, m_stream ) );
        expectSuccess( cudaStreamSynchronize( m_stream ) );
    }

    cudaStream_t m_stream;
    std::vector<void*> m_blocks;
};

} // namespace test

#endif
