// SPDX-License-Identifier: Zlib
// The input is a file that `cullet doctor` looks into.
#include "demos/run/elf_file.h"
#include "tests/fuzz/memory_file.h"

#include <cstdint>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    const test::MemoryFile file( data, size );
    try
    {
        cullet::run::readElf( file.path() );
    }
    catch ( const std::runtime_error& )
    {
    }
    return 0;
}
