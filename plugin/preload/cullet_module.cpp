// SPDX-License-Identifier: Zlib
/// \file cullet_module.cpp
/// All sources of a module, compiled together once for each precision of Bullet.

#include "CulletGuest.cpp"
#include "CulletModule.cpp"
#include "CulletProbe.cpp"
#include "CulletRunOptions.cpp"
#include "CulletShell.cpp"
#include "CulletStopwatch.cpp"
#include "CulletTwin.cpp"
#include "CulletVerifier.cpp"
#include "CulletVerifierQueries.cpp"
