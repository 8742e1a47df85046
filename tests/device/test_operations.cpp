// SPDX-License-Identifier: Zlib
// The number of launches, copies, clears and waits of an update is small and bounded at any size.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"

#include <gtest/gtest.h>

using namespace test;

/// Operations of a tree update at any size: spread, gather, climb, clear, find, sort, copy, wait, commit; for a new
/// order keys and their sort; for a new region two clears and two launches.
static uint32_t operationsOfTree( cltLeafOrder order, uint32_t pieceCount )
{
    return 9 + pieceCount + ( order == clt_orderKept ? 0 : 2 ) + ( order == clt_orderNewRegion ? 4 : 0 );
}

/// The promised maximum for up to a million bodies, which are sent in three pieces.
static uint32_t mostOperations( cltLeafOrder order )
{
    return order == clt_orderKept ? 12 : 18;
}

/// Rows of cubes. In every second step each cube overlaps its neighbours, so there are as many changes as bodies.
static cltAabbD flickering( uint32_t i, int step )
{
    return cube( 0.5 * ( i % 1000 ), i / 1000, 0.001 * ( i % 7 ), step % 2 == 0 ? 0.26 : 0.24 );
}

/// Counts the operations of tree updates in which all bodies move, with a kept and with a new order.
TEST( Operations, AreFewForTheTreeAtAnySize )
{
    const uint32_t count = 140000;
    emulation::Cleanup cleanup;
    Backend backend( clt_deviceCuda, clt_algorithmLbvh, clt_precisionFloat );
    auto& cuda = const_cast<cltCudaBackend&>( backend.as<cltCudaBackend>() );
    Table table( clt_precisionFloat );
    for ( uint32_t i = 0; i < count; ++i )
    {
        table.create( flickering( i, 0 ) );
    }
    update( backend, table ); // finds the initial pairs
    for ( int step = 1; step <= 6; ++step )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            table.move( i, flickering( i, step ) );
        }
        if ( step % 2 == 0 ) // a body hides, and comes back
        {
            table.move( 0, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
        }
        cuda.leaves.regionUses = step < 5 ? cuda.leaves.regionUses : 0u;
        const size_t changeCount = update( backend, table ).size();
        const cltLeafOrder order = cuda.leaves.order;
        const uint32_t found = backend.researchStats().operationCount;
        EXPECT_EQ( step == 3 ? clt_orderLastRegion : step == 5 ? clt_orderNewRegion : clt_orderKept, order );
        EXPECT_LE( 0.99 * count, changeCount );
        EXPECT_GE( mostOperations( order ), found + 1 );
        EXPECT_EQ( operationsOfTree( order, 2 ), found );
    }
}

/// Counts the operations of updates, after six others: with a kept order and, because a body appears, with a sort. The
/// grid sorts in each update.
TEST( Operations, AreFewForTheOtherAlgorithms )
{
    for ( const Searcher& searcher : { Searcher{ clt_algorithmFrontier }, Searcher{ clt_algorithmGrid } } )
    {
        SCOPED_TRACE( cltAlgorithmName( searcher.algorithm ) );
        emulation::Cleanup cleanup;
        const std::unique_ptr<Backend> backend = searcher.create( clt_precisionFloat );
        Table table( clt_precisionFloat );
        Random random( 5 );
        for ( uint32_t i = 0; i < 4500; ++i )
        {
            table.create( cube( 0.5 * i, 0.001 * ( i % 7 ), random.between( 0, 0.1 ), 0.3 ) );
        }
        for ( int step = 0; step < 9; ++step )
        {
            update( *backend, table );
            creep( table, random, 1 );
            const bool isNew = searcher.algorithm == clt_algorithmGrid || step == 8;
            const uint32_t found = backend->researchStats().operationCount;
            EXPECT_TRUE( step < 6 || found <= ( isNew ? 30u : 16u ) );
            EXPECT_LE( 8u, found );
            if ( step >= 6 ) // a body hides, and comes back
            {
                table.move( 0, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
            }
        }
    }
}

/// The number of operations of the last of three brute-force updates. Expects each to find the same changes as the CPU.
static uint32_t operationsOfAllPairs( cltOutput output, uint32_t count )
{
    emulation::Cleanup cleanup;
    Backend cuda( clt_deviceCuda, clt_algorithmBruteForce, clt_precisionFloat, output );
    Backend cpu( clt_deviceCpu, clt_algorithmBruteForce, clt_precisionFloat );
    Table table( clt_precisionFloat );
    Random random( 7 );
    for ( uint32_t i = 0; i < count; ++i )
    {
        table.create( randomCube( random, 5 ) );
    }
    for ( int step = 0; step < 3; ++step )
    {
        Keys expected;
        EXPECT_EQ( clt_ok, cpu.update( table, &expected ) );
        EXPECT_TRUE( expected == update( cuda, table ) );
        creep( table, random, 1 );
    }
    EXPECT_EQ( count * ( count - 1u ) / 2u, cuda.researchStats().candidateCount );
    return cuda.researchStats().operationCount;
}

/// A launch tests a bounded number of candidates, 131,072 in the tests (CMakeLists.txt). A thousand bodies have a
/// capacity of two thousand leaves, so their pairs take sixteen launches.
TEST( Slices, SplitBruteForceIntoLaunchesThatFindTheSame )
{
    EXPECT_LE( operationsOfAllPairs( clt_outputKeys, 100 ) + 15u, operationsOfAllPairs( clt_outputKeys, 1000 ) );
    EXPECT_LE( operationsOfAllPairs( clt_outputBits, 100 ) + 30u, operationsOfAllPairs( clt_outputBits, 1000 ) );
}
