// SPDX-License-Identifier: Zlib
/// \file CulletProcess.h
/// State that all Bullets of a process share: messages, the count of broadphases, the end of the process.
#ifndef CULLET_PROCESS_H
#define CULLET_PROCESS_H

#include <stdbool.h>

/// Writes one line to standard error. The arguments are those of printf.
void culletSay( const char* format, ... ) __attribute__( ( format( printf, 1, 2 ) ) );

/// Counts a broadphase that is taken over. \return its number, from 1
int culletCountBroadphase( void );

/// Remembers that a broadphase was constructed through this library.
void culletNoteConstruction( void );

/// When the process began, by CLOCK_MONOTONIC.
double culletBeginNs( void );

/// Called at the end of the process.
/// \return false if pairs or query results were wrong
bool culletFinish( void );

#endif
