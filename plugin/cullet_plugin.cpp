// SPDX-License-Identifier: Zlib
/// \file cullet_plugin.cpp
/// The whole plugin as one source, for the application to compile with its own flags: precision, BT_THREADSAFE, SSE and
/// the Bullet version are its choices.

#include "broadphase/CulletBroadphase.cpp"

// Not needed by the sources above; included so that the tests compile these headers with the flags of this file.
#include "recorder/CulletRecordFile.h"
#include "recorder/CulletRecorder.h"
