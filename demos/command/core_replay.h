// SPDX-License-Identifier: Zlib
/// \file core_replay.h
/// The C API as replay engines, as in core_engine.h.
#ifndef CLT_COMMAND_CORE_REPLAY_H
#define CLT_COMMAND_CORE_REPLAY_H

#include "replay_engine.h"

namespace cullet::compare
{

std::unique_ptr<ReplayEngine> createCoreReplay( const ReplayRequest& request );
std::unique_ptr<ReplayEngine> createFullCoreReplay( const ReplayRequest& request );

} // namespace cullet::compare

#endif
