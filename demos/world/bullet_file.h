// SPDX-License-Identifier: Zlib
/// \file bullet_file.h
/// The structs in a .bullet file, as Bullet's btDefaultSerializer writes it. A file describes its structs, with the
/// names and types of their fields; so files of any version, precision and pointer size can be read. Bullet's own
/// importer trusts the lengths, counts and pointers in a file. Here each of them is checked.
#ifndef CLT_WORLD_BULLET_FILE_H
#define CLT_WORLD_BULLET_FILE_H

#include "file_types.h"

#include <unordered_map>

namespace cullet::demo
{

/// An array of structs.
struct StoredBlock
{
    int code;              ///< such as BT_RIGIDBODY_CODE
    std::uint64_t address; ///< in the program that wrote the file; pointers in the file hold it
    int structIndex;       ///< negative for text
    std::size_t count;
    std::size_t offset; ///< of the data, in the file
    std::size_t bytes;
};

class BulletFile;

/// A struct in a file, which must outlive it. All functions throw BulletFileError if there is no such field or element.
class StoredStruct
{
public:
    StoredStruct( const BulletFile& file, std::size_t type, std::size_t offset )
        : m_file( &file ), m_type( type ), m_offset( offset )
    {
    }

    bool has( const char* field ) const;

    /// A number, or an element of an array of numbers. Never a NaN or infinite.
    double number( const char* field, std::size_t index = 0 ) const;

    /// 0 if there is no such field: versions of Bullet have added some.
    double numberIfAny( const char* field ) const;

    StoredStruct member( const char* field, std::size_t index = 0 ) const;

    /// The address that a pointer holds; 0 for NULL.
    std::uint64_t address( const char* pointer ) const;

    /// An element of the array that a pointer refers to.
    StoredStruct target( const char* pointer, std::size_t index = 0 ) const;

private:
    const StoredField& field( const char* name, std::size_t index ) const;

    const BulletFile* m_file;
    std::size_t m_type;
    std::size_t m_offset;
};

class BulletFile
{
public:
    /// \param bytes  the contents of a file. Throws BulletFileError if they are no complete file
    explicit BulletFile( std::string bytes );

    const std::vector<StoredBlock>& blocks() const
    {
        return m_blocks;
    }

    /// Throws BulletFileError if the block does not have this many structs.
    StoredStruct element( const StoredBlock& block, std::size_t index = 0 ) const;

    /// NULL if no block has this address.
    const StoredBlock* blockAt( std::uint64_t address ) const;

private:
    friend class StoredStruct;

    void readBlocks();
    void checkBlocks();

    std::string m_bytes;
    std::size_t m_pointerBytes = 0;
    FileTypes m_types;
    std::vector<StoredBlock> m_blocks;
    std::unordered_map<std::uint64_t, std::size_t> m_blockAt; ///< index of the block, by address
};

/// Throws BulletFileError.
BulletFile readBulletFile( const std::string& path );

} // namespace cullet::demo

#endif
