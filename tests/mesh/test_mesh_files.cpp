// SPDX-License-Identifier: Zlib
// Readers of mesh files: they read valid files, and either read or refuse files with any other content.
#include "demos/mesh/mesh_file.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace test;
using cullet::mesh::DamagedFile;
using cullet::mesh::Mesh;

namespace
{

using Reader = Mesh ( * )( std::istream& );

const char* const objText =
    "\xef\xbb\xbfv 0 0 0\nv 1 0 0 # a corner\nv 1 1 \\\n0\nv 0 1 2\r\nf 1 2 3 4 # all\nf -1/2 -2//3 -3/1/2";
const char* const plyText = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty double y\n"
                            "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
                            "0 0 0\n1 0 0\n1 1 0\n0 1 2\n4 0 1 2 3\n3 3 2 1\n";

std::string binaryPly( bool isBig )
{
    std::string text = std::string( "ply\nformat " ) + ( isBig ? "binary_big_endian" : "binary_little_endian" ) +
                       " 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty short z\n"
                       "element face 1\nproperty list uchar uint vertex_index\nend_header\n";
    const auto put = [&]( std::uint64_t bits, int size )
    {
        for ( int i = 0; i < size; ++i )
        {
            text += static_cast<char>( bits >> ( 8 * ( isBig ? size - 1 - i : i ) ) );
        }
    };
    for ( std::uint64_t vertex = 0; vertex < 3; ++vertex )
    {
        put( 0x3f800000u, 4 );                 // 1
        put( 0xc0000000u, 4 );                 // -2
        put( std::uint64_t( 0 ) - vertex, 2 ); // 0, -1, -2
    }
    put( 3, 1 );
    for ( std::uint64_t vertex = 0; vertex < 3; ++vertex )
    {
        put( vertex, 4 );
    }
    return text;
}

Mesh readText( Reader reader, const std::string& text )
{
    std::istringstream in( text );
    return reader( in );
}

void expectValid( const Mesh& mesh )
{
    ASSERT_EQ( 0u, mesh.vertices.size() % 3 );
    ASSERT_EQ( 0u, mesh.triangles.size() % 3 );
    for ( std::uint32_t corner : mesh.triangles )
    {
        ASSERT_LT( corner, mesh.vertexCount() );
    }
    ASSERT_TRUE(
        std::all_of( mesh.vertices.begin(), mesh.vertices.end(), []( float x ) { return std::isfinite( x ); } ) );
}

/// Changes, omits and repeats bytes of `text`, and inserts words that are special in the formats.
std::string damage( Random& random, std::string text )
{
    const std::string words[] = { "-1", "1e40", "4294967295", "nan", "\n", " ", "list", "v", "f", "99999999999", "\r" };
    for ( std::uint64_t i = random.below( 4 ) + 1; i > 0 && !text.empty(); --i )
    {
        const std::size_t place = random.below( text.size() );
        switch ( random.below( 4 ) )
        {
        case 0:
            text[place] = static_cast<char>( random.below( 256 ) );
            break;
        case 1:
            text.erase( place, random.below( 9 ) );
            break;
        case 2:
            text.insert( place, words[random.below( 11 )] );
            break;
        default:
            text.insert( place, text.substr( random.below( text.size() ), random.below( 20 ) ) );
            break;
        }
    }
    return text;
}

void expectDamagedFilesAreSafe( Reader reader, const std::string& text, std::uint64_t seed )
{
    Random random( seed );
    const std::uint64_t count = soakCount( 20000 );
    std::uint64_t refused = 0;
    for ( std::uint64_t i = 0; i < count; ++i )
    {
        try
        {
            ASSERT_NO_FATAL_FAILURE( expectValid( readText( reader, damage( random, text ) ) ) );
        }
        catch ( const DamagedFile& )
        {
            ++refused;
        }
    }
    EXPECT_GT( refused, count / 10 );
    EXPECT_LT( refused, count );
}

} // namespace

TEST( MeshFiles, BothFormatsGiveTheSameMesh )
{
    const std::vector<std::uint32_t> triangles = { 0, 1, 2, 0, 2, 3, 3, 2, 1 };
    for ( const Mesh& mesh :
          { readText( cullet::mesh::readObj, objText ), readText( cullet::mesh::readPly, plyText ) } )
    {
        EXPECT_EQ( triangles, mesh.triangles );
        ASSERT_EQ( 4u, mesh.vertexCount() );
        EXPECT_EQ( 1.0f, mesh.vertices[6] );
        EXPECT_EQ( 2.0f, mesh.vertices[11] );
    }
}

TEST( MeshFiles, ReadBinaryInBothByteOrders )
{
    for ( bool isBig : { false, true } )
    {
        const Mesh mesh = readText( cullet::mesh::readPly, binaryPly( isBig ) );
        const std::vector<float> vertices = { 1, -2, 0, 1, -2, -1, 1, -2, -2 };
        EXPECT_EQ( vertices, mesh.vertices );
        EXPECT_EQ( ( std::vector<std::uint32_t>{ 0, 1, 2 } ), mesh.triangles );
    }
}

TEST( MeshFiles, MalformedFilesAreRefusedSafely )
{
    expectDamagedFilesAreSafe( cullet::mesh::readObj, objText, 1 );
    expectDamagedFilesAreSafe( cullet::mesh::readPly, plyText, 2 );
    expectDamagedFilesAreSafe( cullet::mesh::readPly, binaryPly( false ), 3 );
}
