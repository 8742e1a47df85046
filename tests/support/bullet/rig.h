// SPDX-License-Identifier: Zlib
/// \file rig.h
/// The broadphases that the tests run on: cullet in every form in which applications use it, and Bullet's own, which
/// prove that a test asks for nothing that Bullet would not do.
#ifndef CULLET_TESTS_RIG_H
#define CULLET_TESTS_RIG_H

#include "CulletBroadphase.h"

#include "btBulletDynamicsCommon.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace test
{

enum class Engine
{
    cullet,       ///< cullet with its own pair cache
    culletHashed, ///< cullet with a btHashedOverlappingPairCache of the application's
    simple,
    dbvt,
    sap
};

struct RigKind
{
    const char* name;
    Engine engine;
    cltAlgorithm algorithm; ///< of cullet
    int threadCount;        ///< of cullet
};

/// A broadphase and the cache that the application gave it, destroyed in the order that Bullet's users use.
struct Rig
{
    std::unique_ptr<btOverlappingPairCache> givenCache;
    std::unique_ptr<btBroadphaseInterface> broadphase;

    btOverlappingPairCache& cache() const
    {
        return *broadphase->getOverlappingPairCache();
    }

    /// NULL if it is one of Bullet's.
    CulletBroadphase* cullet = nullptr;
};

Rig makeRig( const RigKind& kind );

/// \param givenCache  what the application gives the broadphase, whatever the kind says; NULL for none. The rig deletes
///                    it
Rig makeRig( const RigKind& kind, btOverlappingPairCache* givenCache );

extern const RigKind culletAuto;
extern const RigKind bulletSimple;
extern const RigKind bulletDbvt;
extern const RigKind bulletSap; ///< for boxes within +-1000

/// Each algorithm, with its own and with a given cache.
std::vector<RigKind> culletRigs();

/// These and btSimpleBroadphase, which is exact too, for tests of what both promise.
std::vector<RigKind> exactRigs();

class RigTest : public testing::TestWithParam<RigKind>
{
};

inline std::string rigName( const testing::TestParamInfo<RigKind>& info )
{
    return info.param.name;
}

void PrintTo( const RigKind& kind, std::ostream* stream );

} // namespace test

#endif
