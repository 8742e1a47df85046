// SPDX-License-Identifier: Zlib
/// \file plugin_engine.cpp
/// What CulletBroadphase says beyond Bullet's interface.
#include "plugin_engine.h"

#include "bullet_engine.h"
#include "core_engine.h"

#include "demos/report/machine.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

namespace cullet::compare
{

namespace
{

constexpr float marginRounding = 1e-6f; // adding the margin rounds a float by at most 6e-8 of it

class PluginEngine : public BulletEngine
{
public:
    /// \param cullet  the same as `broadphase`, which moves away into the base
    PluginEngine( const EngineRequest& request, CulletBroadphase& cullet,
                  std::unique_ptr<btBroadphaseInterface> broadphase )
        : BulletEngine( request, std::move( broadphase ), ProxyOwner::broadphase ), m_cullet( cullet ),
          m_threads( request.core.threads )
    {
    }

    void findPairs() override
    {
        BulletEngine::findPairs();
        requireOk( m_cullet.getStatus() ); // Bullet's interface has no place for errors
    }

    Slack boxSlack() const override
    {
        return { 0, float( gDbvtMargin ), marginRounding };
    }

    UpdateMs updateMs() const override
    {
        UpdateMs ms = coreUpdateMs( *m_cullet.getCore() );
        ms.cache = m_cullet.getCacheMs();
        return ms;
    }

    EngineFacts facts() const override
    {
        return coreFacts( *m_cullet.getCore(), m_threads, bulletPrecision() );
    }

private:
    CulletBroadphase& m_cullet; // the base owns it
    int m_threads;
};

} // namespace

std::unique_ptr<CulletBroadphase> createCullet( const CoreChoice& choice, cltAlgorithm algorithm )
{
    auto broadphase = std::make_unique<CulletBroadphase>( coreDef( choice, algorithm ) );
    requireOk( broadphase->getCreationStatus() );
    return broadphase;
}

std::unique_ptr<Engine> createPluginEngine( const EngineRequest& request, cltAlgorithm algorithm )
{
    std::unique_ptr<CulletBroadphase> broadphase = createCullet( request.core, algorithm );
    CulletBroadphase& cullet = *broadphase;
    return std::make_unique<PluginEngine>( request, cullet, std::move( broadphase ) );
}

} // namespace cullet::compare
