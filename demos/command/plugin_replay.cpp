// SPDX-License-Identifier: Zlib
/// \file plugin_replay.cpp
/// Driven as Bullet's broadphases are, but its queries are held to the margin, and it can say what ran.
#include "plugin_replay.h"

#include "bullet_replay.h"
#include "core_facts.h"
#include "machine.h"
#include "plugin_engine.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

namespace cullet::compare
{

namespace
{

constexpr float marginRounding = 1e-6f; // adding the margin rounds a float by at most 6e-8 of it

class PluginReplay : public BulletReplay
{
public:
    /// \param cullet  the same as `broadphase`, which moves away into the base
    PluginReplay( const ReplayRequest& request, CulletBroadphase& cullet,
                  std::unique_ptr<btBroadphaseInterface> broadphase )
        : BulletReplay( request, std::move( broadphase ), ProxyOwner::broadphase ), m_cullet( cullet ),
          m_threads( request.core.threads )
    {
    }

    void findPairs() override
    {
        BulletReplay::findPairs();
        requireOk( m_cullet.getStatus() ); // Bullet's interface has no place for errors
    }

    Slack raySlack( const ReplayRay& ) const override
    {
        return { 0, float( gDbvtMargin ), marginRounding };
    }

    Slack boxSlack() const override
    {
        return { 0, float( gDbvtMargin ), marginRounding };
    }

    std::optional<double> cacheMs() const override
    {
        return m_cullet.getCacheMs();
    }

    EngineFacts facts() const override
    {
        return coreFacts( *m_cullet.getCore(), m_threads, bulletPrecision() );
    }

private:
    CulletBroadphase& m_cullet; // the base owns it
    int m_threads;
};

std::unique_ptr<ReplayEngine> createPluginReplay( const ReplayRequest& request, cltAlgorithm algorithm )
{
    std::unique_ptr<CulletBroadphase> broadphase = createCullet( request.core, algorithm );
    CulletBroadphase& cullet = *broadphase;
    return std::make_unique<PluginReplay>( request, cullet, std::move( broadphase ) );
}

} // namespace

std::unique_ptr<ReplayEngine> createAutoReplay( const ReplayRequest& request )
{
    return createPluginReplay( request, clt_algorithmAuto );
}

std::unique_ptr<ReplayEngine> createWideReplay( const ReplayRequest& request )
{
    return createPluginReplay( request, clt_algorithmWide );
}

std::unique_ptr<ReplayEngine> createLbvhReplay( const ReplayRequest& request )
{
    return createPluginReplay( request, clt_algorithmLbvh );
}

std::unique_ptr<ReplayEngine> createGridReplay( const ReplayRequest& request )
{
    return createPluginReplay( request, clt_algorithmGrid );
}

std::unique_ptr<ReplayEngine> createBruteForceReplay( const ReplayRequest& request )
{
    return createPluginReplay( request, clt_algorithmBruteForce );
}

} // namespace cullet::compare
