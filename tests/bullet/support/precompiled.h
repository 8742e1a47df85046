// SPDX-License-Identifier: Zlib
// The same with Bullet.
#include "../../support/precompiled.h"

#include <btBulletDynamicsCommon.h>
