// SPDX-License-Identifier: Zlib
/// \file CulletModule.h
/// The guests of one Bullet.
#ifndef CULLET_MODULE_H
#define CULLET_MODULE_H

class CulletGuest;

/// The guest's shell is gone.
void culletCloseGuest( CulletGuest* guest );

#endif
