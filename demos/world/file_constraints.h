// SPDX-License-Identifier: Zlib
/// \file file_constraints.h
/// Makes the constraints that a .bullet file describes.
#ifndef CLT_WORLD_FILE_CONSTRAINTS_H
#define CLT_WORLD_FILE_CONSTRAINTS_H

#include "bullet_file.h"
#include "world.h"

namespace cullet::demo
{

using FileBodies = std::map<std::uint64_t, btRigidBody*>; ///< by address

/// Adds a constraint. A body that is not in the file is a fixed one.
/// \return false if there is none, because its type is unknown or its bodies were left out. Throws BulletFileError
bool addConstraint( const StoredStruct& stored, const FileBodies& bodies, World& world );

} // namespace cullet::demo

#endif
