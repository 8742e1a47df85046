// SPDX-License-Identifier: Zlib
/// \file warm_updates.h
/// What an update costs once buffers have their sizes.
#ifndef CLT_TEST_WARM_UPDATES_H
#define CLT_TEST_WARM_UPDATES_H

#include "tests/cuda/emulation/emulation.h"
#include "tests/cuda/table.h"

#include <gtest/gtest.h>

namespace test
{

/// Fills the table with a row of cubes and updates again and again, after `move()` each time: from the third update on,
/// each has to wait twice and to do without memory.
template <typename Move>
void expectTwoWaitsAndNoAllocation( Backend& backend, Table& table, Move move )
{
    for ( uint32_t i = 0; i < 600; ++i )
    {
        table.create( cube( i * 0.5, 0, 0, 0.4 ) );
    }
    Keys keys;
    for ( int step = 0; step < 6; ++step )
    {
        const emulation::Counts before = emulation::counts();
        ASSERT_EQ( clt_ok, backend.update( table, &keys ) );
        table.commit();
        if ( step >= 2 )
        {
            EXPECT_EQ( 2u, emulation::counts().waits - before.waits );
            EXPECT_EQ( before.allocations, emulation::counts().allocations );
            EXPECT_EQ( 0u, backend.stats().redoCount );
        }
        move();
    }
}

} // namespace test

#endif
