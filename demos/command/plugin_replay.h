// SPDX-License-Identifier: Zlib
/// \file plugin_replay.h
/// CulletBroadphase with each algorithm, as replay engines.
#ifndef CLT_COMMAND_PLUGIN_REPLAY_H
#define CLT_COMMAND_PLUGIN_REPLAY_H

#include "replay_engine.h"

namespace cullet::compare
{

std::unique_ptr<ReplayEngine> createAutoReplay( const ReplayRequest& request );
std::unique_ptr<ReplayEngine> createWideReplay( const ReplayRequest& request );
std::unique_ptr<ReplayEngine> createLbvhReplay( const ReplayRequest& request );
std::unique_ptr<ReplayEngine> createGridReplay( const ReplayRequest& request );
std::unique_ptr<ReplayEngine> createBruteForceReplay( const ReplayRequest& request );

} // namespace cullet::compare

#endif
