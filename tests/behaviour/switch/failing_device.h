// SPDX-License-Identifier: Zlib
/// \file failing_device.h
/// A backend that claims to be a CUDA device, works on the CPU, and fails on request. From then on it holds no
/// resources and every call fails, as on a lost device.
#ifndef CLT_TESTS_FAILING_DEVICE_H
#define CLT_TESTS_FAILING_DEVICE_H

#include "tests/support/child.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

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

/// Controls and records the behaviour of a device. While a plan lives, every device of createOnDevice follows it. Only
/// one plan may live at a time.
struct DevicePlan
{
    DevicePlan();
    ~DevicePlan();
    DevicePlan( const DevicePlan& ) = delete;
    DevicePlan& operator=( const DevicePlan& ) = delete;

    cltStatus creation = clt_ok; ///< result of creating a device
    uint32_t promoteFrom = 0;    ///< cltBroadphaseDef::promoteFrom of the broadphases created
    uint32_t patience = 0;       ///< number of large updates without a query that must precede promotion
    Stage stage = Stage::upload; ///< the stage that fails
    uint32_t call = 0;           ///< which call of this stage fails, counted from 1; 0: none
    cltStatus status = clt_deviceFailed;
    bool failsAfterWork = false;                      ///< the stage fails after its work instead of before
    const char* failure = "pulled out of its socket"; ///< what the device says of its failure; may be NULL
    bool showsBoxes = false;                          ///< the device has a tree for queries on the host; CUDA has none

    bool failed = false;
    uint32_t createdCount = 0;
    uint32_t destroyedCount = 0;
    uint32_t callCount = 0;          ///< calls of stages
    uint32_t forbiddenCallCount = 0; ///< calls of stages after the failure or in another process; must be 0
    uint32_t stageCallCount = 0;     ///< calls of the stage that fails
    std::vector<std::pair<cltStatus, std::string>> log;
};

/// A def for the device, or for auto; its log goes to the plan.
cltBroadphaseDef defOn( cltDevice device, Config config = { clt_deviceCpu, clt_algorithmAuto, clt_precisionFloat, 2 } );

/// As cltCreateBroadphase, with a device that follows the plan. Returns NULL if `status` is not clt_ok.
BroadphasePtr createOnDevice( const cltBroadphaseDef& def, cltStatus* status );

/// A world on a broadphase of createOnDevice.
World worldOn( const cltBroadphaseDef& def );

/// Each algorithm in each precision, on the CPU, which also does the work of the device.
std::vector<Config> configsOf( const std::vector<cltAlgorithm>& algorithms );

/// Moves the first `count` proxies and updates.
void moveAlong( World& world, const Ids& proxies, size_t count );

/// Expects the world to be on this device after `failureCount` failures, each logged once.
void expectSwitched( const DevicePlan& plan, const World& world, cltDevice device, uint32_t failureCount );

} // namespace test

#endif
