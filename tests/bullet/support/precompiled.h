// SPDX-License-Identifier: Zlib
// Precompiled headers for tests that use Bullet.
#include "../../support/precompiled.h"

#include <btBulletDynamicsCommon.h>
