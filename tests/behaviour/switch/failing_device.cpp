// SPDX-License-Identifier: Zlib
// Every stage is one function that counts the call, and then fails if the plan says so or calls the CPU's backend.
#include "tests/behaviour/switch/failing_device.h"

#include "bridge/create.h"

#include <unistd.h>

namespace test
{

namespace
{

DevicePlan* plan = nullptr;

struct Device
{
    cltBackend base;
    cltBackend* inner; ///< NULL after the failure
    cltMemory* memory;
    pid_t owner;
    cltBroadphaseDef def; ///< of `inner`
    cltUpload upload;     ///< of `inner`
};

cltStatus fail( Device* device )
{
    plan->failed = true;
    device->base.failure = plan->failure;
    device->inner->ops->destroy( device->inner );
    device->inner = nullptr;
    return plan->status;
}

/// A stage. Fails if the plan names this call, otherwise calls the CPU's backend.
template <Stage stage, auto operation, typename... Arguments>
cltStatus run( cltBackend* backend, Arguments... arguments )
{
    Device* device = reinterpret_cast<Device*>( backend );
    ++plan->callCount;
    if ( device->inner == nullptr || device->owner != getpid() )
    {
        ++plan->forbiddenCallCount;
        return clt_deviceFailed;
    }
    plan->stageCallCount += stage == plan->stage;
    const bool isDue = stage == plan->stage && plan->stageCallCount == plan->call;
    if ( isDue && !plan->failsAfterWork )
    {
        return fail( device );
    }
    const cltStatus status = ( device->inner->ops->*operation )( device->inner, arguments... );
    return isDue && status == clt_ok ? fail( device ) : status;
}

/// The stage `upload`, without rest boxes: a backend that may fail gets none.
cltStatus upload( cltBackend* backend, const cltUpload* table )
{
    cltUpload& withoutRest = reinterpret_cast<Device*>( backend )->upload;
    withoutRest = *table;
    withoutRest.rest = nullptr;
    return run<Stage::upload, &cltBackendOps::upload>( backend, &withoutRest );
}

void commit( cltBackend* backend )
{
    cltBackend* inner = reinterpret_cast<Device*>( backend )->inner;
    inner->ops->commit( inner );
}

const cltQueryBase* viewBoxes( const cltBackend* backend )
{
    const cltBackend* inner = reinterpret_cast<const Device*>( backend )->inner;
    return plan->showsBoxes && inner != nullptr ? inner->ops->viewBoxes( inner ) : nullptr;
}

uint64_t pairsOf( const cltBackend* backend, uint32_t slot )
{
    const cltBackend* inner = reinterpret_cast<const Device*>( backend )->inner;
    return inner != nullptr ? inner->ops->pairsOf( inner, slot ) : 0;
}

void draw( const cltBackend* backend, const cltDrawing* drawing )
{
    const cltBackend* inner = reinterpret_cast<const Device*>( backend )->inner;
    if ( plan->showsBoxes && inner != nullptr )
    {
        inner->ops->draw( inner, drawing );
    }
}

void getStats( const cltBackend* backend, cltStats* stats, cltResearchStats* research )
{
    const cltBackend* inner = reinterpret_cast<const Device*>( backend )->inner;
    *stats = {};
    *research = {};
    if ( inner != nullptr )
    {
        inner->ops->getStats( inner, stats, research );
        stats->deviceBytes = 1;
    }
}

void destroy( cltBackend* backend )
{
    Device* device = reinterpret_cast<Device*>( backend );
    ++plan->destroyedCount;
    if ( device->inner != nullptr )
    {
        device->inner->ops->destroy( device->inner );
    }
    cltMemory_Release( device->memory, device, sizeof *device );
}

const cltBackendOps ops = { clt_deviceCuda,
                            upload,
                            run<Stage::build, &cltBackendOps::build>,
                            run<Stage::findChanges, &cltBackendOps::findChanges>,
                            run<Stage::readBack, &cltBackendOps::readBack>,
                            commit,
                            run<Stage::readPairs, &cltBackendOps::readPairs>,
                            viewBoxes,
                            pairsOf,
                            draw,
                            getStats,
                            destroy };

cltStatus createDevice( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend )
{
    ++plan->createdCount;
    *backend = nullptr;
    if ( plan->creation != clt_ok )
    {
        return plan->creation;
    }
    auto* device = static_cast<Device*>( cltMemory_Allocate( memory, sizeof( Device ) ) );
    if ( device == nullptr )
    {
        return clt_hostMemory;
    }
    *device = { { &ops, 0, true, nullptr, nullptr }, nullptr, memory, getpid(), *def, {} };
    device->def.simd = clt_simdAuto; // a device has no instruction set
    const cltStatus status = cltCreateHostBackend( &device->def, memory, &device->inner );
    if ( status != clt_ok )
    {
        cltMemory_Release( memory, device, sizeof *device );
        return status;
    }
    *backend = &device->base;
    return clt_ok;
}

void noteLine( cltStatus status, const char* message, void* )
{
    plan->log.emplace_back( status, message );
}

} // namespace

DevicePlan::DevicePlan()
{
    EXPECT_EQ( nullptr, plan );
    plan = this;
}

DevicePlan::~DevicePlan()
{
    plan = nullptr;
}

cltBroadphaseDef defOn( cltDevice device, Config config )
{
    config.device = device;
    cltBroadphaseDef def = defOf( config );
    def.hooks.log = noteLine;
    return def;
}

BroadphasePtr createOnDevice( const cltBroadphaseDef& def, cltStatus* status )
{
    cltBroadphase* broadphase = nullptr;
    const cltDeviceOffer offer = { createDevice, plan->patience };
    cltBroadphaseDef promoted = def;
    promoted.promoteFrom = plan->promoteFrom;
    *status = cltCreateBroadphaseOn( &promoted, &offer, &broadphase );
    EXPECT_EQ( *status != clt_ok, broadphase == nullptr );
    return BroadphasePtr( broadphase );
}

World worldOn( const cltBroadphaseDef& def )
{
    cltStatus status = clt_ok;
    BroadphasePtr broadphase = createOnDevice( def, &status );
    EXPECT_EQ( clt_ok, status );
    return World( std::move( broadphase ), def );
}

std::vector<Config> configsOf( const std::vector<cltAlgorithm>& algorithms )
{
    std::vector<Config> configs;
    for ( cltAlgorithm algorithm : algorithms )
    {
        configs.push_back( { clt_deviceCpu, algorithm, clt_precisionFloat, 3 } );
        configs.push_back( { clt_deviceCpu, algorithm, clt_precisionDouble, 3 } );
    }
    return configs;
}

void moveAlong( World& world, const Ids& proxies, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        world.move( proxies[i], shifted( world.boxOf( proxies[i] ), 1.5 ) );
    }
    world.updateOnly();
}

void expectSwitched( const DevicePlan& plan, const World& world, cltDevice device, uint32_t failureCount )
{
    const cltStats stats = world.stats();
    EXPECT_EQ( device, stats.device );
    EXPECT_EQ( device == clt_deviceCuda ? 1u : 0u, stats.deviceBytes );
    EXPECT_EQ( failureCount, stats.deviceFailureCount );
    EXPECT_EQ( failureCount, plan.log.size() );
    EXPECT_EQ( 0u, plan.forbiddenCallCount ) << "a lost device was used again";
}

} // namespace test
