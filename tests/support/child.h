// SPDX-License-Identifier: Zlib
/// \file child.h
/// Tests in forked children.
#ifndef CLT_TESTS_CHILD_H
#define CLT_TESTS_CHILD_H

#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test
{

/// Runs `play` in a forked child and expects it to return 0. Another value, above 1, says what failed.
inline void playInChild( const std::function<int()>& play )
{
    const pid_t child = fork();
    ASSERT_GE( child, 0 );
    if ( child == 0 )
    {
        alarm( 60 ); // a blocked child is a failure, not a hang
        const int wrong = play();
        _exit( testing::Test::HasFailure() ? 1 : wrong );
    }
    int status = -1;
    ASSERT_EQ( child, waitpid( child, &status, 0 ) );
    ASSERT_TRUE( WIFEXITED( status ) );
    EXPECT_EQ( 0, WEXITSTATUS( status ) ) << "1: failed expectations, more: as the child says";
}

} // namespace test

#endif
