// SPDX-License-Identifier: Zlib
#include "contestants.h"

#include <algorithm>
#include <iterator>

namespace test
{

std::vector<RigKind> contestants()
{
    return { { "cullet_wide_own", Engine::cullet, clt_algorithmWide, 2 },
             { "cullet_lbvh_own", Engine::cullet, clt_algorithmLbvh, 2 },
             { "cullet_grid_own", Engine::cullet, clt_algorithmGrid, 2 },
             { "cullet_bruteForce_own", Engine::cullet, clt_algorithmBruteForce, 2 },
             { "cullet_wide_given", Engine::culletHashed, clt_algorithmWide, 1 },
             { "cullet_lbvh_given", Engine::culletHashed, clt_algorithmLbvh, 2 },
             { "cullet_grid_given", Engine::culletHashed, clt_algorithmGrid, 1 },
             { "cullet_bruteForce_given", Engine::culletHashed, clt_algorithmBruteForce, 1 },
             bulletDbvt,
             bulletSimple,
             bulletSap };
}

testing::AssertionResult hold( const RigKind& kind, const std::vector<IdPair>& expected,
                               const std::vector<IdPair>& actual )
{
    const bool isFat = kind.engine == Engine::dbvt || kind.engine == Engine::sap;
    if ( !isFat )
    {
        return samePairs( expected, actual );
    }
    if ( std::adjacent_find( actual.begin(), actual.end() ) != actual.end() )
    {
        return testing::AssertionFailure() << "a pair is there twice";
    }
    std::vector<IdPair> common;
    std::set_intersection( expected.begin(), expected.end(), actual.begin(), actual.end(),
                           std::back_inserter( common ) );
    return samePairs( expected, common );
}

INSTANTIATE_TEST_SUITE_P(, Contract, testing::ValuesIn( contestants() ), rigName );

} // namespace test
