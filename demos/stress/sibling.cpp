// SPDX-License-Identifier: Zlib
/// \file sibling.cpp
/// Linux: /proc says where this program lies and what it was called with.
#include "sibling.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace cullet::stress
{

namespace
{

std::vector<std::string> ownArguments()
{
    std::ifstream file( "/proc/self/cmdline" );
    std::vector<std::string> arguments;
    for ( std::string argument; std::getline( file, argument, '\0' ); )
    {
        arguments.push_back( argument );
    }
    return arguments;
}

} // namespace

void becomeProgramFor( const std::string& precision )
{
    const char* name = precision == "double" ? "cullet-float64" : "cullet";
    const std::string path = std::filesystem::read_symlink( "/proc/self/exe" ).replace_filename( name );
    std::vector<std::string> arguments = ownArguments();
    std::vector<char*> pointers;
    for ( std::string& argument : arguments )
    {
        pointers.push_back( argument.data() );
    }
    pointers.push_back( nullptr );
    execv( path.c_str(), pointers.data() );
    throw std::runtime_error(
        fmt::format( "for --precision {} it needs the program {}, which is built where Bullet has "
                     "that precision: {}",
                     precision, path, std::strerror( errno ) ) );
}

} // namespace cullet::stress
