// SPDX-License-Identifier: Zlib
/// \file posix.cpp
/// system.h for POSIX. Tested on Linux only.
#include "system.h"

#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#if defined( __linux__ )
#include <malloc.h>
#elif defined( __APPLE__ )
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#endif

namespace cullet::system
{

// ----------------------------------------------------------------------------------------------------------- processes

static std::filesystem::path programPath()
{
#if defined( __APPLE__ )
    char path[4096];
    std::uint32_t size = sizeof path;
    if ( _NSGetExecutablePath( path, &size ) != 0 )
    {
        throw std::runtime_error( "the path of this program is too long" );
    }
    return path;
#else
    return std::filesystem::read_symlink( "/proc/self/exe" );
#endif
}

void becomeProgram( const std::string& name, char** arguments )
{
    const std::string path = programPath().replace_filename( name );
    execv( path.c_str(), arguments );
    throw std::system_error( errno, std::generic_category(), path );
}

/// Sends the result of `work` as one text: '=' and the result, or '!' and an error message. Ends with _exit, so that
/// the parent's atexit functions do not run in the child.
[[noreturn]] static void sendResult( int pipe, const std::function<std::string()>& work )
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

bool isInstalled( const std::string& program )
{
    return std::system( ( "command -v " + program + " >/dev/null 2>&1" ).c_str() ) == 0;
}

bool runWithInput( const std::string& program, const std::string& text )
{
    std::FILE* pipe = popen( program.c_str(), "w" );
    if ( pipe == nullptr )
    {
        throw std::runtime_error( program + " could not be started" );
    }
    const bool isWritten = std::fwrite( text.data(), 1, text.size(), pipe ) == text.size();
    return pclose( pipe ) == 0 && isWritten;
}

// -------------------------------------------------------------------------------------------------------- measurements

double processorMs()
{
    timespec now{};
    clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &now );
    return double( now.tv_sec ) * 1e3 + double( now.tv_nsec ) * 1e-6;
}

#if defined( __linux__ )

/// A field of /proc/self/status in MiB.
static double statusMib( const std::string& field )
{
    std::ifstream status( "/proc/self/status" );
    for ( std::string name; status >> name; status.ignore( 4096, '\n' ) )
    {
        double kib = 0;
        if ( name == field && status >> kib )
        {
            return kib / 1024;
        }
    }
    throw std::runtime_error( "/proc/self/status has no " + field );
}

bool canMeasurePeak()
{
    return true;
}

double peakRiseMib( const std::function<void()>& work )
{
    malloc_trim( 0 );                                // returns freed memory to the system
    std::ofstream( "/proc/self/clear_refs" ) << "5"; // resets VmHWM, the highest value so far, to the current one
    const double before = statusMib( "VmRSS:" );
    work();
    return statusMib( "VmHWM:" ) - before;
}

#else

bool canMeasurePeak()
{
    return false;
}

double peakRiseMib( const std::function<void()>& )
{
    throw std::logic_error( "peak memory is measured on Linux only" );
}

#endif

// --------------------------------------------------------------------------------------------------- output and facts

void writeUnixLines()
{
}

std::size_t terminalWidth()
{
    constexpr std::size_t usualWidth = 80;
    winsize size{};
    if ( isatty( STDERR_FILENO ) != 1 )
    {
        return 0;
    }
    return ioctl( STDERR_FILENO, TIOCGWINSZ, &size ) == 0 && size.ws_col > 0 ? size.ws_col : usualWidth;
}

std::string processorName()
{
#if defined( __APPLE__ )
    char name[256];
    std::size_t size = sizeof name;
    if ( sysctlbyname( "machdep.cpu.brand_string", name, &size, nullptr, 0 ) == 0 )
    {
        return name;
    }
#else
    std::ifstream file( "/proc/cpuinfo" );
    for ( std::string line; std::getline( file, line ); )
    {
        const std::size_t colon = line.find( ": " );
        if ( line.rfind( "model name", 0 ) == 0 && colon != std::string::npos )
        {
            return line.substr( colon + 2 );
        }
    }
#endif
    return "unknown processor";
}

std::string systemName()
{
    utsname names{};
    return uname( &names ) == 0 ? std::string( names.sysname ) + " " + names.release + " " + names.machine : "unknown";
}

double installedGib()
{
    return double( sysconf( _SC_PHYS_PAGES ) ) * double( sysconf( _SC_PAGESIZE ) ) / double( 1u << 30 );
}

} // namespace cullet::system
