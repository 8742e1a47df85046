// SPDX-License-Identifier: Zlib
/// \file rig.h
/// The broadphases that the tests run on: cullet in each form in which applications use it, and Bullet's own. A test
/// that Bullet's broadphases pass as well expects nothing beyond Bullet's behaviour.
#ifndef CULLET_TESTS_RIG_H
#define CULLET_TESTS_RIG_H

#include "CulletBroadphase.h"
#include "bodies.h"

#include "btBulletDynamicsCommon.h"

#include <iosfwd>
#include <memory>

namespace test
{

enum class Engine
{
    cullet,       ///< cullet with its own pair cache
    culletHashed, ///< cullet with a btHashedOverlappingPairCache that the application owns
    simple,
    dbvt,
    sap
};

struct RigKind
{
    const char* name;
    Engine engine;
    cltAlgorithm algorithm; ///< for cullet only
    int threadCount;        ///< for cullet only
};

/// A broadphase and its given cache, if any. Destroys the broadphase first, as applications do.
struct Rig
{
    std::unique_ptr<btOverlappingPairCache> givenCache;
    std::unique_ptr<btBroadphaseInterface> broadphase;

    btOverlappingPairCache& cache() const
    {
        return *broadphase->getOverlappingPairCache();
    }

    /// The broadphase; NULL for a broadphase of Bullet's.
    CulletBroadphase* cullet = nullptr;
};

/// \param givenCache  the pair cache to use, which the rig deletes; NULL: as the kind says
Rig makeRig( const RigKind& kind, btOverlappingPairCache* givenCache = nullptr );

extern const RigKind culletAuto;
extern const RigKind bulletSimple;
extern const RigKind bulletDbvt;
extern const RigKind bulletSap; ///< its world reaches from -1000 to 1000

void PrintTo( const RigKind& kind, std::ostream* stream );

/// Whether the actual pairs are the expected ones, each once. Bullet's broadphases with fat boxes may also hold other
/// pairs.
testing::AssertionResult checkPairs( const RigKind& kind, const std::vector<IdPair>& expected,
                                     const std::vector<IdPair>& actual );

/// A broadphase with bodies. Destroys the bodies first, because btDbvtBroadphase leaks proxies that outlive it.
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

    /// Whether the cache holds exactly the expected pairs, also if the broadphase has fat boxes.
    testing::AssertionResult hasExactPairs() const
    {
        return samePairs( bodies.expectedPairs(), pairs() );
    }

    /// The pairs in the cache, ascending, with any duplicates.
    std::vector<IdPair> pairs() const
    {
        return pairsOf( cache );
    }

    btBroadphaseProxy* proxy( size_t at )
    {
        return bodies.at( at ).proxies[0];
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
