// SPDX-License-Identifier: Zlib
// The same with Bullet.
#include "../precompiled.h"

#include <btBulletDynamicsCommon.h>
