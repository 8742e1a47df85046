// SPDX-License-Identifier: Zlib
/// \file bullet_engine.h
/// Anything behind btBroadphaseInterface as an engine, driven call for call as Bullet's world or a recorded program
/// drives it.
#ifndef CLT_ENGINES_BULLET_ENGINE_H
#define CLT_ENGINES_BULLET_ENGINE_H

#include "engine.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

namespace cullet::compare
{

/// Who frees the proxies that are left when a broadphase is destroyed.
enum class ProxyOwner
{
    broadphase,
    caller
};

class BulletEngine : public Engine
{
public:
    BulletEngine( const EngineRequest& request, std::unique_ptr<btBroadphaseInterface> broadphase, ProxyOwner owner );
    ~BulletEngine() override;

    void change( const Batch& batch, const Calls& calls ) override;
    void findPairs() override;
    void castRay( const RayCall& ray, Hits& hits ) override;
    void queryBox( const Batch& batch, std::size_t call, Hits& hits ) override;
    bool casts( const RayCall& ray ) const override;
    Slack raySlack( const RayCall& ray ) const override;
    Slack boxSlack() const override;
    PairSet pairs() override;
    EngineFacts facts() const override;

private:
    void create( const Batch& batch, std::size_t call );
    void setFilter( const Batch& batch, std::size_t call );
    void destroy( std::uint32_t slot );

    std::unique_ptr<btBroadphaseInterface> m_broadphase;
    ProxyOwner m_owner;
    std::vector<btBroadphaseProxy*> m_proxies; ///< by slot; NULL: none
};

std::unique_ptr<Engine> createDbvtEngine( const EngineRequest& request );
std::unique_ptr<Engine> createDeferredDbvtEngine( const EngineRequest& request );
std::unique_ptr<Engine> createSweepEngine( const EngineRequest& request );
std::unique_ptr<Engine> createSimpleEngine( const EngineRequest& request );

} // namespace cullet::compare

#endif
