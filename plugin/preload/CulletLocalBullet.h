// SPDX-License-Identifier: Zlib
/// \file CulletLocalBullet.h
/// Finds a Bullet that is compiled into a program or library with hidden or stripped symbols.
#ifndef CULLET_LOCAL_BULLET_H
#define CULLET_LOCAL_BULLET_H

/// \return the path of a loaded file with Bullet inside, valid while it is loaded; "the program" for the program
/// itself;
///         NULL if there is none
const char* culletFindLocalBullet( void );

#endif
