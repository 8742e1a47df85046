// SPDX-License-Identifier: Zlib
/// \file file_world.h
/// Worlds that a Bullet program has written into a .bullet file.
#ifndef CLT_WORLD_FILE_WORLD_H
#define CLT_WORLD_FILE_WORLD_H

#include "bullet_file.h"
#include "kinds.h"

namespace cullet::demo
{

/// What a file describes and this program cannot make: counts, by names such as "soft body".
using LeftOut = std::map<std::string, int>;

/// Adds the bodies and constraints of a file to a world, and sets its gravity. Velocities, filters and sleep are as in
/// the file. Throws BulletFileError.
LeftOut addFile( const BulletFile& file, World& world );

/// Whether the name ends in .bullet.
bool isWorldFile( const std::string& name );

/// A kind of world that has the file's bodies. Prints a line about what is left out.
/// \throws CLI::ValidationError with one line about a file that cannot be read
WorldKind worldOfFile( const std::string& path );

} // namespace cullet::demo

#endif
