// SPDX-License-Identifier: Zlib
// Every formula from a candidate's index to its pair gives the same pairs. With 643 bodies in one cell, a single Newton
// step without a correction gives its first wrong pair.
#include "tests/behaviour/backends/each_config.h"

#include <tuple>

using namespace test;

using RootParam = std::tuple<cltAlgorithm, cltRoot, int>;

class Roots : public testing::TestWithParam<RootParam>
{
protected:
    cltBroadphaseDef def()
    {
        const auto [algorithm, root, steps] = GetParam();
        m_research.root = root;
        m_research.rootSteps = steps;
        m_research.output = steps % 2 == 0 ? clt_outputBits : clt_outputKeys; // devices have both
        cltBroadphaseDef def = defOf( algorithm, clt_precisionFloat, 2 );
        def.research = &m_research;
        return def;
    }

    /// Expects the exact pairs of `count` bodies in a space so small that a grid has few cells, or one.
    void expectExact( uint32_t count, double half = 0.02 )
    {
        World world( def() );
        Random random( count );
        world.createAll(
            boxesOf( int( count ), [&]( int ) { return cube( random.unit(), random.unit(), random.unit(), half ); } ) );
        world.update();
    }

    cltResearchDef m_research = cltDefaultResearchDef();
};

static std::string rootName( const testing::TestParamInfo<RootParam>& info )
{
    const char* const roots[] = { "hardware", "carmack", "lomont", "none" };
    const auto [algorithm, root, steps] = info.param;
    return std::string( cltAlgorithmName( algorithm ) ) + "_" + roots[root] + "_" + std::to_string( steps ) + "steps";
}

/// The least number of Newton steps is 1, the largest is 4.
static auto everyRoot()
{
    return testing::Combine( testing::Values( clt_algorithmBruteForce, clt_algorithmGrid ),
                             testing::Values( clt_rootHardware, clt_rootCarmack, clt_rootLomont, clt_rootNone ),
                             testing::Values( 1, 2, 4 ) );
}

INSTANTIATE_TEST_SUITE_P(, Roots, everyRoot(), rootName );

TEST_P( Roots, AreExactForSmallCountsAndWherePublishedRulesFail )
{
    for ( uint32_t count : { 2u, 3u, 4u, 5u, 17u, 64u, 643u, 2048u } )
    {
        expectExact( count );
    }
    expectExact( 700, 1 );
}

class RootsLarge : public Roots
{
};

INSTANTIATE_TEST_SUITE_P(, RootsLarge, everyRoot(), rootName );

TEST_P( RootsLarge, AreExactBeyondFloatArithmetic )
{
    expectExact( 5794 );
}
