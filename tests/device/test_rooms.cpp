// SPDX-License-Identifier: Zlib
// Worlds that were crowded once: what a crowd costs while it lasts, and what is left of it afterwards.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/table.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

using namespace test;

namespace
{

/// A cube somewhere in a wide world, by its slot.
cltAabbD apart( uint32_t slot, double edge = 0.01 )
{
    return cube( 100.0 * ( slot % 16 ), 100.0 * ( slot / 16 % 20 ), 100.0 * ( slot / 320 ), edge );
}

class Rooms : public testing::Test
{
protected:
    /// Updates on both devices and expects the same changes, and the same decision of both grids.
    void update()
    {
        Keys expected;
        Keys twinKeys;
        ASSERT_EQ( clt_ok, m_host.update( m_table, &expected ) );
        ASSERT_EQ( clt_ok, m_twin.update( m_table, &twinKeys ) );
        ASSERT_EQ( clt_ok, m_cuda.update( m_table, &m_keys ) );
        EXPECT_EQ( expected, m_keys );
        EXPECT_EQ( expected, twinKeys );
        const cltStats twin = m_twin.stats();
        const cltStats cuda = m_cuda.stats();
        EXPECT_EQ( twin.algorithm, cuda.algorithm );
        EXPECT_STREQ( twin.reason, cuda.reason );
        EXPECT_EQ( m_twin.researchStats().candidateCount, m_cuda.researchStats().candidateCount );
        EXPECT_EQ( m_twin.researchStats().outlierCount, m_cuda.researchStats().outlierCount );
        m_table.commit();
    }

    /// A world of bodies far from each other.
    void createApart( uint32_t count )
    {
        for ( uint32_t slot = 0; slot < count; ++slot )
        {
            m_table.create( apart( slot ) );
        }
        update();
    }

    /// So many updates in which hardly anything happens.
    void rest( int count )
    {
        for ( int i = 0; i < count; ++i )
        {
            m_table.move( 0, apart( 0, 0.01 + 0.001 * ( i % 2 ) ) );
            update();
        }
    }

    Table m_table = Table( clt_precisionFloat );
    Backend m_host = Backend( clt_deviceCpu, clt_algorithmLbvh, clt_precisionFloat );
    Backend m_twin = Backend( clt_deviceCpu, clt_algorithmGrid, clt_precisionFloat );
    Backend m_cuda = Backend( clt_deviceCuda, clt_algorithmGrid, clt_precisionFloat );
    Keys m_keys;
};

} // namespace

TEST_F( Rooms, ACrowdedCellIsLeftToTheTree )
{
    for ( uint32_t slot = 0; slot < 6000; ++slot )
    {
        // half of them in a row that is shorter than a cell, none touching another
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
    EXPECT_EQ( clt_algorithmGrid, m_cuda.stats().algorithm ) << "the crowd has dispersed";
    EXPECT_STREQ( "asked for", m_cuda.stats().reason );
}

TEST_F( Rooms, ManyBodiesThatNoCellHoldsAreLeftToTheTree )
{
    for ( uint32_t slot = 0; slot < 2700; ++slot )
    {
        cltAabbD box = apart( slot );
        if ( slot % 3 != 0 )
        {
            std::swap( box.lower[0], box.upper[0] ); // inverted
        }
        m_table.create( box );
    }
    update();
    EXPECT_EQ( clt_algorithmLbvh, m_cuda.stats().algorithm );
}

TEST_F( Rooms, AHeapInAWideWorldIsNoCrowd )
{
    createApart( 3000 );
    for ( uint32_t slot = 0; slot < 60; ++slot )
    {
        m_table.create( cube( 50, 50, 50, 1 ) );
    }
    update();
    EXPECT_EQ( 60u * 59u / 2u, m_keys.size() );
    EXPECT_EQ( clt_algorithmGrid, m_cuda.stats().algorithm );
}

/// The tree would test them against everything as well.
TEST_F( Rooms, AFewHugeBodiesAreNoCrowd )
{
    for ( uint32_t slot = 0; slot < CLT_OUTLIER_LIMIT; ++slot )
    {
        m_table.create( cube( 500, 500, 500, 1000 + slot ) );
    }
    createApart( 3000 );
    EXPECT_EQ( CLT_OUTLIER_LIMIT, m_cuda.researchStats().outlierCount );
    EXPECT_EQ( clt_algorithmGrid, m_cuda.stats().algorithm );
}

TEST_F( Rooms, LeavesThatAreGoneCostNothingInTheEnd )
{
    createApart( 3000 );
    const uint32_t& roomNow = m_cuda.as<cltCudaBackend>().leaves.room;
    const uint32_t room = roomNow;
    for ( uint32_t slot = 0; slot < 3000; ++slot )
    {
        m_table.move( slot, apart( 2999 - slot ) ); // all jump: twice the leaves
    }
    update();
    EXPECT_EQ( 6000u, roomNow );
    rest( 5 );
    EXPECT_LT( 5000u, roomNow ) << "what comes again soon finds its room";
    rest( 300 );
    EXPECT_EQ( room, roomNow );
}
