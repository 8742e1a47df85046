// SPDX-License-Identifier: Zlib
/// \file memory_file.h
/// A file in memory, for readers that open a path.
#ifndef CLT_TESTS_MEMORY_FILE_H
#define CLT_TESTS_MEMORY_FILE_H

#include <cstddef>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace test
{

class MemoryFile
{
public:
    MemoryFile( const void* data, std::size_t size ) : m_file( memfd_create( "fuzz", MFD_CLOEXEC ) )
    {
        if ( m_file < 0 || write( m_file, data, size ) != ssize_t( size ) )
        {
            std::abort();
        }
    }

    ~MemoryFile()
    {
        close( m_file );
    }

    MemoryFile( const MemoryFile& ) = delete;
    MemoryFile& operator=( const MemoryFile& ) = delete;

    std::string path() const
    {
        return "/proc/self/fd/" + std::to_string( m_file );
    }

private:
    int m_file;
};

} // namespace test

#endif
