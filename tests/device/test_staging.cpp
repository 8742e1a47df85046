// SPDX-License-Identifier: Zlib
// An upload transfers everything that changed, however many threads and pieces gather it. That nothing else is sent:
// test_traffic.cpp.
#include "gpu/cuda/staging.cuh"
#include "tests/behaviour/bridge/hooks.h"
#include "tests/device/emulation/emulation.h"
#include "tests/support/config.h"

#include <algorithm>
#include <cstring>

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
        EXPECT_EQ( clt_ok, cltCudaDeviceScope( &m_device, "test" ).status );
    }

    ~Staging() override
    {
        cltDestroyWorkerPool( m_pool, &m_memory );
    }

    void expectAllArrives( uint32_t count )
    {
        m_isDouble ? expectAllArriveAs<cltAabbD>( count ) : expectAllArriveAs<cltAabb>( count );
    }

    /// Uploads `count` slots with new filters, one slot of them destroyed, and expects each slot on the device.
    template <typename Box>
    void expectAllArriveAs( uint32_t count )
    {
        std::vector<Box> boxes( count );
        std::vector<cltFilter> filters( count );
        std::vector<uint8_t> states( count );
        std::vector<uint32_t> changed( count );
        for ( uint32_t i = 0; i < count; ++i )
        {
            std::fill_n( &boxes[i].lower[0], 6, i );
            filters[i] = { static_cast<int32_t>( i ), 7 };
            changed[i] = ( i + 5 ) % count; // the last slot is not the last changed one
        }
        states[count / 3] = CLT_SLOT_DESTROYED;
        cltUpload upload = {};
        upload.boxes = boxes.data();
        upload.filters = filters.data();
        upload.states = states.data();
        upload.changed = changed.data();
        upload.changedCount = upload.slotCount = count;
        upload.destroyedCount = upload.refilteredCount = 1;
        const uint64_t bytesBefore = emulation::counts.bytesToDevice;
        ASSERT_EQ( clt_ok, cltStaging_Send( &m_staging, &m_device, m_pool, &upload, m_isDouble ) );
        EXPECT_GE( bytesBefore + count * ( sizeof( cltStagedSlot<Box> ) + sizeof( cltFilter ) ) + 64,
                   emulation::counts.bytesToDevice );
        ASSERT_EQ( count, m_staging.arrived.count );
        const auto slots = fetch<cltStagedSlot<Box>>( m_staging.arrived.slots );
        const auto arrivedFilters = fetch<cltFilter>( m_staging.arrived.filters );
        for ( uint32_t i = 0; i < count; ++i )
        {
            const uint32_t slot = changed[i];
            ASSERT_EQ( slot | ( slot == count / 3 ? CLT_STAGED_DESTROYED : 0u ), slots[i].slot ) << i;
            ASSERT_EQ( 0, std::memcmp( &boxes[slot], &slots[i].box, sizeof( Box ) ) ) << i;
            ASSERT_EQ( 0, std::memcmp( &filters[slot], &arrivedFilters[i], sizeof( cltFilter ) ) ) << i;
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

    const bool m_isDouble = GetParam() == clt_precisionDouble;
    Hooks m_hooks;
    cltMemory m_memory;
    cltWorkerPool* m_pool = nullptr;
    cltCudaDevice m_device = {};
    cltStaging m_staging = {};
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Staging, testing::ValuesIn( allPrecisions ), precisionName );

/// Several threads gather a large upload in two pieces; the filters are part of the second piece.
TEST_P( Staging, UsesOneCopyForASmallUploadAndSeveralThreadsForALargeOne )
{
    expectAllArrives( 10 ); // buffers grow
    uint64_t copiesBefore = emulation::counts.copiesToDevice;
    expectAllArrives( 60000 );
    EXPECT_EQ( 0u, m_hooks.loopCount() ) << "not worth sharing";
    EXPECT_EQ( 1u, emulation::counts.copiesToDevice - copiesBefore );
    copiesBefore = emulation::counts.copiesToDevice;
    expectAllArrives( 300000 );
    EXPECT_EQ( 2u, m_hooks.loopCount() );
    EXPECT_EQ( 2u, emulation::counts.copiesToDevice - copiesBefore );
    EXPECT_GT( m_hooks.rangeCount(), 30u );
}
