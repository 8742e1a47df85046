// SPDX-License-Identifier: Zlib
/// \file rig.h
/// The broadphases that the tests run on: cullet in each form in which applications use it, and Bullet's own. A test
/// that Bullet's broadphases pass as well expects nothing beyond Bullet's behaviour.
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

    /// The broadphase, or NULL if it is one of Bullet's.
    CulletBroadphase* cullet = nullptr;
};

/// \param givenCache  the pair cache to use, which the rig deletes; NULL: as the kind says
Rig makeRig( const RigKind& kind, btOverlappingPairCache* givenCache = nullptr );

extern const RigKind culletAuto;
extern const RigKind bulletSimple;
extern const RigKind bulletDbvt;
extern const RigKind bulletSap; ///< its world reaches from -1000 to 1000

void PrintTo( const RigKind& kind, std::ostream* stream );

} // namespace test

#endif
