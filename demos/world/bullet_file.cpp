// SPDX-License-Identifier: Zlib
/// \file bullet_file.cpp
/// A file has a header of 12 bytes, such as "BULLETf-v324": f or d for float or double, - or _ for pointers of 8 or 4
/// bytes, v or V for the order of bytes, and Bullet's version. Blocks follow it:
///
///     code 4 | bytes of data 4 | address 4 or 8 | index of the struct 4 | count 4 | data
///
/// The data of the last block, DNA1, describe the structs.
#include "bullet_file.h"

#include "LinearMath/btSerializer.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace cullet::demo
{

static constexpr std::size_t headerBytes = 12;

// ------------------------------------------------------------------------------------------------------------- structs

/// The field, which has an element of this index.
const StoredField& StoredStruct::field( const char* name, std::size_t index ) const
{
    const StoredType& type = m_file->m_types.all[m_type];
    const auto found = type.fields.find( name );
    if ( found == type.fields.end() || index >= found->second.count )
    {
        refuseDamaged( type.name + " has no " + name );
    }
    return found->second;
}

bool StoredStruct::has( const char* field ) const
{
    const StoredType& type = m_file->m_types.all[m_type];
    return type.fields.find( field ) != type.fields.end();
}

double StoredStruct::number( const char* name, std::size_t index ) const
{
    const StoredField& found = field( name, index );
    const double value =
        loadNumber( found.number, m_file->m_bytes.data() + m_offset + found.offset + index * found.bytes );
    if ( !std::isfinite( value ) )
    {
        refuseDamaged( std::string( name ) + " is not finite" );
    }
    return value;
}

double StoredStruct::numberIfAny( const char* name ) const
{
    return has( name ) ? number( name ) : 0;
}

StoredStruct StoredStruct::member( const char* name, std::size_t index ) const
{
    const StoredField& found = field( name, index );
    demandSound( !found.isPointer, "a struct is a pointer" );
    return { *m_file, found.type, m_offset + found.offset + index * found.bytes };
}

std::uint64_t StoredStruct::address( const char* pointer ) const
{
    const StoredField& found = field( pointer, 0 );
    demandSound( found.isPointer, "a pointer is a number" );
    const std::size_t offset = m_offset + found.offset;
    return Cursor( m_file->m_bytes, offset, offset + found.bytes ).readPointer( found.bytes );
}

StoredStruct StoredStruct::target( const char* pointer, std::size_t index ) const
{
    const StoredBlock* block = m_file->blockAt( address( pointer ) );
    if ( block == nullptr )
    {
        refuseDamaged( std::string( pointer ) + " refers to nothing" );
    }
    return m_file->element( *block, index );
}

// --------------------------------------------------------------------------------------------------------------- files

BulletFile::BulletFile( std::string bytes ) : m_bytes( std::move( bytes ) )
{
    demand( m_bytes.compare( 0, 6, "BULLET" ) == 0, "is not a file of Bullet" );
    demand( m_bytes.size() >= headerBytes, "is cut off" );
    demand( m_bytes[8] == 'v', "has its bytes in the order of another processor" );
    m_pointerBytes = m_bytes[7] == '-' ? 8 : 4;
    readBlocks();
    checkBlocks();
}

StoredStruct BulletFile::element( const StoredBlock& block, std::size_t index ) const
{
    demandSound( index < block.count, "a list is shorter than its count" );
    const std::size_t type = m_types.structs[std::size_t( block.structIndex )];
    return { *this, type, block.offset + index * m_types.all[type].bytes };
}

const StoredBlock* BulletFile::blockAt( std::uint64_t address ) const
{
    const auto found = m_blockAt.find( address );
    return found == m_blockAt.end() ? nullptr : &m_blocks[found->second];
}

void BulletFile::readBlocks()
{
    Cursor cursor( m_bytes, headerBytes, m_bytes.size() );
    for ( ;; )
    {
        StoredBlock block;
        block.code = cursor.read<std::int32_t>();
        block.bytes = cursor.read<std::uint32_t>();
        block.address = cursor.readPointer( m_pointerBytes );
        block.structIndex = cursor.read<std::int32_t>();
        block.count = cursor.read<std::uint32_t>();
        block.offset = cursor.take( block.bytes );
        if ( block.code == BT_DNA_CODE )
        {
            m_types = readTypes( Cursor( m_bytes, block.offset, block.offset + block.bytes ), m_pointerBytes );
            return;
        }
        m_blockAt.emplace( block.address, m_blocks.size() );
        m_blocks.push_back( block );
    }
}

void BulletFile::checkBlocks()
{
    for ( StoredBlock& block : m_blocks )
    {
        demandSound( block.structIndex < int( m_types.structs.size() ), "a block has no type" );
        const std::size_t each =
            block.structIndex < 0 ? 0 : m_types.all[m_types.structs[std::size_t( block.structIndex )]].bytes;
        block.count = each == 0 ? 0 : block.count;
        demandSound( block.count == 0 || block.count <= block.bytes / each, "a block is too short" );
    }
}

BulletFile readBulletFile( const std::string& path )
{
    const std::filesystem::path file = std::filesystem::u8path( path );
    std::ifstream in( file, std::ios::binary );
    demand( in.is_open() && !std::filesystem::is_directory( file ), "cannot be read" );
    return BulletFile( std::string( std::istreambuf_iterator<char>( in ), {} ) );
}

} // namespace cullet::demo
