// SPDX-License-Identifier: Zlib
/// \file contestants.h
/// The contestants, the broadphases that the contract is tested on: cullet with each algorithm, with its own and with a
/// given pair cache, and Bullet's own. Every test of this folder is a `TEST_P( Contract, CTnn_Name )` that expects only
/// what applications rely on, so it can run on all contestants. expectations.h lists the known failures of Bullet's own
/// broadphases. Slow tests are named `CTnnLarge_Name`.
#ifndef CULLET_TESTS_CONTESTANTS_H
#define CULLET_TESTS_CONTESTANTS_H

#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

#include <gtest/gtest.h>
#include <vector>

namespace test
{

/// Names of the parameter: cullet_ALGORITHM_own and cullet_ALGORITHM_given for wide, lbvh, grid and bruteForce; btDbvt,
/// btSimple, bt32BitAxisSweep3.
class Contract : public testing::TestWithParam<RigKind>
{
};

/// Whether a contestant holds exactly the expected pairs, each once. Bullet's broadphases with fat boxes may hold
/// others, too.
testing::AssertionResult checkPairs( const RigKind& kind, const std::vector<IdPair>& expected,
                                     const std::vector<IdPair>& actual );

/// Whether the boxes of two proxies overlap, and their groups and masks accept each other.
bool mayPair( const btBroadphaseProxy& p, const btBroadphaseProxy& q );

/// checkPairs for a world. The boxes and filters in its proxies determine the expected pairs.
testing::AssertionResult checkPairsOfWorld( const RigKind& kind, btCollisionWorld& world );

/// A contestant with bodies. Destroys the bodies first, because btDbvtBroadphase leaks proxies that outlive it.
struct Arena
{
    /// \param givenCache  the pair cache to use, which the arena deletes; NULL: as the kind says
    explicit Arena( const RigKind& kind, uint64_t seed = 1, double spread = 1, btDispatcher* dispatcher = nullptr,
                    btOverlappingPairCache* givenCache = nullptr )
        : kind( kind ), rig( makeRig( kind, givenCache ) ), broadphase( *rig.broadphase ), cache( rig.cache() ),
          bodies( broadphase, seed, spread, dispatcher )
    {
    }

    ~Arena()
    {
        bodies.destroyAll();
    }

    testing::AssertionResult hasExpectedPairs() const
    {
        return checkPairs( kind, bodies.expectedPairs(), pairs() );
    }

    /// Whether the cache holds exactly the expected pairs, also if the contestant has fat boxes.
    testing::AssertionResult hasExactPairs() const
    {
        return samePairs( bodies.expectedPairs(), pairs() );
    }

    /// Ascending. A duplicate in the cache is a duplicate here.
    std::vector<IdPair> pairs() const
    {
        return pairsOf( cache );
    }

    int pairCount() const
    {
        return cache.getNumOverlappingPairs();
    }

    btBroadphasePair& pair( int i ) const
    {
        return cache.getOverlappingPairArrayPtr()[i];
    }

    const RigKind kind;
    Rig rig;
    btBroadphaseInterface& broadphase;
    btOverlappingPairCache& cache;
    Bodies bodies;
};

} // namespace test

#endif
