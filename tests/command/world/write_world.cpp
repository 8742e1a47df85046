// SPDX-License-Identifier: Zlib
/// \file write_world.cpp
/// Writes a world into a .bullet file: write_world FILE BOXES [BYTES]. With a third argument the file is cut off.
#include "sample_world.h"

#include <cstdlib>
#include <filesystem>

int main( int count, char** arguments )
{
    if ( count < 3 )
    {
        return 2;
    }
    SampleWorld( std::atoi( arguments[2] ) ).write( arguments[1] );
    if ( count > 3 )
    {
        std::filesystem::resize_file( arguments[1], std::uintmax_t( std::atol( arguments[3] ) ) );
    }
    return 0;
}
