// SPDX-License-Identifier: Zlib
// `wide` keeps bodies that are near each other in one block, whatever the form of the world. A worse order finds the
// same pairs in more time.
#include "tests/behaviour/backends/block_edges.h"
#include "tests/support/config.h"

using namespace test;

namespace
{

class BlockOrder : public testing::TestWithParam<cltPrecision>
{
protected:
    /// The mean longest edge of the blocks of unit cubes with centres within these extents, in groups along a diagonal.
    static double meanEdge( double x, double y, double z, int groupCount, double distance )
    {
        World world( defOf( clt_algorithmWide, GetParam() ) );
        Random random( 4 );
        Ids ids;
        for ( int group = 0; group < groupCount; ++group )
        {
            const double place = distance * group;
            const Boxes boxes =
                boxesOf( 1600,
                         [&]( int )
                         {
                             return cube( place + random.between( 0, x ), place + random.between( 0, y ),
                                          place + random.between( 0, z ), 0.5 );
                         } );
            const Ids created = world.createAll( boxes );
            ids.insert( ids.end(), created.begin(), created.end() );
        }
        world.updateOnly();
        return meanBlockEdge( world, ids );
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, BlockOrder, testing::ValuesIn( allPrecisions ), precisionName );

TEST_P( BlockOrder, IsGoodInAFlatOrLongWorld )
{
    EXPECT_LT( meanEdge( 200, 200, 2, 1, 0 ), 36 ) << "51 with as many cells along each axis, 20 with square blocks";
    EXPECT_LT( meanEdge( 1000, 4, 4, 1, 0 ), 60 ) << "219 with as many cells along each axis, 11 with cubic blocks";
}

/// Each group lies in one cell of the curve.
TEST_P( BlockOrder, IsGoodInGroupsFarApart )
{
    EXPECT_LT( meanEdge( 20, 20, 20, 2, 1e5 ), 1.3 * meanEdge( 20, 20, 20, 1, 0 ) );
}
