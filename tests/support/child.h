// SPDX-License-Identifier: Zlib
/// \file child.h
/// Runs part of a test in a forked child process.
#ifndef CLT_TESTS_CHILD_H
#define CLT_TESTS_CHILD_H

#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test
{

/// Runs `childFunction` in a forked child and expects it to return 0. Other values, all above 1, tell which check
/// failed.
inline void runInChild( const std::function<int()>& childFunction )
{
    const pid_t child = fork();
    ASSERT_GE( child, 0 );
    if ( child == 0 )
    {
        alarm( 60 ); // a blocked child is a failure, not a hang
        const int wrong = childFunction();
        _exit( testing::Test::HasFailure() ? 1 : wrong );
    }
    int status = -1;
    ASSERT_EQ( child, waitpid( child, &status, 0 ) );
    ASSERT_TRUE( WIFEXITED( status ) );
    EXPECT_EQ( 0, WEXITSTATUS( status ) ) << "1: failed expectations, more: as the child says";
}

} // namespace test

#endif
