// SPDX-License-Identifier: Zlib
// The number of processors that a control group grants: its own quota and those of all enclosing groups, in cgroup
// versions 1 and 2.
#include "gpu/platform/quota.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace
{

/// Files as in the kernel's cgroup file system, in a folder of the test.
class Quota : public testing::Test
{
protected:
    Quota()
    {
        std::filesystem::create_directories( m_mount );
    }

    ~Quota() override
    {
        std::filesystem::remove_all( m_folder );
    }

    void write( const std::string& name, const std::string& text )
    {
        const std::filesystem::path path = m_folder / name;
        std::filesystem::create_directories( path.parent_path() );
        std::ofstream( path ) << text;
    }

    int processors()
    {
        return cltQuota_Processors( ( m_folder / "groups" ).c_str(), m_mount.c_str() );
    }

private:
    std::filesystem::path m_folder =
        std::filesystem::temp_directory_path() / ( "cullet_quota_" + std::to_string( getpid() ) );
    std::filesystem::path m_mount = m_folder / "mount";
};

} // namespace

TEST_F( Quota, IsNoneWithoutFiles )
{
    EXPECT_EQ( CLT_NO_QUOTA, processors() );
    write( "groups", "0::/a/b\n" );
    EXPECT_EQ( CLT_NO_QUOTA, processors() );
    write( "mount/a/b/cpu.max", "" );
    EXPECT_EQ( CLT_NO_QUOTA, processors() );
}

TEST_F( Quota, IsRoundedUp )
{
    write( "groups", "0::/a\n" );
    const std::pair<const char*, int> cases[] = {
        { "max 100000\n", CLT_NO_QUOTA }, { "100000 100000\n", 1 },  { "100001 100000\n", 2 },
        { "150000 100000\n", 2 },         { "1000 100000\n", 1 },    { "400000 50000\n", 8 },
        { "-1 100000\n", CLT_NO_QUOTA },  { "5 0\n", CLT_NO_QUOTA }, { "99999999999999 1\n", CLT_NO_QUOTA },
        { "200000", CLT_NO_QUOTA },
    };
    for ( const auto& [text, expected] : cases )
    {
        write( "mount/a/cpu.max", text );
        EXPECT_EQ( expected, processors() ) << text;
    }
}

TEST_F( Quota, IsTheSmallestOfAllEnclosingGroups )
{
    write( "groups", "0::/a/b/c\n" );
    write( "mount/a/b/c/cpu.max", "800000 100000\n" );
    EXPECT_EQ( 8, processors() );
    write( "mount/a/cpu.max", "300000 100000\n" );
    EXPECT_EQ( 3, processors() );
    write( "mount/a/b/cpu.max", "max 100000\n" );
    EXPECT_EQ( 3, processors() );
    write( "mount/cpu.max", "200000 100000\n" );
    EXPECT_EQ( 2, processors() ) << "the root of a container has one, too";
}

TEST_F( Quota, IsReadFromVersion1 )
{
    write( "groups", "12:pids:/other\n4:cpuset,cpu,cpuacct:/a/b\n2:cpuacct2:/x\n1:name=systemd:/a\n0::/a\n" );
    EXPECT_EQ( CLT_NO_QUOTA, processors() );
    write( "mount/cpu/a/b/cpu.cfs_quota_us", "250000\n" );
    EXPECT_EQ( CLT_NO_QUOTA, processors() ) << "without a period";
    write( "mount/cpu/a/b/cpu.cfs_period_us", "100000\n" );
    EXPECT_EQ( 3, processors() );
    write( "mount/cpu/a/cpu.cfs_quota_us", "-1\n" );
    write( "mount/cpu/a/cpu.cfs_period_us", "100000\n" );
    EXPECT_EQ( 3, processors() );
    write( "mount/cpu/cpu.cfs_quota_us", "100000\n" );
    write( "mount/cpu/cpu.cfs_period_us", "100000\n" );
    EXPECT_EQ( 1, processors() );
}

/// In a container, the group's path may be a path on the host. Only the root of that path exists.
TEST_F( Quota, IsReadFromTheRootIfTheGroupIsMissing )
{
    write( "groups", "3:cpu,cpuacct:/docker/0123456789abcdef\n" );
    write( "mount/cpu/cpu.cfs_quota_us", "200000\n" );
    write( "mount/cpu/cpu.cfs_period_us", "100000\n" );
    EXPECT_EQ( 2, processors() );
}

TEST_F( Quota, IsNoneForMalformedFiles )
{
    write( "mount/cpu.max", "200000 100000\n" );
    for ( const char* text : { "\n\n", "0:", "cpu", "7:cpu", "1:c,cp,cpus,,:/a", ":" } )
    {
        write( "groups", text );
        EXPECT_EQ( CLT_NO_QUOTA, processors() ) << text;
    }
    for ( const char* text : { "0::", ":::::", "::x" } ) // version 2, and a group that does not exist
    {
        write( "groups", text );
        EXPECT_EQ( 2, processors() ) << text;
    }
    write( "groups", "0::/" + std::string( 9000, 'a' ) + "\n" );
    EXPECT_EQ( CLT_NO_QUOTA, processors() );
    write( "groups", "0::/\n" );
    EXPECT_EQ( 2, processors() );
}
