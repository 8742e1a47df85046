// SPDX-License-Identifier: Zlib
/// \file bullet_replay.h
/// Anything behind btBroadphaseInterface as a replay engine: call for call what the recorded program did.
#ifndef CLT_COMMAND_BULLET_REPLAY_H
#define CLT_COMMAND_BULLET_REPLAY_H

#include "bullet_broadphases.h"
#include "replay_engine.h"

namespace cullet::compare
{

class BulletReplay : public ReplayEngine
{
public:
    BulletReplay( const ReplayRequest& request, std::unique_ptr<btBroadphaseInterface> broadphase, ProxyOwner owner );
    ~BulletReplay() override;

    void change( const ReplayCall& call ) override;
    void findPairs() override;
    void castRay( const ReplayRay& ray, std::vector<std::uint32_t>& hits ) override;
    void queryBox( const ReplayCall& call, std::vector<std::uint32_t>& hits ) override;
    bool casts( const ReplayRay& ray ) const override;
    Slack raySlack( const ReplayRay& ray ) const override;
    Slack boxSlack() const override;
    PairSet pairs() override;
    EngineFacts facts() const override;

private:
    std::unique_ptr<btBroadphaseInterface> m_broadphase;
    ProxyOwner m_owner;
    std::vector<btBroadphaseProxy*> m_proxies; ///< by slot; NULL: none
};

std::unique_ptr<ReplayEngine> createDbvtReplay( const ReplayRequest& request );
std::unique_ptr<ReplayEngine> createDeferredDbvtReplay( const ReplayRequest& request );
std::unique_ptr<ReplayEngine> createSweepReplay( const ReplayRequest& request );
std::unique_ptr<ReplayEngine> createSimpleReplay( const ReplayRequest& request );

} // namespace cullet::compare

#endif
