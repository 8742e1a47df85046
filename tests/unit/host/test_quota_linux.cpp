// SPDX-License-Identifier: Zlib
// The number of processors that a control group and all enclosing groups allow, in cgroup versions 1 and 2.
#include "gpu/platform/quota.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{

/// A file to write below the test's folder, and the quota that is expected afterwards.
struct Step
{
    std::string name;
    std::string text;
    int expected;
};

/// Files as in the kernel's cgroup file system. Each scenario begins without files.
const std::vector<std::vector<Step>> scenarios = {
    { { "groups", "0::/a/b\n", CLT_NO_QUOTA }, { "mount/a/b/cpu.max", "", CLT_NO_QUOTA } },
    // fractions of a processor are rounded up
    { { "groups", "0::/a\n", CLT_NO_QUOTA },
      { "mount/a/cpu.max", "max 100000\n", CLT_NO_QUOTA },
      { "mount/a/cpu.max", "100000 100000\n", 1 },
      { "mount/a/cpu.max", "100001 100000\n", 2 },
      { "mount/a/cpu.max", "1000 100000\n", 1 },
      { "mount/a/cpu.max", "400000 50000\n", 8 },
      { "mount/a/cpu.max", "-1 100000\n", CLT_NO_QUOTA },
      { "mount/a/cpu.max", "5 0\n", CLT_NO_QUOTA },
      { "mount/a/cpu.max", "99999999999999 1\n", CLT_NO_QUOTA },
      { "mount/a/cpu.max", "200000", CLT_NO_QUOTA } },
    // the smallest of all enclosing groups; the root of a container has a quota, too
    { { "groups", "0::/a/b/c\n", CLT_NO_QUOTA },
      { "mount/a/b/c/cpu.max", "800000 100000\n", 8 },
      { "mount/a/cpu.max", "300000 100000\n", 3 },
      { "mount/a/b/cpu.max", "max 100000\n", 3 },
      { "mount/cpu.max", "200000 100000\n", 2 } },
    // version 1
    { { "groups", "12:pids:/other\n4:cpuset,cpu,cpuacct:/a/b\n2:cpuacct2:/x\n1:name=systemd:/a\n0::/a\n",
        CLT_NO_QUOTA },
      { "mount/cpu/a/b/cpu.cfs_quota_us", "250000\n", CLT_NO_QUOTA },
      { "mount/cpu/a/b/cpu.cfs_period_us", "100000\n", 3 },
      { "mount/cpu/a/cpu.cfs_quota_us", "-1\n", 3 },
      { "mount/cpu/a/cpu.cfs_period_us", "100000\n", 3 },
      { "mount/cpu/cpu.cfs_quota_us", "100000\n", 3 },
      { "mount/cpu/cpu.cfs_period_us", "100000\n", 1 } },
    // in a container, the group's path may be a path on the host, of which only the root exists in the container
    { { "groups", "3:cpu,cpuacct:/docker/0123456789abcdef\n", CLT_NO_QUOTA },
      { "mount/cpu/cpu.cfs_quota_us", "200000\n", CLT_NO_QUOTA },
      { "mount/cpu/cpu.cfs_period_us", "100000\n", 2 } },
    // malformed files, and a group that does not exist
    { { "mount/cpu.max", "200000 100000\n", CLT_NO_QUOTA },
      { "groups", "\n\n", CLT_NO_QUOTA },
      { "groups", "0:", CLT_NO_QUOTA },
      { "groups", "cpu", CLT_NO_QUOTA },
      { "groups", "7:cpu", CLT_NO_QUOTA },
      { "groups", "1:c,cp,cpus,,:/a", CLT_NO_QUOTA },
      { "groups", ":", CLT_NO_QUOTA },
      { "groups", "0::", 2 },
      { "groups", ":::::", 2 },
      { "groups", "::x", 2 },
      { "groups", "0::/" + std::string( 9000, 'a' ) + "\n", CLT_NO_QUOTA },
      { "groups", "0::/\n", 2 } } };

} // namespace

TEST( Quota, IsTheSmallestOfAllEnclosingGroups )
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ( "cullet_quota_" + std::to_string( getpid() ) );
    const std::filesystem::path mount = folder / "mount";
    for ( const std::vector<Step>& scenario : scenarios )
    {
        std::filesystem::remove_all( folder );
        EXPECT_EQ( CLT_NO_QUOTA, cltQuota_Processors( ( folder / "groups" ).c_str(), mount.c_str() ) );
        for ( const Step& step : scenario )
        {
            std::filesystem::create_directories( ( folder / step.name ).parent_path() );
            std::ofstream( folder / step.name ) << step.text;
            EXPECT_EQ( step.expected, cltQuota_Processors( ( folder / "groups" ).c_str(), mount.c_str() ) )
                << step.name << ": " << step.text;
        }
    }
    std::filesystem::remove_all( folder );
}
