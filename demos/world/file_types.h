// SPDX-License-Identifier: Zlib
/// \file file_types.h
/// The types in a .bullet file, which describes them itself.
#ifndef CLT_WORLD_FILE_TYPES_H
#define CLT_WORLD_FILE_TYPES_H

#include "file_cursor.h"

#include <map>

namespace cullet::demo
{

enum class NumberType
{
    none, ///< a pointer or a struct
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    float32,
    float64
};

struct StoredField
{
    std::size_t type; ///< index of the type
    NumberType number;
    bool isPointer;
    std::size_t offset; ///< from the start of the struct
    std::size_t bytes;  ///< of an element
    std::size_t count;  ///< elements; 1 unless the field is an array
};

struct StoredType
{
    std::string name;
    std::size_t bytes;
    std::map<std::string, StoredField, std::less<>> fields; ///< none for numbers
};

struct FileTypes
{
    std::vector<StoredType> all;
    std::vector<std::size_t> structs; ///< indices of types, by index of the struct
};

/// \param pointerBytes  4 or 8
/// \throws BulletFileError
FileTypes readTypes( Cursor cursor, std::size_t pointerBytes );

/// Throws BulletFileError if the type is no number.
double loadNumber( NumberType type, const char* bytes );

} // namespace cullet::demo

#endif
