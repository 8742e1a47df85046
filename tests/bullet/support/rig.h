// SPDX-License-Identifier: Zlib
/// \file rig.h
/// The broadphases that the tests run on: cullet in every form in which applications use it, and Bullet's own, which
/// prove that a test asks for nothing that Bullet would not do.
#ifndef CULLET_TESTS_RIG_H
#define CULLET_TESTS_RIG_H

#include "CulletBroadphase.h"

#include "btBulletDynamicsCommon.h"

#include <iosfwd>
#include <memory>

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

/// \param givenCache  what the application gives the broadphase, and the rig deletes; NULL: what the kind says
Rig makeRig( const RigKind& kind, btOverlappingPairCache* givenCache = nullptr );

extern const RigKind culletAuto;
extern const RigKind bulletSimple;
extern const RigKind bulletDbvt;
extern const RigKind bulletSap; ///< for boxes within +-1000

void PrintTo( const RigKind& kind, std::ostream* stream );

} // namespace test

#endif
