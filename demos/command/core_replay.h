// SPDX-License-Identifier: Zlib
/// \file core_replay.h
/// The C API as a replay engine.
#ifndef CLT_COMMAND_CORE_REPLAY_H
#define CLT_COMMAND_CORE_REPLAY_H

#include "replay_engine.h"

namespace cullet::compare
{

std::unique_ptr<ReplayEngine> createCoreReplay( const ReplayRequest& request );

} // namespace cullet::compare

#endif
