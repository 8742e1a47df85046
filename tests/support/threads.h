// SPDX-License-Identifier: Zlib
/// \file threads.h
/// Counts the threads of this process.
#ifndef CLT_TESTS_THREADS_H
#define CLT_TESTS_THREADS_H

#include <cstddef>
#include <filesystem>

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

} // namespace test

#endif
