// SPDX-License-Identifier: Zlib
// Files that claim far more than they hold, or put as much as possible into few bytes. Whatever they claim, their
// reader allocates no more than bridge/promises.md promises: a multiple of the file's size, and a fixed part.
#include "demos/mesh/mesh_file.h"
#include "demos/recording/packed_record_file.h"
#include "demos/recording/recording_reader.h"
#include "demos/run/elf_file.h"
#include "tests/files/allocated.h"
#include "tests/files/elf_image.h"
#include "tests/fuzz/memory_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>

using namespace test;

namespace
{

/// What promises.md promises.
struct Bound
{
    std::size_t times;
    std::size_t fixedBytes;
};

constexpr Bound meshBound = { 64, 1 << 16 };
constexpr Bound elfBound = { 128, 1 << 16 };
constexpr Bound recordingBound = { 8000, 16 << 20 };

using Reader = std::function<void( const std::string& path )>;

/// \return whether the reader accepted the file
bool expectBounded( const Bound& bound, const std::string& file, const Reader& read )
{
    const MemoryFile memory( file.data(), file.size() );
    const std::string path = memory.path();
    const std::size_t before = allocatedBytes();
    bool isAccepted = true;
    restartPeak();
    try
    {
        read( path );
    }
    catch ( const std::runtime_error& )
    {
        isAccepted = false;
    }
    EXPECT_LE( peakBytes() - before, bound.times * file.size() + bound.fixedBytes ) << file.size() << " bytes";
    return isAccepted;
}

std::string repeated( const std::string& text, std::size_t count )
{
    std::string result;
    for ( std::size_t i = 0; i < count; ++i )
    {
        result += text;
    }
    return result;
}

// -------------------------------------------------------------------------------------------------------------- meshes

/// Numbers of items just above a power of two: an array that doubles its capacity then has the most to spare.
constexpr std::size_t counts[] = { 1, 4097, 131073 };

bool obj( const std::string& text )
{
    return expectBounded( meshBound, text,
                          []( const std::string& path )
                          {
                              std::ifstream in( path, std::ios::binary );
                              cullet::mesh::readObj( in );
                          } );
}

const std::string head = "ply\nformat binary_little_endian 1.0\n";
const std::string vertex = "element vertex 1\nproperty char x\nproperty char y\nproperty char z\n";
const std::string point( 3, '\0' );

bool ply( const std::string& text )
{
    return expectBounded( meshBound, text,
                          []( const std::string& path )
                          {
                              std::ifstream in( path, std::ios::binary );
                              cullet::mesh::readPly( in );
                          } );
}

std::string faces( const std::string& count, const std::string& countType )
{
    return head + vertex + "element face " + count + "\nproperty list " + countType +
           " uchar vertex_index\nend_header\n" + point;
}

std::string littleEndian( std::size_t number )
{
    std::string bytes;
    for ( int shift = 0; shift < 32; shift += 8 )
    {
        bytes += char( number >> shift );
    }
    return bytes;
}

} // namespace

TEST( HostileMeshes, ClaimMoreThanTheyHold )
{
    const std::string most = "18446744073709551615";
    EXPECT_FALSE( obj( "v 0 0 0\nf 1 2147483647 2147483648\n" ) );
    EXPECT_FALSE( ply( head + "element vertex " + most +
                       "\nproperty char x\nproperty char y\nproperty char z\n"
                       "end_header\n" +
                       point ) );
    EXPECT_FALSE( ply( faces( most, "uint" ) + "\xff\xff\xff\xff" ) );
    EXPECT_FALSE( ply( faces( "1", "double" ) + "\xff\xff\xff\xff\xff\xff\xef\x7f" ) );
    EXPECT_FALSE( ply( "ply\nformat ascii 1.0\n" + vertex +
                       "element face 1\nproperty list uint uint vertex_index\n"
                       "end_header\n0 0 0\n4294967295 0 0 0\n" ) );
    EXPECT_TRUE( ply( head + "element nothing " + most + "\nend_header\n" ) ); // an element without properties
}

TEST( HostileMeshes, HoldAsMuchAsTheyCan )
{
    for ( const std::size_t count : counts )
    {
        obj( repeated( "v 0 0 0\n", count ) );
        obj( "v 0 0 0\n" + repeated( "f 1 1 1\n", count ) );
        obj( "v 0 0 0\nf 1 1" + repeated( " 1", count ) );
        obj( "v 0 0 0\nf 1 1" + repeated( " 1", count ) + " 9" );
        obj( std::string( count, ' ' ) );
        obj( repeated( "\\\n", count ) );
        obj( "v " + std::string( count, '1' ) );
        ply( head + repeated( "element a 0\n", count ) );
        ply( head + "element a 1\n" + repeated( "property int a\n", count ) );
        ply( head + vertex + "end_header\n" + point );
        EXPECT_TRUE( ply( faces( std::to_string( count ), "uchar" ) + repeated( '\3' + point, count ) ) );
        EXPECT_TRUE( ply( faces( std::to_string( count ), "uchar" ) +
                          repeated( '\xff' + std::string( 255, '\0' ), count / 253 + 1 ) ) ||
                     count > 1 );
        EXPECT_TRUE( ply( faces( "1", "uint" ) + littleEndian( count + 2 ) + std::string( count + 2, '\0' ) ) );
    }
}

// ---------------------------------------------------------------------------------------------------------- recordings

namespace
{

/// Blocks of `createCount` creations of equal proxies, three bytes each before compression.
std::string forgedRecording( int blockCount )
{
    const std::string path = testing::TempDir() + "cullet-hostile-" + std::to_string( getpid() );
    cullet::recording::PackedRecordFile file( path );
    const std::string create = { CULLET_EVENT_CREATE | CULLET_EVENT_SAME, 0, 0 };
    const std::string block = repeated( create, CULLET_RECORD_BLOCK_BYTES / create.size() );
    EXPECT_TRUE( file.begin( 4 ) );
    for ( int i = 0; i < blockCount; ++i )
    {
        EXPECT_TRUE(
            file.writeBlock( reinterpret_cast<const unsigned char*>( block.data() ), std::uint32_t( block.size() ) ) );
    }
    EXPECT_TRUE( file.end( std::uint64_t( blockCount ) * block.size() / create.size() ) );
    std::ifstream in( path, std::ios::binary );
    const std::string bytes( std::istreambuf_iterator<char>( in ), {} );
    std::remove( path.c_str() );
    return bytes;
}

bool recording( const std::string& bytes )
{
    return expectBounded( recordingBound, bytes,
                          []( const std::string& path )
                          {
                              cullet::recording::Event event;
                              for ( cullet::recording::RecordingReader reader( path ); reader.next( event ); )
                              {
                              }
                          } );
}

} // namespace

TEST( HostileRecordings, CreateFarMoreProxiesThanTheyHaveBytes )
{
    for ( const int blockCount : { 1, 4, 60 } )
    {
        EXPECT_FALSE( recording( forgedRecording( blockCount ) ) );
    }
}

/// Sizes in frames are checked before checksums, so these need none.
TEST( HostileRecordings, ClaimBlocksLargerThanAny )
{
    const std::string whole = forgedRecording( 1 );
    for ( std::size_t at = CULLET_RECORD_HEADER_BYTES; at < 2 * CULLET_RECORD_HEADER_BYTES; ++at )
    {
        std::string damaged = whole;
        damaged[at] = '\xff';
        EXPECT_FALSE( recording( damaged ) ) << at;
    }
}

// ------------------------------------------------------------------------------------------------------------ programs

namespace
{

bool elf( const std::string& bytes )
{
    return expectBounded( elfBound, bytes, []( const std::string& path ) { cullet::run::readElf( path ); } );
}

constexpr unsigned char byteOrders[] = { ELFDATA2LSB, ELFDATA2MSB };

Elf64_Dyn entry( Elf64_Sxword tag, std::size_t value )
{
    Elf64_Dyn result = {};
    result.d_tag = tag;
    result.d_un.d_val = value;
    return result;
}

} // namespace

TEST( HostilePrograms, ClaimMoreSectionsThanTheyHold )
{
    for ( const unsigned char byteOrder : byteOrders )
    {
        ElfImage few( byteOrder );
        EXPECT_TRUE( elf( few.bytes() ) );
        few.header.e_shnum = SHN_LORESERVE - 1;
        EXPECT_FALSE( elf( few.bytes() ) );
        for ( const Elf64_Xword count : { Elf64_Xword( 1 ) << 18, Elf64_Xword( 1 ) << 26, ~Elf64_Xword( 0 ) } )
        {
            ElfImage many( byteOrder );
            many.sections[0].sh_size = count;
            elf( many.bytes() );
        }
        ElfImage segments( byteOrder );
        segments.header.e_phoff = sizeof( Elf64_Ehdr );
        segments.header.e_phnum = PN_XNUM;
        segments.sections[0].sh_info = UINT32_MAX;
        elf( segments.bytes() );
    }
}

/// libelf copies sections of the other byte order.
TEST( HostilePrograms, HaveSectionsThatOverlap )
{
    for ( const unsigned char byteOrder : byteOrders )
    {
        ElfImage image( byteOrder );
        image.add( SHT_SYMTAB, std::string( 2731 * sizeof( Elf64_Sym ), '\0' ), 0, sizeof( Elf64_Sym ) );
        EXPECT_TRUE( elf( image.bytes() ) );
        for ( int i = 0; i < 2000; ++i )
        {
            image.sections.push_back( image.sections[1] );
        }
        EXPECT_FALSE( elf( image.bytes() ) );
    }
    ElfImage many;
    many.sections.resize( 60000 );
    EXPECT_TRUE( elf( many.bytes() ) );
}

TEST( HostilePrograms, NameManyLibrariesAndFolders )
{
    for ( const unsigned char byteOrder : byteOrders )
    {
        for ( const char* folders : { ":", "$ORIGIN:", "/x:" } )
        {
            ElfImage image( byteOrder );
            const unsigned names = image.add( SHT_STRTAB, std::string( 1, '\0' ) + repeated( folders, 65537 ) + '\0' );
            image.addDynamic( { entry( DT_RUNPATH, 1 ), entry( DT_NULL, 0 ) }, names );
            elf( image.bytes() );
            image.addDynamic( std::vector<Elf64_Dyn>( 300, entry( DT_RUNPATH, 1 ) ), names );
            EXPECT_FALSE( elf( image.bytes() ) );
            image.sections.pop_back();
            image.addDynamic( std::vector<Elf64_Dyn>( 300, entry( DT_NEEDED, 1 ) ), names );
            EXPECT_FALSE( elf( image.bytes() ) );
        }
        ElfImage empty( byteOrder );
        const unsigned names = empty.add( SHT_STRTAB, std::string( 2, '\0' ) );
        empty.addDynamic( std::vector<Elf64_Dyn>( 60000, entry( DT_NEEDED, 1 ) ), names );
        EXPECT_TRUE( elf( empty.bytes() ) );
    }
}

TEST( HostilePrograms, HaveCompressedNames )
{
    for ( const unsigned char byteOrder : byteOrders )
    {
        ElfImage image( byteOrder );
        std::string content( sizeof( Elf64_Chdr ), '\0' ); // compressed from 0x7f7f7f7f7f7f7f7f bytes
        content.replace( 8, 8, std::string( 8, '\x7f' ) );
        content[byteOrder == ELFDATA2LSB ? 0 : 3] = ELFCOMPRESS_ZLIB;
        const unsigned names = image.add( SHT_STRTAB, content );
        image.sections[names].sh_flags = SHF_COMPRESSED;
        image.addDynamic( { entry( DT_NEEDED, 100000 ), entry( DT_NULL, 0 ) }, names );
        EXPECT_TRUE( elf( image.bytes() ) );
    }
}
