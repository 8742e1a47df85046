// SPDX-License-Identifier: Zlib
/// \file file_values.h
/// Vectors and transforms in a .bullet file, of either precision. Bullet takes any number, but a box with a NaN can end
/// its sweep and prune in a crash. So places and sizes must be ones that a world can have.
#ifndef CLT_WORLD_FILE_VALUES_H
#define CLT_WORLD_FILE_VALUES_H

#include "bullet_file.h"

#include "LinearMath/btTransform.h"

namespace cullet::demo
{

/// Doubles beyond the range of btScalar become its largest number.
btScalar scalarOf( const StoredStruct& owner, const char* field, std::size_t index = 0 );

/// A whole number from `least` to `most`. Throws BulletFileError for others.
int wholeOf( const StoredStruct& owner, const char* field, int least, int most );

/// A number of at most 1e9. Throws BulletFileError if it is larger.
btScalar lengthOf( const StoredStruct& owner, const char* field );

/// The first three elements; the fourth is not always written.
btVector3 vectorOf( const StoredStruct& owner, const char* field );

/// A vector of lengths.
btVector3 placeOf( const StoredStruct& vector );
btVector3 placeOf( const StoredStruct& owner, const char* field );

/// A factor for each axis. Throws BulletFileError unless it is positive and of a usual size.
btVector3 scalingOf( const StoredStruct& owner, const char* field );

/// Throws BulletFileError unless it is a rotation and a place.
btTransform transformOf( const StoredStruct& owner, const char* field );

} // namespace cullet::demo

#endif
