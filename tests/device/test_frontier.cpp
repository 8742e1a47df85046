// SPDX-License-Identifier: Zlib
// frontier on the device: passes that find more than there is room for are done again with more, and only then.
#include "tests/device/table.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

class FrontierPasses : public testing::Test
{
protected:
    /// Updates on both devices and expects the same changes.
    void update()
    {
        Keys expected;
        Keys keys;
        ASSERT_EQ( clt_ok, m_host.update( m_table, &expected ) );
        ASSERT_EQ( clt_ok, m_cuda.update( m_table, &keys ) );
        EXPECT_EQ( expected, keys );
        EXPECT_EQ( clt_algorithmFrontier, m_cuda.stats().algorithm );
        m_keyCount = keys.size();
        m_table.commit();
    }

    Table m_table = Table( clt_precisionFloat );
    Backend m_host = Backend( clt_deviceCpu, clt_algorithmFrontier, clt_precisionFloat );
    Backend m_cuda = Backend( clt_deviceCuda, clt_algorithmFrontier, clt_precisionFloat );
    size_t m_keyCount = 0;
};

} // namespace

TEST_F( FrontierPasses, AHeapIsSearchedAgainWithMoreRoomAndThatIsKept )
{
    const uint32_t count = 5000; // thirteen levels: one pass leaves pairs for the next one
    Random random( 1 );
    std::vector<cltAabbD> boxes;
    for ( uint32_t slot = 0; slot < count; ++slot )
    {
        boxes.push_back( cube( random.unit(), random.unit(), random.unit(), 0.04 ) );
        m_table.create( boxes[slot] );
    }
    update();
    EXPECT_LT( 20000u, m_cuda.researchStats().frontierPeak ) << "the scene is not dense enough for this test";
    EXPECT_EQ( 2u, m_cuda.researchStats().redoCount ) << "once for pairs of nodes, and once for the keys";
    for ( uint32_t slot = 0; slot < count; ++slot )
    {
        boxes[slot].upper[slot % 3] += 0.001; // who jumped would need room for leaves as well
        m_table.move( slot, boxes[slot] );
    }
    update();
    EXPECT_LT( 0u, m_keyCount );
    EXPECT_LT( 20000u, m_cuda.researchStats().frontierPeak );
    EXPECT_EQ( 0u, m_cuda.researchStats().redoCount ) << "room that was made is kept";
}

TEST_F( FrontierPasses, WhereFewMoveFewPairsAreTested )
{
    Random random( 2 );
    for ( uint32_t slot = 0; slot < 4000; ++slot )
    {
        m_table.create( cube( 20 * random.unit(), 20 * random.unit(), 20 * random.unit(), 0.5 ) );
    }
    update();
    const uint64_t all = m_cuda.researchStats().nodeTestCount;
    EXPECT_LT( 0u, all );
    m_table.move( 17, cube( 1, 2, 3, 0.5 ) );
    update();
    EXPECT_GT( all, m_cuda.researchStats().nodeTestCount );
    EXPECT_LT( m_cuda.researchStats().frontierPeak, 2000u );
}
