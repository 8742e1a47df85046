// SPDX-License-Identifier: Zlib
// No damaged file is taken for a good one: cut off anywhere, any byte changed, anything behind the end; and no file
// whose checksums are right but whose events are forged does harm.
#include "recorded.h"

#include "plugin/recorder/CulletChecksum.h"
#include "plugin/recorder/CulletRecordFile.h"
#include "tests/support/random.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <xxhash.h>

using namespace test;

class RecordFile : public testing::TestWithParam<bool>
{
public:
    RecordFile() : m_path( temporaryPath() )
    {
        recordLittle( m_path, GetParam() );
        m_bytes = readFile( m_path );
    }

    ~RecordFile() override
    {
        std::remove( m_path.c_str() );
    }

    std::string m_path;
    Bytes m_bytes;
};

INSTANTIATE_TEST_SUITE_P(, RecordFile, testing::Bool() );

TEST_P( RecordFile, CutAnywhereIsRefused )
{
    EXPECT_FALSE( isRefused( m_path, m_bytes ) );
    for ( size_t size = 0; size < m_bytes.size(); ++size )
    {
        EXPECT_TRUE( isRefused( m_path, Bytes( m_bytes.begin(), m_bytes.begin() + std::ptrdiff_t( size ) ) ) ) << size;
    }
}

TEST_P( RecordFile, AnyFlippedBitIsRefused )
{
    for ( size_t bit = 0; bit < 8 * m_bytes.size(); ++bit )
    {
        Bytes flipped = m_bytes;
        flipped[bit / 8] ^= (unsigned char)( 1 << bit % 8 );
        EXPECT_TRUE( isRefused( m_path, flipped ) ) << bit;
    }
}

TEST_P( RecordFile, AnythingBehindTheEndIsRefused )
{
    m_bytes.push_back( 0 );
    EXPECT_TRUE( isRefused( m_path, m_bytes ) );
}

/// Random events under right checksums: refused or read, under the sanitizers without a complaint.
TEST( ForgedEvents, DoNoHarm )
{
    const std::string path = temporaryPath();
    Random random( 77 );
    int refused = 0;
    for ( int round = 0; round < 600; ++round )
    {
        Bytes block( 1 + random.below( 200 ) );
        for ( unsigned char& byte : block )
        {
            byte = (unsigned char)( random.below( 3 ) == 0 ? random.below( 256 ) : random.below( 64 ) );
        }
        {
            CulletRecordFile file( path.c_str() );
            ASSERT_TRUE( file.begin( 4 ) && file.writeBlock( block.data(), uint32_t( block.size() ) ) &&
                         file.end( 1 ) );
        }
        refused += isRefused( path, readFile( path ) );
    }
    std::remove( path.c_str() );
    EXPECT_GT( refused, 300 );
}

TEST( Checksum, IsThatOfTheLibrary )
{
    Bytes bytes;
    for ( int size = 0; size < 200; ++size )
    {
        const auto seed = uint64_t( size ) * 0x9e3779b97f4a7c15u;
        EXPECT_EQ( XXH64( bytes.data(), bytes.size(), seed ), CulletChecksum::of( bytes.data(), bytes.size(), seed ) );
        bytes.push_back( (unsigned char)( 37 * size ) );
    }
}
