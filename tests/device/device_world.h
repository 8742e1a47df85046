// SPDX-License-Identifier: Zlib
/// \file device_world.h A World on the CUDA backend, for tests that look into the backend.
#ifndef CLT_TESTS_DEVICE_WORLD_H
#define CLT_TESTS_DEVICE_WORLD_H

#include "bridge/create.h"
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace test
{

/// Gives access to the CUDA backend inside a broadphase. This object must outlive the broadphase.
class CudaBackendAccess
{
public:
    CudaBackendAccess() = default;
    CudaBackendAccess( const CudaBackendAccess& ) = delete;
    CudaBackendAccess& operator=( const CudaBackendAccess& ) = delete;

    /// Creates a broadphase on the CUDA device. Without a device the test fails, and NULL is returned.
    BroadphasePtr createOnCuda( cltBroadphaseDef def )
    {
        def.device = clt_deviceCuda;
        def.hooks.userContext = this;
        const cltDeviceOffer offer = { createBackend, 0 };
        cltBroadphase* broadphase = nullptr;
        EXPECT_EQ( clt_ok, cltCreateBroadphaseOn( &def, &offer, &broadphase ) );
        return BroadphasePtr( broadphase );
    }

    cltCudaBackend* cuda = nullptr;

    /// If set: called with the upload of each update, after the search and before the commit.
    std::function<void( const cltUpload& upload )> beforeCommit;

private:
    static CudaBackendAccess& of( cltBackend* backend )
    {
        const cltBroadphaseDef* def = reinterpret_cast<cltCudaBackend*>( backend )->def;
        return *static_cast<CudaBackendAccess*>( def->hooks.userContext );
    }

    static cltStatus createBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend )
    {
        CLT_TRY( cltCreateCudaBackend( def, memory, backend ) );
        CudaBackendAccess& inside = of( *backend );
        inside.cuda = reinterpret_cast<cltCudaBackend*>( *backend );
        inside.m_cudaOps = ( *backend )->ops;
        inside.m_ops = *inside.m_cudaOps;
        inside.m_ops.upload = upload;
        inside.m_ops.commit = commit;
        ( *backend )->ops = &inside.m_ops;
        return clt_ok;
    }

    static cltStatus upload( cltBackend* backend, const cltUpload* upload )
    {
        of( backend ).m_upload = *upload;
        return of( backend ).m_cudaOps->upload( backend, upload );
    }

    static void commit( cltBackend* backend )
    {
        const CudaBackendAccess& inside = of( backend );
        if ( inside.beforeCommit )
        {
            inside.beforeCommit( inside.m_upload );
        }
        inside.m_cudaOps->commit( backend );
    }

    const cltBackendOps* m_cudaOps = nullptr;
    cltBackendOps m_ops;
    cltUpload m_upload;
};

/// Random cubes on the CUDA backend, without a World, which would take long for a million. CULLET_TEST_CLIMB sets the
/// numbers of cubes and builds.
class CubesOnCuda : public CudaBackendAccess
{
public:
    CubesOnCuda( cltAlgorithm algorithm, int count, Random random ) : broadphase( createOnCuda( defOf( algorithm ) ) )
    {
        const char* asked = std::getenv( "CULLET_TEST_CLIMB" );
        EXPECT_TRUE( asked == nullptr || std::sscanf( asked, "%d %d", &count, &buildCount ) == 2 ) << asked;
        std::vector<cltAabb> boxes;
        for ( const cltAabbD& box : randomCubes( random, size_t( count ), std::cbrt( count ) ) )
        {
            boxes.push_back( toFloat( box ) );
        }
        EXPECT_EQ( clt_ok, cltBroadphase_CreateProxies( broadphase.get(), boxes.size(), boxes.data(), nullptr, nullptr,
                                                        nullptr ) );
    }

    int buildCount = 4;
    BroadphasePtr broadphase;
};

class DeviceWorld : public CudaBackendAccess, public World
{
public:
    explicit DeviceWorld( const cltBroadphaseDef& def ) : World( createOnCuda( def ), def )
    {
    }

    explicit DeviceWorld( cltAlgorithm algorithm ) : DeviceWorld( defOf( algorithm ) )
    {
    }
};

} // namespace test

#endif
