// SPDX-License-Identifier: Zlib
/// \file CulletLocalBullet.h
/// A Bullet that the loader knows nothing of: compiled into a program or a library, its symbols hidden or left out.
#ifndef CULLET_LOCAL_BULLET_H
#define CULLET_LOCAL_BULLET_H

/// \return the file of one that is loaded, for as long as it stays so; "the program" for the program itself; NULL if
/// there is none
const char* culletFindLocalBullet( void );

#endif
