// SPDX-License-Identifier: Zlib
/// \file contestants.h
/// Who the contract is tested on: cullet with each algorithm, with its own pair cache and with one that the application
/// gave it, and Bullet's own broadphases. Every test of this folder is a `TEST_P( Contract, CTnn_What )` that asks for
/// what an application relies on and nothing else, so that it can run on all of them; which of Bullet's are known not
/// to keep it is a matter of expectations.h. Tests that take long are named `CTnnLarge_What`.
#ifndef CULLET_TESTS_CONTESTANTS_H
#define CULLET_TESTS_CONTESTANTS_H

#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

#include <gtest/gtest.h>
#include <vector>

namespace test
{

/// The parameter's names: cullet_lbvh_own, cullet_lbvh_given, … as for wide, grid and bruteForce; btDbvt, btSimple,
/// bt32BitAxisSweep3.
class Contract : public testing::TestWithParam<RigKind>
{
};

/// Whether a contestant's pairs are what they must be: exactly the expected ones, each once. Bullet's fat broadphases
/// may hold others too.
testing::AssertionResult checkPairs( const RigKind& kind, const std::vector<IdPair>& expected,
                                     const std::vector<IdPair>& actual );

/// Whether boxes, groups and masks of two proxies let them be a pair.
bool mayPair( const btBroadphaseProxy& p, const btBroadphaseProxy& q );

/// The same for the pairs of a world, which must be those of its proxies' boxes and filters.
testing::AssertionResult checkPairsOfWorld( const RigKind& kind, btCollisionWorld& world );

/// A contestant and the bodies in it. The bodies leave first, because btDbvtBroadphase loses the memory of proxies that
/// outlive it.
struct Arena
{
    /// \param givenCache  a pair cache of the application's, which the arena deletes; NULL: what the kind says
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

    /// On btDbvtBroadphase and SAP, too.
    testing::AssertionResult hasExactPairs() const
    {
        return samePairs( bodies.expectedPairs(), pairs() );
    }

    /// Ascending. A pair that is in the cache twice is here twice.
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
