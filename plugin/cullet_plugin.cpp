// SPDX-License-Identifier: Zlib
/// \file cullet_plugin.cpp
/// The whole plugin as one source, for the application to compile with its own flags: precision, BT_THREADSAFE, SSE and
/// the Bullet version are its choices.

#include "broadphase/CulletBroadphase.cpp"
#include "broadphase/CulletCore.cpp"
#include "broadphase/CulletPairFilter.cpp"
#include "broadphase/CulletPairSearch.cpp"
#include "broadphase/CulletPairUpdate.cpp"
#include "broadphase/CulletProxyPool.cpp"
#include "broadphase/CulletQueries.cpp"
#include "broadphase/CulletRejectedPairs.cpp"
#include "pair_cache/CulletGivenCache.cpp"
#include "pair_cache/CulletNeighbours.cpp"
#include "pair_cache/CulletPairArray.cpp"
#include "pair_cache/CulletPairCache.cpp"
#include "pair_cache/CulletPairExchange.cpp"
#include "recorder/CulletRecordFile.cpp"
#include "recorder/CulletRecorder.cpp"
