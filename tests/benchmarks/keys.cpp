// SPDX-License-Identifier: Zlib
/// \file keys.cpp
/// Hilbert keys of boxes, and the Morton codes that they are made from.
#include "gpu/core/curve.h"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

namespace
{

constexpr int boxCount = 4096; // what fits into the second-level cache: this is about instructions

std::vector<cltAabb> randomBoxes()
{
    std::mt19937 random( 1 );
    std::uniform_real_distribution<float> place( 0, 100 );
    std::vector<cltAabb> boxes( boxCount );
    for ( cltAabb& box : boxes )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] = place( random );
            box.upper[axis] = box.lower[axis] + 1;
        }
    }
    return boxes;
}

cltCurve curveOverAll()
{
    const float lower[3] = { 0, 0, 0 };
    const float upper[3] = { 101, 101, 101 };
    return cltCurve_Make( lower, upper );
}

void hilbertKeys( benchmark::State& state )
{
    const std::vector<cltAabb> boxes = randomBoxes();
    const cltCurve curve = curveOverAll();
    std::vector<uint32_t> keys( boxes.size() );
    for ( auto iteration : state )
    {
        for ( std::size_t k = 0; k < boxes.size(); ++k )
        {
            keys[k] = cltCurve_Key( &curve, &boxes[k] );
        }
        benchmark::DoNotOptimize( keys.data() );
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed( state.iterations() * boxCount );
}

void mortonCodes( benchmark::State& state )
{
    const std::vector<cltAabb> boxes = randomBoxes();
    const cltCurve curve = curveOverAll();
    std::vector<uint32_t> codes( boxes.size() );
    for ( auto iteration : state )
    {
        for ( std::size_t k = 0; k < boxes.size(); ++k )
        {
            codes[k] = cltMorton( cltCurve_Cell( &curve, &boxes[k], 0 ), cltCurve_Cell( &curve, &boxes[k], 1 ),
                                  cltCurve_Cell( &curve, &boxes[k], 2 ) );
        }
        benchmark::DoNotOptimize( codes.data() );
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed( state.iterations() * boxCount );
}

} // namespace

BENCHMARK( hilbertKeys );
BENCHMARK( mortonCodes );
