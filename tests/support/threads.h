// SPDX-License-Identifier: Zlib
/// \file threads.h
/// Counts the threads of this process.
#ifndef CLT_TESTS_THREADS_H
#define CLT_TESTS_THREADS_H

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <thread>

namespace test
{

inline std::size_t countThreads()
{
    std::size_t count = 0;
    for ( const auto& entry : std::filesystem::directory_iterator( "/proc/self/task" ) )
    {
        count += entry.is_directory();
    }
    return count;
}

/// Waits until the process has `count` threads: a joined thread may stay listed for a moment. Returns the last count.
inline std::size_t awaitThreadCount( std::size_t count )
{
    for ( int wait = 0; wait < 200 && countThreads() != count; ++wait )
    {
        std::this_thread::sleep_for( std::chrono::milliseconds( 10 ) );
    }
    return countThreads();
}

} // namespace test

#endif
