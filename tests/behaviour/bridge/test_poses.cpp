// SPDX-License-Identifier: Zlib
// Bodies that jump together, as those of a mesh in a new pose. `wide` keeps their order, as long as those that follow
// each other in it are still near each other: blocks and the nodes above them stay small.
#include "gpu/core/aabb.h"
#include "tests/behaviour/bridge/picture.h"
#include "tests/support/config.h"

#include <set>

using namespace test;

namespace
{

constexpr double reach = 20;

/// A world whose boxes all jump.
class Poses : public testing::Test
{
protected:
    void jump( const std::function<cltAabbD( size_t, const cltAabbD& )>& change )
    {
        for ( size_t i = 0; i < ids.size(); ++i )
        {
            boxes[i] = change( i, boxes[i] );
        }
        world.moveAll( ids, boxes );
        world.updateOnly();
    }

    void quarterTurn()
    {
        jump(
            []( size_t, const cltAabbD& box )
            {
                return cltAabbD{ { -box.upper[1], box.lower[0], box.lower[2] + 60 },
                                 { -box.lower[1], box.upper[0], box.upper[2] + 60 } };
            } );
    }

    World world{ defOf( clt_algorithmWide, clt_precisionFloat, 0 ) };
    Random random{ 23 };
    Boxes boxes = randomCubes( random, 6000, reach );
    Ids ids = world.createAll( boxes );
};

/// The bodies that share a block.
std::set<std::set<cltProxyId>> blocksOf( const World& world )
{
    std::set<std::set<cltProxyId>> blocks;
    for ( const Picture::Part& node : draw( world ).nodes )
    {
        std::set<cltProxyId> block;
        for ( const cltDebugBody& body : node.bodies )
        {
            block.insert( body.proxy );
        }
        blocks.insert( block );
    }
    return blocks;
}

/// The sum of the longest edges of all nodes.
double edgesOf( const World& world )
{
    double sum = 0;
    for ( const Picture::Part& node : draw( world ).nodes )
    {
        sum += double( cltAabb_LongestEdge( &node.box ) );
    }
    return sum;
}

void expectSmallNodes( const World& world, const Boxes& boxes )
{
    World fresh( defOf( clt_algorithmWide, clt_precisionFloat, 0 ) );
    fresh.createAll( boxes );
    fresh.updateOnly();
    EXPECT_LT( edgesOf( world ), 1.3 * edgesOf( fresh ) );
}

TEST_F( Poses, KeepTheOrderOfBodiesThatJumpTogether )
{
    world.updateOnly();
    const auto blocks = blocksOf( world );
    for ( int turn = 0; turn < 3; ++turn )
    {
        quarterTurn();
        EXPECT_EQ( blocks, blocksOf( world ) ) << turn;
    }
    expectSmallNodes( world, boxes );
    world.expectPairs();
}

TEST_F( Poses, RenewTheOrderOfBodiesThatJumpApart )
{
    world.updateOnly();
    jump( [this]( size_t, const cltAabbD& ) { return randomCube( random, 3 * reach ); } );
    expectSmallNodes( world, boxes );
    const auto blocks = blocksOf( world );
    quarterTurn();
    EXPECT_EQ( blocks, blocksOf( world ) ) << "bodies in the new order jump together";
    world.expectPairs();
}

/// Blocks stay small, but not the nodes above them.
TEST_F( Poses, RenewTheOrderOfGroupsThatJumpApart )
{
    constexpr size_t groupSize = 40;
    Boxes centers;
    const auto around = [&]( size_t i, cltAabbD box )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] += centers[i / groupSize].lower[axis];
            box.upper[axis] += centers[i / groupSize].lower[axis];
        }
        return box;
    };
    centers = randomCubes( random, ids.size() / groupSize, 500 );
    jump( [&]( size_t i, const cltAabbD& ) { return around( i, randomCube( random, 5 ) ); } );
    centers = randomCubes( random, ids.size() / groupSize, 500 );
    jump( around );
    expectSmallNodes( world, boxes );
    world.expectPairs();
}

/// An update may change more than boxes.
TEST_F( Poses, AreExactWithEveryOtherChange )
{
    world.updateOnly();
    for ( int change = 0; change < 5; ++change )
    {
        quarterTurn();
        const size_t body = random.below( uint32_t( ids.size() ) );
        switch ( change )
        {
        case 0:
            boxes[body] = span( notANumber, notANumber ); // hidden, and visible again later
            world.move( ids[body], boxes[body] );
            break;
        case 1:
            world.setFilter( ids[body], { 4, 4 } );
            break;
        case 2:
            boxes[body] = span( -infinity, infinity );
            world.move( ids[body], boxes[body] );
            break;
        case 3:
            world.destroy( ids[body] );
            ids[body] = world.create( boxes[body] );
            break;
        default:
            break;
        }
        quarterTurn();
        world.expectPairs();
    }
}

} // namespace
