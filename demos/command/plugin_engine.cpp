// SPDX-License-Identifier: Zlib
/// \file plugin_engine.cpp
/// CulletBroadphase with each algorithm.
#include "plugin_engine.h"

#include "core_facts.h"
#include "machine.h"

namespace cullet::compare
{

namespace
{

class PluginEngine : public BulletEngine
{
public:
    /// \param cullet  the same as `broadphase`, which moves away into the base
    PluginEngine( const EngineRequest& request, CulletBroadphase& cullet,
                  std::unique_ptr<btBroadphaseInterface> broadphase )
        : BulletEngine( request.scene, std::move( broadphase ), ProxyOwner::broadphase ), m_cullet( cullet ),
          m_threads( request.core.threads )
    {
    }

    void findPairs() override
    {
        BulletEngine::findPairs();
        requireOk( m_cullet.getStatus() ); // Bullet's interface has no place for errors
    }

    std::optional<double> cacheMs() const override
    {
        return m_cullet.getCacheMs();
    }

    std::optional<DeviceMs> deviceMs() const override
    {
        return coreDeviceMs( *m_cullet.getCore() );
    }

    EngineFacts facts() const override
    {
        return coreFacts( *m_cullet.getCore(), m_threads, bulletPrecision() );
    }

private:
    CulletBroadphase& m_cullet; // the base owns it
    int m_threads;
};

std::unique_ptr<Engine> createPluginEngine( const EngineRequest& request, cltAlgorithm algorithm )
{
    std::unique_ptr<CulletBroadphase> broadphase = createCullet( request.core, algorithm );
    CulletBroadphase& cullet = *broadphase;
    return std::make_unique<PluginEngine>( request, cullet, std::move( broadphase ) );
}

} // namespace

std::unique_ptr<CulletBroadphase> createCullet( const CoreChoice& choice, cltAlgorithm algorithm )
{
    auto broadphase = std::make_unique<CulletBroadphase>( coreDef( choice, algorithm ) );
    requireOk( broadphase->getCreationStatus() );
    return broadphase;
}

std::unique_ptr<Engine> createAutoEngine( const EngineRequest& request )
{
    return createPluginEngine( request, clt_algorithmAuto );
}

std::unique_ptr<Engine> createWideEngine( const EngineRequest& request )
{
    return createPluginEngine( request, clt_algorithmWide );
}

std::unique_ptr<Engine> createLbvhEngine( const EngineRequest& request )
{
    return createPluginEngine( request, clt_algorithmLbvh );
}

std::unique_ptr<Engine> createGridEngine( const EngineRequest& request )
{
    return createPluginEngine( request, clt_algorithmGrid );
}

std::unique_ptr<Engine> createBruteForceEngine( const EngineRequest& request )
{
    return createPluginEngine( request, clt_algorithmBruteForce );
}

} // namespace cullet::compare
