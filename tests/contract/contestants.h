// SPDX-License-Identifier: Zlib
/// \file contestants.h
/// Who the contract is tested on: cullet with each algorithm, with its own pair cache and with one that the application
/// gave it, and Bullet's own broadphases. Every test of this folder is a `TEST_P( Contract, CTnn_What )` that asks for
/// what an application relies on and nothing else, so that it can run on all of them; which of Bullet's are known not
/// to keep it is a matter of expectations.h. Tests that take long are named `CTnnLarge_What`.
#ifndef CULLET_TESTS_CONTESTANTS_H
#define CULLET_TESTS_CONTESTANTS_H

#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

#include <gtest/gtest.h>
#include <vector>

namespace test
{

/// Their names: cullet_lbvh_own, cullet_lbvh_given, … as for grid and bruteForce; btDbvt, btSimple, bt32BitAxisSweep3.
std::vector<RigKind> contestants();

class Contract : public testing::TestWithParam<RigKind>
{
};

/// Whether a contestant's pairs are what they must be: exactly the expected ones, each once. Bullet's fat broadphases
/// may hold others too.
testing::AssertionResult hold( const RigKind& kind, const std::vector<IdPair>& expected,
                               const std::vector<IdPair>& actual );

/// The same for the pairs of a world, which must be those of its proxies' boxes and filters.
testing::AssertionResult holdsPairsOfBoxes( const RigKind& kind, btCollisionWorld& world );

/// A contestant and the bodies in it. The bodies leave first, because btDbvtBroadphase loses the memory of proxies that
/// outlive it.
struct Arena
{
    explicit Arena( const RigKind& kind, uint64_t seed = 1, double spread = 1, btDispatcher* dispatcher = nullptr )
        : kind( kind ), rig( makeRig( kind ) ), broadphase( *rig.broadphase ),
          bodies( broadphase, seed, spread, dispatcher )
    {
    }

    /// With a pair cache of the application's, which the arena deletes.
    Arena( const RigKind& kind, btOverlappingPairCache* givenCache, uint64_t seed, double spread,
           btDispatcher* dispatcher = nullptr )
        : kind( kind ), rig( makeRig( kind, givenCache ) ), broadphase( *rig.broadphase ),
          bodies( broadphase, seed, spread, dispatcher )
    {
    }

    ~Arena()
    {
        bodies.destroyAll();
    }

    testing::AssertionResult holdsExpectedPairs() const
    {
        return hold( kind, bodies.expectedPairs(), pairs() );
    }

    btOverlappingPairCache& cache() const
    {
        return rig.cache();
    }

    /// Ascending. A pair that is in the cache twice is here twice.
    std::vector<IdPair> pairs() const
    {
        return pairsOf( cache() );
    }

    const RigKind kind;
    Rig rig;
    btBroadphaseInterface& broadphase;
    Bodies bodies;
};

/// A contestant in a world of Bullet's, taken down in the order of Bullet's own examples.
struct Physics
{
    explicit Physics( const RigKind& kind )
        : dispatcher( &configuration ), rig( makeRig( kind ) ), broadphase( *rig.broadphase ),
          world( &dispatcher, &broadphase, &solver, &configuration )
    {
    }

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    Rig rig;
    btBroadphaseInterface& broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
};

} // namespace test

#endif
