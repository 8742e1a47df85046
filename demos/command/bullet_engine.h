// SPDX-License-Identifier: Zlib
/// \file bullet_engine.h
/// Anything behind btBroadphaseInterface as an engine, driven as Bullet's world drives it: a setAabb for each body that
/// moved, then one calculateOverlappingPairs.
#ifndef CLT_COMMAND_BULLET_ENGINE_H
#define CLT_COMMAND_BULLET_ENGINE_H

#include "bullet_broadphases.h"
#include "engine.h"

namespace cullet::compare
{

class BulletEngine : public Engine
{
public:
    BulletEngine( const cltScene& scene, std::unique_ptr<btBroadphaseInterface> broadphase, ProxyOwner owner );
    ~BulletEngine() override;

    void insert( std::uint32_t first, std::uint32_t last ) override;
    void setBoxes( const Moves& moves ) override;
    void findPairs() override;
    PairSet pairs() override;
    EngineFacts facts() const override;

private:
    const cltScene& m_scene;
    std::unique_ptr<btBroadphaseInterface> m_broadphase;
    ProxyOwner m_owner;
    std::vector<btBroadphaseProxy*> m_proxies; ///< of the boxes inserted so far, in their order
};

std::unique_ptr<Engine> createDbvtEngine( const EngineRequest& request );
std::unique_ptr<Engine> createDeferredDbvtEngine( const EngineRequest& request );
std::unique_ptr<Engine> createSweepEngine( const EngineRequest& request );
std::unique_ptr<Engine> createSimpleEngine( const EngineRequest& request );

} // namespace cullet::compare

#endif
