// SPDX-License-Identifier: Zlib
/// \file cullet_plugin.cpp
/// The whole plugin as one source, for the application to compile with its own flags: precision, BT_THREADSAFE, SSE and
/// the Bullet version are its choices.

#include "CulletBroadphase.cpp"
#include "CulletCore.cpp"
#include "CulletGivenCache.cpp"
#include "CulletNeighbours.cpp"
#include "CulletPairArray.cpp"
#include "CulletPairBatches.cpp"
#include "CulletPairCache.cpp"
#include "CulletPairs.cpp"
#include "CulletPairsDue.cpp"
#include "CulletPairsRejected.cpp"
#include "CulletPairsUpdate.cpp"
#include "CulletProxyPool.cpp"
#include "CulletQueries.cpp"
#include "CulletRejectedPairs.cpp"
#include "recorder/CulletRecordFile.cpp"
#include "recorder/CulletRecorder.cpp"
