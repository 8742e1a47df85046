// SPDX-License-Identifier: Zlib
// Memory is reused: after some updates, a further update allocates nothing.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <deque>

using namespace test;

class Allocation : public testing::TestWithParam<Config>
{
};

INSTANTIATE_TEST_SUITE_P(, Allocation, testing::ValuesIn( configsWith( 3 ) ), configName );

TEST_P( Allocation, NoneOnceWarm )
{
    Hooks hooks;
    cltBroadphaseDef def = defOf( GetParam() );
    hooks.installMemory( def );
    World world( def );
    Random random( 2 );
    const Boxes places[] = { randomCubes( random, 300, 3 ), randomCubes( random, 300, 3 ),
                             randomCubes( random, 300, 3 ) };
    const Ids proxies = world.createAll( places[0] );
    auto cycle = [&]
    {
        for ( const auto& boxes : places )
        {
            world.moveAll( proxies, boxes );
            world.update();
        }
    };
    cycle();
    cycle();
    uint64_t warm = hooks.allocationCount();
    size_t bytes = hooks.bytesHeld();
    cycle();
    cycle();
    EXPECT_EQ( warm, hooks.allocationCount() );
    EXPECT_EQ( bytes, hooks.bytesHeld() );
    EXPECT_EQ( bytes, world.stats().hostBytes );
}

TEST_P( Allocation, NoneWhenProxiesAreReplaced )
{
    Hooks hooks;
    cltBroadphaseDef def = defOf( GetParam() );
    hooks.installMemory( def );
    World world( def );
    Random random( 3 );
    const Boxes boxes = randomCubes( random, 400, 3 );
    std::deque<cltProxyId> proxies;
    size_t next = 0;
    auto createNext = [&] { proxies.push_back( world.create( boxes[next++ % boxes.size()] ) ); };
    while ( proxies.size() < 200 )
    {
        createNext();
    }
    auto replaceAllTwice = [&] // afterwards the world has the same boxes
    {
        for ( int step = 0; step < 40; ++step )
        {
            for ( int i = 0; i < 10; ++i )
            {
                world.destroy( proxies.front() );
                proxies.pop_front();
                createNext();
            }
            world.update();
        }
    };
    replaceAllTwice();
    replaceAllTwice();
    uint64_t warm = hooks.allocationCount();
    replaceAllTwice();
    EXPECT_EQ( warm, hooks.allocationCount() );
}
