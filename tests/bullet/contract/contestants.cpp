// SPDX-License-Identifier: Zlib
#include "contestants.h"

#include <algorithm>

namespace test
{

static const RigKind contestants[] = { { "cullet_auto_own", Engine::cullet, clt_algorithmAuto, 2 },
                                       { "cullet_wide_own", Engine::cullet, clt_algorithmWide, 2 },
                                       { "cullet_lbvh_own", Engine::cullet, clt_algorithmLbvh, 2 },
                                       { "cullet_grid_own", Engine::cullet, clt_algorithmGrid, 2 },
                                       { "cullet_bruteForce_own", Engine::cullet, clt_algorithmBruteForce, 2 },
                                       { "cullet_auto_given", Engine::culletHashed, clt_algorithmAuto, 1 },
                                       { "cullet_wide_given", Engine::culletHashed, clt_algorithmWide, 1 },
                                       { "cullet_lbvh_given", Engine::culletHashed, clt_algorithmLbvh, 2 },
                                       { "cullet_grid_given", Engine::culletHashed, clt_algorithmGrid, 1 },
                                       { "cullet_bruteForce_given", Engine::culletHashed, clt_algorithmBruteForce, 1 },
                                       bulletDbvt,
                                       bulletSimple,
                                       bulletSap };

INSTANTIATE_TEST_SUITE_P(, Contract, testing::ValuesIn( contestants ),
                         []( const testing::TestParamInfo<RigKind>& info ) { return info.param.name; } );

bool mayPair( const btBroadphaseProxy& p, const btBroadphaseProxy& q )
{
    return overlap( { p.m_aabbMin, p.m_aabbMax }, { q.m_aabbMin, q.m_aabbMax } ) &&
           ( p.m_collisionFilterGroup & q.m_collisionFilterMask ) != 0 &&
           ( q.m_collisionFilterGroup & p.m_collisionFilterMask ) != 0;
}

testing::AssertionResult checkPairsOfWorld( const RigKind& kind, btCollisionWorld& world )
{
    std::vector<IdPair> expected, actual;
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    for ( int i = 0; i < objects.size(); ++i )
    {
        for ( int k = i + 1; k < objects.size(); ++k )
        {
            const btBroadphaseProxy &p = *objects[i]->getBroadphaseHandle(), &q = *objects[k]->getBroadphaseHandle();
            if ( mayPair( p, q ) )
            {
                expected.push_back( std::minmax( p.m_uniqueId, q.m_uniqueId ) );
            }
        }
    }
    const btBroadphasePairArray& pairs = world.getPairCache()->getOverlappingPairArray();
    for ( int i = 0; i < pairs.size(); ++i )
    {
        actual.push_back( { pairs[i].m_pProxy0->m_uniqueId, pairs[i].m_pProxy1->m_uniqueId } );
    }
    std::sort( expected.begin(), expected.end() );
    std::sort( actual.begin(), actual.end() );
    return checkPairs( kind, expected, actual );
}

} // namespace test
