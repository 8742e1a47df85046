// SPDX-License-Identifier: Zlib
/// \file windows.cpp
/// system.h for Windows.
#include "system.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <io.h>
#include <windows.h>

namespace cullet::system
{

// ----------------------------------------------------------------------------------------------------------- processes

static std::filesystem::path programPath()
{
    std::wstring path( MAX_PATH, L'\0' );
    DWORD length = 0;
    while ( ( length = GetModuleFileNameW( nullptr, path.data(), DWORD( path.size() ) ) ) == path.size() )
    {
        path.resize( 2 * path.size() ); // the path was cut
    }
    path.resize( length );
    return path;
}

/// Windows cannot replace a process, so this one waits. Passes the command line itself, because argv has lost its
/// quotes.
void becomeProgram( const std::string& name, char** )
{
    const std::filesystem::path path = programPath().replace_filename( name + ".exe" );
    STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    PROCESS_INFORMATION process{};
    const bool inheritsHandles = true; // so that it writes where this program would
    if ( !CreateProcessW( path.c_str(), GetCommandLineW(), nullptr, nullptr, inheritsHandles, 0, nullptr, nullptr,
                          &startup, &process ) )
    {
        throw std::system_error( int( GetLastError() ), std::system_category(), path.string() );
    }
    DWORD exitCode = EXIT_FAILURE;
    WaitForSingleObject( process.hProcess, INFINITE );
    GetExitCodeProcess( process.hProcess, &exitCode );
    std::exit( int( exitCode ) );
}

std::string runInChild( const std::function<std::string()>& work )
{
    return work();
}

bool isInstalled( const std::string& program )
{
    return SearchPathA( nullptr, program.c_str(), ".exe", 0, nullptr, nullptr ) > 0;
}

bool runWithInput( const std::string& program, const std::string& text )
{
    std::FILE* pipe = _popen( program.c_str(), "w" );
    if ( pipe == nullptr )
    {
        throw std::runtime_error( program + " could not be started" );
    }
    const bool isWritten = std::fwrite( text.data(), 1, text.size(), pipe ) == text.size();
    return _pclose( pipe ) == 0 && isWritten;
}

// -------------------------------------------------------------------------------------------------------- measurements

static double millisecondsOf( const FILETIME& time )
{
    const double ticks = double( time.dwHighDateTime ) * 4294967296.0 + double( time.dwLowDateTime );
    return ticks * 1e-4; // a tick is 100 ns
}

double processorMs()
{
    FILETIME created{};
    FILETIME exited{};
    FILETIME kernel{};
    FILETIME user{};
    GetProcessTimes( GetCurrentProcess(), &created, &exited, &kernel, &user );
    return millisecondsOf( kernel ) + millisecondsOf( user );
}

bool canMeasurePeak()
{
    return false;
}

double peakRiseMib( const std::function<void()>& )
{
    throw std::logic_error( "peak memory is measured on Linux only" );
}

// --------------------------------------------------------------------------------------------------- output and facts

void writeUnixLines()
{
    _setmode( _fileno( stdout ), _O_BINARY );
}

std::size_t terminalWidth()
{
    constexpr std::size_t usualWidth = 80;
    CONSOLE_SCREEN_BUFFER_INFO info{};
    if ( !_isatty( _fileno( stderr ) ) )
    {
        return 0;
    }
    const bool isConsole = GetConsoleScreenBufferInfo( GetStdHandle( STD_ERROR_HANDLE ), &info ) != 0;
    return isConsole ? std::size_t( info.srWindow.Right - info.srWindow.Left + 1 ) : usualWidth;
}

/// A text in the registry's folder of this machine.
static std::string registryText( const char* key, const char* name )
{
    char text[256];
    DWORD size = sizeof text;
    const bool isRead =
        RegGetValueA( HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, nullptr, text, &size ) == ERROR_SUCCESS;
    return isRead ? text : "unknown";
}

std::string processorName()
{
    return registryText( R"(HARDWARE\DESCRIPTION\System\CentralProcessor\0)", "ProcessorNameString" );
}

std::string systemName()
{
    const char* key = R"(SOFTWARE\Microsoft\Windows NT\CurrentVersion)";
    const char* architecture = std::getenv( "PROCESSOR_ARCHITECTURE" );
    return registryText( key, "ProductName" ) + " " + registryText( key, "CurrentBuild" ) + " " +
           ( architecture ? architecture : "unknown" );
}

double installedGib()
{
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx( &status ) ? double( status.ullTotalPhys ) / double( 1u << 30 ) : 0;
}

} // namespace cullet::system
