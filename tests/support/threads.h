// SPDX-License-Identifier: Zlib
/// \file threads.h
/// Whether there are threads, and how many this process has.
#ifndef CLT_TESTS_THREADS_H
#define CLT_TESTS_THREADS_H

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>

#if defined( _WIN32 )
#include <windows.h>

#include <tlhelp32.h>
#else
#include <filesystem>
#endif

namespace test
{

/// False if this build cannot start threads.
#if defined( __EMSCRIPTEN__ ) && !defined( __EMSCRIPTEN_PTHREADS__ )
constexpr bool hasThreads = false;
#else
constexpr bool hasThreads = true;
#endif

#if defined( _WIN32 )

inline std::size_t countThreads()
{
    const HANDLE all = CreateToolhelp32Snapshot( TH32CS_SNAPTHREAD, 0 );
    THREADENTRY32 entry = {};
    entry.dwSize = sizeof entry;
    std::size_t count = 0;
    for ( BOOL found = Thread32First( all, &entry ); found; found = Thread32Next( all, &entry ) )
    {
        count += entry.th32OwnerProcessID == GetCurrentProcessId();
    }
    CloseHandle( all );
    return count;
}

#elif defined( __EMSCRIPTEN__ )

/// Always 0, because emscripten keeps workers for later threads. Such a system tests less.
inline std::size_t countThreads()
{
    return 0;
}

#else

/// Always 0 on systems without /proc, which therefore test less.
inline std::size_t countThreads()
{
    std::size_t count = 0;
    std::error_code error;
    for ( const auto& entry : std::filesystem::directory_iterator( "/proc/self/task", error ) )
    {
        count += entry.is_directory();
    }
    return count;
}

#endif

/// The threads before a test starts its own. A joined thread may stay listed for a moment, so the lowest count of a
/// tenth of a second is taken; and a sanitizer may start a thread of its own with the first one.
inline std::size_t countIdleThreads()
{
    std::thread( [] {} ).join();
    std::size_t lowest = countThreads();
    for ( int wait = 0; wait < 10; ++wait )
    {
        std::this_thread::sleep_for( std::chrono::milliseconds( 10 ) );
        lowest = std::min( lowest, countThreads() );
    }
    return lowest;
}

/// Waits until the process has `count` threads: see above. Returns the last count.
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
