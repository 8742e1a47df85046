// SPDX-License-Identifier: Zlib
/// \file child.cpp
/// The child writes one text into a pipe: '=' and the result, or '!' and an error message.
#include "child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <system_error>

namespace cullet::command
{

namespace
{

/// Sends the result of `work`. Ends with _exit, so that the parent's atexit functions do not run in the child.
[[noreturn]] void sendResult( int pipe, const std::function<std::string()>& work )
{
    std::string text;
    try
    {
        text = "=" + work();
    }
    catch ( const std::exception& error )
    {
        text = std::string( "!" ) + error.what();
    }
    const ssize_t written = write( pipe, text.data(), text.size() );
    _exit( written == ssize_t( text.size() ) ? 0 : 1 );
}

} // namespace

std::string runInChild( const std::function<std::string()>& work )
{
    int ends[2];
    const pid_t child = pipe( ends ) == 0 ? fork() : -1;
    if ( child < 0 )
    {
        throw std::system_error( errno, std::generic_category(), "a child process" );
    }
    if ( child == 0 )
    {
        sendResult( ends[1], work );
    }
    close( ends[1] );
    std::string text;
    char part[256];
    for ( ssize_t count; ( count = read( ends[0], part, sizeof part ) ) > 0; )
    {
        text.append( part, std::size_t( count ) );
    }
    close( ends[0] );
    waitpid( child, nullptr, 0 );
    if ( text.empty() || text[0] == '!' )
    {
        throw std::runtime_error( text.empty() ? "its process died" : text.substr( 1 ) );
    }
    return text.substr( 1 );
}

} // namespace cullet::command
