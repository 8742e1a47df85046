// SPDX-License-Identifier: Zlib
// An upload transfers everything that changed, however many threads and pieces gather it, and nothing else.
#include "gpu/cuda/staging.cuh"
#include "tests/behaviour/bridge/hooks.h"
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace test;

namespace
{

class Staging : public testing::TestWithParam<cltPrecision>
{
protected:
    Staging()
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        m_hooks.installLoop( def, Hooks::threadedLoop );
        cltMemory_Init( &m_memory, &def );
        EXPECT_EQ( clt_ok, cltCreateWorkerPool( &def, &m_memory, &m_pool ) );
        EXPECT_EQ( clt_ok, cltCudaVisit( &m_device, "test" ).status );
    }

    ~Staging() override
    {
        cltDestroyWorkerPool( m_pool, &m_memory );
    }

    void send( const cltUpload& upload )
    {
        ASSERT_EQ( clt_ok, cltStaging_Send( &m_staging, &m_device, m_pool, &upload, m_isDouble ) );
        ASSERT_EQ( clt_ok, cltCudaDevice_Wait( &m_device ) );
    }

    /// Expects that entry i of the upload on the device is the i-th changed slot.
    template <typename Box>
    void expectSlots( const cltUpload& upload, uint32_t destroyed )
    {
        const auto slots = fetch<cltStagedSlot<Box>>( m_staging.arrived.slots );
        const auto filters = fetch<cltFilter>( m_staging.arrived.filters );
        ASSERT_EQ( upload.changedCount, slots.size() );
        for ( size_t i = 0; i < slots.size(); ++i )
        {
            const uint32_t slot = upload.changed[i];
            ASSERT_EQ( slot | ( slot == destroyed ? CLT_STAGED_DESTROYED : 0u ), slots[i].slot ) << i;
            ASSERT_EQ( 0, std::memcmp( static_cast<const Box*>( upload.boxes ) + slot, &slots[i].box, sizeof( Box ) ) );
            ASSERT_EQ( 0, std::memcmp( upload.filters + slot, &filters[i], sizeof( cltFilter ) ) ) << i;
        }
    }

    /// Copies one item per changed slot from the device.
    template <typename Item>
    std::vector<Item> fetch( const void* items )
    {
        std::vector<Item> copy( m_staging.arrived.count );
        EXPECT_EQ( clt_ok, cltCudaCopy( &m_device, copy.data(), items, copy.size() * sizeof( Item ) ) );
        EXPECT_EQ( clt_ok, cltCudaDevice_Wait( &m_device ) );
        return copy;
    }

    /// Changes all slots, the last slot not last, and expects all changed slots on the device.
    void expectAllArrives( uint32_t count )
    {
        Table table( GetParam() );
        for ( uint32_t i = 0; i < count; ++i )
        {
            table.create( cube( i, 0, 0, 1 ), { static_cast<int32_t>( i ), 7 } );
        }
        table.commit();
        for ( uint32_t i = 0; i < count; ++i )
        {
            table.move( ( i + 5 ) % count, cube( i, 1, 0, 1 ) );
        }
        table.setFilter( count / 2, { 3, 4 } );
        table.destroy( count / 3 );
        const cltUpload upload = table.upload();
        send( upload );
        m_isDouble ? expectSlots<cltAabbD>( upload, count / 3 ) : expectSlots<cltAabb>( upload, count / 3 );
    }

    const bool m_isDouble = GetParam() == clt_precisionDouble;
    Hooks m_hooks;
    cltMemory m_memory;
    cltWorkerPool* m_pool = nullptr;
    cltCudaDevice m_device = {};
    cltStaging m_staging = {};
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Staging, testing::Values( clt_precisionFloat, clt_precisionDouble ),
                         []( const auto& info ) { return info.param == clt_precisionDouble ? "double" : "float"; } );

/// Several threads gather a large upload in two pieces; the filters are part of the second piece.
TEST_P( Staging, UsesOneCopyForASmallUploadAndSeveralThreadsForALargeOne )
{
    expectAllArrives( 10 ); // buffers grow
    emulation::Counts before = emulation::counts;
    const uint32_t count = 60000;
    expectAllArrives( count );
    EXPECT_EQ( 0u, m_hooks.loopCount() ) << "not worth sharing";
    const size_t size = m_isDouble ? sizeof( cltStagedSlot<cltAabbD> ) : sizeof( cltStagedSlot<cltAabb> );
    const size_t bytes = count * ( size + sizeof( cltFilter ) ) + 64;
    EXPECT_LE( emulation::counts.bytesToDevice - before.bytesToDevice, bytes );
    EXPECT_EQ( 1u, emulation::counts.copiesToDevice - before.copiesToDevice );
    before = emulation::counts;
    expectAllArrives( 300000 );
    EXPECT_EQ( 2u, m_hooks.loopCount() );
    EXPECT_EQ( 2u, emulation::counts.copiesToDevice - before.copiesToDevice );
    EXPECT_GT( m_hooks.rangeCount(), 30u );
}

TEST_P( Staging, SendsFiltersOnlyIfOneIsNew )
{
    Table table( GetParam() );
    table.create( span( 0, 1 ) );
    table.create( span( 2, 3 ) );
    send( table.upload() );
    EXPECT_NE( nullptr, m_staging.arrived.filters );
    table.commit();
    table.move( 0, span( 1, 2 ) );
    send( table.upload() );
    EXPECT_EQ( nullptr, m_staging.arrived.filters );
    table.setFilter( 0, { 2, 2 } );
    send( table.upload() );
    EXPECT_NE( nullptr, m_staging.arrived.filters );
}
