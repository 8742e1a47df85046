// SPDX-License-Identifier: Zlib
/// \file failing_device.h
/// A backend that says it is a CUDA device, has the CPU do the work, and fails when it is told to: from then on it
/// holds nothing and answers nothing, as a lost device does.
#ifndef CLT_TESTS_FAILING_DEVICE_H
#define CLT_TESTS_FAILING_DEVICE_H

#include "tests/support/config.h"
#include "tests/support/world.h"

#include <functional>

namespace test
{

enum class Stage
{
    upload,
    build,
    findChanges,
    readBack,
    readPairs
};

constexpr Stage allStages[] = { Stage::upload, Stage::build, Stage::findChanges, Stage::readBack, Stage::readPairs };
constexpr cltStatus allFailures[] = { clt_deviceMemory, clt_deviceFailed, clt_noDevice };

const char* nameOf( Stage stage );

/// What a device will do, and what became of it. While one lives, every broadphase of createOnDevice gets a device that
/// follows it. One at a time.
struct DevicePlan
{
    DevicePlan();
    ~DevicePlan();
    DevicePlan( const DevicePlan& ) = delete;
    DevicePlan& operator=( const DevicePlan& ) = delete;

    cltStatus creation = clt_ok; ///< what creating a device answers
    uint32_t promoteFrom = 0;    ///< of the broadphases that are made on it
    uint32_t patience = 0;       ///< updates that are worth it without a query, after which one goes to the device
    Stage stage = Stage::upload; ///< the one to fail in
    uint32_t call = 0;           ///< at which call of it, from 1; 0: never
    cltStatus status = clt_deviceFailed;
    bool late = false;       ///< fails after the stage did its work, else before
    bool showsBoxes = false; ///< lets queries look at the hierarchy that it has on the host; CUDA has none

    bool failed = false;
    uint32_t createdCount = 0;
    uint32_t destroyedCount = 0;
    uint32_t callCount = 0;      ///< stages that were asked for
    uint32_t lateCallCount = 0;  ///< of these, after it failed or in another process: there must be none
    uint32_t stageCallCount = 0; ///< of the stage to fail in
    std::vector<std::pair<cltStatus, std::string>> log;
};

/// A def for the device, or for the CPU with auto, whose log goes into the plan.
cltBroadphaseDef defOn( cltDevice device, Config config = { clt_deviceCpu, clt_algorithmAuto, clt_precisionFloat, 2 } );

/// cltCreateBroadphase, on a device that follows the plan. NULL if `status` is not clt_ok.
BroadphasePtr createOnDevice( const cltBroadphaseDef& def, cltStatus* status );

/// A world on a broadphase of that kind.
World worldOn( const cltBroadphaseDef& def );

/// Each algorithm in each precision on the CPU, which does the work of the device, too.
std::vector<Config> configsOf( const std::vector<cltAlgorithm>& algorithms );

/// The first `count` of the proxies move, in an update.
void moveAlong( World& world, const Ids& proxies, size_t count );

/// Expects the world to be where it is because the device failed, or went there, so often; each failure told once.
void expectSwitched( const DevicePlan& plan, const World& world, cltDevice device, uint32_t failureCount );

/// Runs `play` in a forked child and expects it to say 0: what went wrong, as bits.
void playInChild( const std::function<int()>& play );

} // namespace test

#endif
