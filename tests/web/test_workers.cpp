// SPDX-License-Identifier: Zlib
// Threads that cannot begin, because the program does not return to the event loop and has too few idle workers
// (WORKERS), are done without and not awaited.
#include "tests/unit/host/pool.h"

#include <emscripten.h>
#include <gtest/gtest.h>

using test::Pool;
using test::shortPatience;

static int countWorkers()
{
    return emscripten_run_script_int( "PThread.runningWorkers.length + PThread.unusedWorkers.length" );
}

TEST( Workers, ThatAreMissingAreNotAwaitedNorCreatedForEachPool )
{
    for ( int round = 0; round < 10; ++round )
    {
        Pool pool( 3 );
        EXPECT_EQ( 1u + WORKERS, pool.countTakingPart( 3, shortPatience ) );
        EXPECT_EQ( 4950u, pool.sumOfAll( 100 ) );
        EXPECT_EQ( 2, countWorkers() );
    }
}
