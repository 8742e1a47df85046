// SPDX-License-Identifier: Zlib
/// \file CulletModule.h
/// The guests that take the place of one Bullet's broadphases.
#ifndef CULLET_MODULE_H
#define CULLET_MODULE_H

class CulletGuest;

/// Destroys the guest after its shell was destroyed.
void culletCloseGuest( CulletGuest* guest );

#endif
