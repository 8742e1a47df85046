// SPDX-License-Identifier: Zlib
/// \file cullet_module.cpp
/// A module as one source, compiled once for each precision of Bullet.

#include "CulletGuest.cpp"
#include "CulletModule.cpp"
#include "CulletProbe.cpp"
#include "CulletRunOptions.cpp"
#include "CulletShell.cpp"
#include "CulletStopwatch.cpp"
#include "CulletTwin.cpp"
#include "CulletVerifier.cpp"
#include "CulletVerifierQueries.cpp"
