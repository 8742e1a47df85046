// SPDX-License-Identifier: Zlib
/// \file subject.h
/// The broadphase under test, and what it may be held to beyond an exact pair set after calculateOverlappingPairs.
#ifndef CLT_STRESS_SUBJECT_H
#define CLT_STRESS_SUBJECT_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include "cullet.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cullet::stress
{

struct Promises
{
    bool pairsOfNewAtOnce = false;   ///< createProxy makes the pairs of its proxy visible before it returns
    int movesAtOnce = 0;             ///< so does setAabb, for so many changed boxes since calculateOverlappingPairs
    bool pairsOfGhostAtOnce = false; ///< so does setAabb of a ghost, however many boxes have changed
    bool takesNullClients = false;   ///< a NULL client object makes a proxy like any other
    bool cullsRays = false;          ///< rayTest leaves out what lies farther than gDbvtMargin from the ray
    bool hidesNan = false;           ///< no query reports a box with a NaN
    bool readsForgotten = false;     ///< an edited group or mask counts before its own proxy is set again
    bool repairsCache = false;       ///< pairs that the application took out are back after the next update
};

/// What a broadphase told its log hook: that a device failed, for example.
using Log = std::vector<std::string>;

struct Subject
{
    std::unique_ptr<btOverlappingPairCache> givenCache; ///< NULL if the broadphase has its own
    std::unique_ptr<btBroadphaseInterface> broadphase;
    Promises promises;
    std::function<cltStatus()> status; ///< clt_ok while the pair set is complete
    std::shared_ptr<Log> log;          ///< NULL: it has none
};

struct SubjectDef
{
    std::size_t bodies = 0;  ///< that will live in it, at most
    bool givesCache = false; ///< a btHashedOverlappingPairCache of the application's
    cltAlgorithm algorithm = clt_algorithmAuto;
    int threads = 0; ///< 0 for one per processor
    cltDevice device = clt_deviceAuto;
};

/// CulletBroadphase.
Subject createSubject( const SubjectDef& def );

} // namespace cullet::stress

#endif
