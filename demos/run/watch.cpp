// SPDX-License-Identifier: Zlib
#include "watch.h"

#include "plugin/preload/CulletPreload.h"
#include "plugin/preload/CulletReport.h"

#include <fmt/format.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace cullet::run
{
namespace
{

pid_t program; ///< constant while a handler can run

/// The terminal sends its signals to the program, too; a process may have sent one to this process alone.
void passOn( int signal, siginfo_t* info, void* )
{
    if ( info->si_code <= 0 ) // from a process
    {
        kill( program, signal );
    }
}

void say( const char* format, ... )
{
    char text[1280];
    va_list arguments;
    va_start( arguments, format );
    std::vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    fmt::print( stderr, "cullet: {}\n", text );
}

/// Creates the file CULLET_REPORT.
/// \param path  receives its path
CulletReport* createReports( std::string& path )
{
    const std::size_t size = CulletReport::SHARED_COUNT * sizeof( CulletReport );
    path = ( std::filesystem::temp_directory_path() / "cullet-report-XXXXXX" ).string();
    const int file = mkostemp( path.data(), O_CLOEXEC );
    // Reserves the space, because writing to memory without it would kill the program.
    const bool isReserved = file >= 0 && posix_fallocate( file, 0, off_t( size ) ) == 0;
    void* reports = isReserved ? mmap( nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0 ) : MAP_FAILED;
    if ( reports == MAP_FAILED )
    {
        unlink( path.c_str() );
        throw std::runtime_error( fmt::format( "'{}' cannot be written", path ) );
    }
    setenv( "CULLET_REPORT", path.c_str(), 1 );
    return static_cast<CulletReport*>( reports );
}

std::string describeEnd( pid_t process, const siginfo_t& end )
{
    if ( process != program )
    {
        return fmt::format( "process {} of the program has not ended by exit", process );
    }
    return end.si_code == CLD_EXITED
               ? fmt::format( "the program ended by _exit or exec, with exit code {}", end.si_status )
               : fmt::format( "the program died of signal {}, {}", end.si_status, strsignal( end.si_status ) );
}

/// \return whether all reports are without errors
bool printReports( const CulletReport* reports, const siginfo_t& end )
{
    bool isRight = true;
    for ( int i = 0; i < CulletReport::SHARED_COUNT && reports[i].m_process != 0; ++i )
    {
        isRight = isRight && reports[i].m_wrong == 0;
        if ( !reports[i].m_isPrinted && reports[i].hasContent() )
        {
            say( "%s", describeEnd( reports[i].m_process, end ).c_str() );
            reports[i].print( say );
        }
    }
    return isRight;
}

[[noreturn]] void endLike( const siginfo_t& end )
{
    if ( end.si_code != CLD_EXITED )
    {
        prctl( PR_SET_DUMPABLE, 0 ); // a core file is the program's
        std::signal( end.si_status, SIG_DFL );
        std::raise( end.si_status );
    }
    std::_Exit( end.si_status );
}

} // namespace

void forkAndWatch()
{
    std::string path;
    const CulletReport* reports = createReports( path );
    const int passed[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };
    sigset_t blocked;
    sigset_t unblocked;
    sigemptyset( &blocked );
    for ( const int signal : passed )
    {
        sigaddset( &blocked, signal );
    }
    sigprocmask( SIG_BLOCK, &blocked, &unblocked );
    program = fork();
    if ( program < 0 )
    {
        throw std::runtime_error( fmt::format( "no process for the program: {}", std::strerror( errno ) ) );
    }
    if ( program == 0 )
    {
        prctl( PR_SET_PDEATHSIG, SIGKILL ); // kill -9 of this command must end the program
        sigprocmask( SIG_SETMASK, &unblocked, nullptr );
        return;
    }
    struct sigaction action = {};
    action.sa_sigaction = passOn;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for ( const int signal : passed )
    {
        sigaction( signal, &action, nullptr );
    }
    sigprocmask( SIG_SETMASK, &unblocked, nullptr );
    siginfo_t end;
    waitid( P_PID, program, &end, WEXITED | WNOWAIT ); // keeps the process id, so that no other process gets a signal
    unlink( path.c_str() );
    if ( !printReports( reports, end ) )
    {
        std::_Exit( CULLET_EXIT_WRONG );
    }
    endLike( end );
}

} // namespace cullet::run
