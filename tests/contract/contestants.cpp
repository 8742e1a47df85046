// SPDX-License-Identifier: Zlib
#include "contestants.h"

namespace test
{

std::vector<RigKind> contestants()
{
    return { { "cullet_lbvh_own", Engine::cullet, clt_algorithmLbvh, 2 },
             { "cullet_grid_own", Engine::cullet, clt_algorithmGrid, 2 },
             { "cullet_bruteForce_own", Engine::cullet, clt_algorithmBruteForce, 2 },
             { "cullet_lbvh_given", Engine::culletHashed, clt_algorithmLbvh, 2 },
             { "cullet_grid_given", Engine::culletHashed, clt_algorithmGrid, 1 },
             { "cullet_bruteForce_given", Engine::culletHashed, clt_algorithmBruteForce, 1 },
             bulletDbvt,
             bulletSimple,
             bulletSap };
}

INSTANTIATE_TEST_SUITE_P(, Contract, testing::ValuesIn( contestants() ), rigName );

} // namespace test
