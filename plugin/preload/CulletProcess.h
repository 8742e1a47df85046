// SPDX-License-Identifier: Zlib
/// \file CulletProcess.h
/// What all Bullets of a process share: whom is spoken to, the number of broadphases, the end.
#ifndef CULLET_PROCESS_H
#define CULLET_PROCESS_H

#include <stdbool.h>

/// Writes one line to standard error.
void culletSay( const char* text );

/// \return the number of one more broadphase that is taken over, from 1
int culletCountBroadphase( void );

/// Somebody constructs a broadphase through us.
void culletSeeConstruction( void );

/// The end of the process.
/// \return false if pairs or answers were wrong
bool culletFinish( void );

#endif
