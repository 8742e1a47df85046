// SPDX-License-Identifier: Zlib
// Scenes with a temporary dense cell: its cost while it lasts, and the buffers afterwards. Behaviour in all
// configurations: tests/behaviour/backends (Crowds).
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/table.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

using namespace test;

namespace
{

/// A cube at a point of a wide lattice, given by its slot.
cltAabbD apart( uint32_t slot, double edge = 0.01 )
{
    return cube( 100.0 * ( slot % 16 ), 100.0 * ( slot / 16 % 20 ), 100.0 * ( slot / 320 ), edge );
}

class DenseCells : public testing::Test
{
protected:
    /// Updates on the device and on the CPU; expects the same changes, and the same algorithm for the same reason.
    void update()
    {
        Keys expected;
        Keys keys;
        ASSERT_EQ( clt_ok, m_twin.update( m_table, &expected ) );
        ASSERT_EQ( clt_ok, m_cuda.update( m_table, &keys ) );
        EXPECT_EQ( expected, keys );
        EXPECT_EQ( m_twin.stats().algorithm, m_cuda.stats().algorithm );
        EXPECT_STREQ( m_twin.stats().reason, m_cuda.stats().reason );
        EXPECT_EQ( m_twin.researchStats().candidateCount, m_cuda.researchStats().candidateCount );
        EXPECT_EQ( m_twin.researchStats().outlierCount, m_cuda.researchStats().outlierCount );
        m_table.commit();
    }

    /// Creates bodies far from each other.
    void createApart( uint32_t count )
    {
        for ( uint32_t slot = 0; slot < count; ++slot )
        {
            m_table.create( apart( slot ) );
        }
        update();
    }

    /// Updates `count` times. Changes body 0 slightly before each update.
    void rest( int count )
    {
        for ( int i = 0; i < count; ++i )
        {
            m_table.move( 0, apart( 0, 0.01 + 0.001 * ( i % 2 ) ) );
            update();
        }
    }

    Table m_table = Table( clt_precisionFloat );
    Backend m_twin = Backend( clt_deviceCpu, clt_algorithmGrid, clt_precisionFloat );
    Backend m_cuda = Backend( clt_deviceCuda, clt_algorithmGrid, clt_precisionFloat );
};

} // namespace

TEST_F( DenseCells, UseTheTreeWhileACellIsDense )
{
    for ( uint32_t slot = 0; slot < 6000; ++slot )
    {
        // half of the bodies are in a row that is shorter than a cell; no two bodies touch
        m_table.create( slot % 2 == 0 ? apart( slot ) : cube( 50 + slot * 0.002, 50, 50, 0.001 ) );
    }
    update();
    EXPECT_EQ( clt_algorithmLbvh, m_cuda.stats().algorithm );
    EXPECT_NE( std::string::npos, std::string( m_cuda.stats().reason ).find( "cells" ) );
    EXPECT_EQ( 1u, m_cuda.researchStats().redoCount );
    EXPECT_EQ( 0u, m_cuda.researchStats().candidateCount );
    rest( 10 );
    EXPECT_EQ( clt_algorithmLbvh, m_cuda.stats().algorithm );
    EXPECT_EQ( 0u, m_cuda.researchStats().redoCount ) << "the grid is not tried each time";
    Keys pairs;
    EXPECT_EQ( clt_ok, m_cuda.readPairs( m_table, &pairs ) );

    for ( uint32_t slot = 1; slot < 6000; slot += 2 )
    {
        m_table.move( slot, apart( slot ) );
    }
    rest( 64 );
    EXPECT_EQ( clt_algorithmGrid, m_cuda.stats().algorithm ) << "no cell is dense any more";
    EXPECT_STREQ( "asked for", m_cuda.stats().reason );
}

TEST_F( DenseCells, ShrinkLeafCapacityAfterAPeak )
{
    createApart( 1500 );
    const uint32_t& roomNow = m_cuda.as<cltCudaBackend>().leaves.room;
    const uint32_t room = roomNow;
    for ( uint32_t slot = 0; slot < 1500; ++slot )
    {
        m_table.move( slot, apart( 1499 - slot ) ); // all bodies jump: twice as many leaves
    }
    update();
    EXPECT_EQ( 3000u, roomNow );
    rest( 5 );
    EXPECT_LT( 2500u, roomNow ) << "a recurring peak still fits";
    rest( 100 );
    EXPECT_EQ( room, roomNow );
}
