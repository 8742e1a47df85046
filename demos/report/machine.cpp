// SPDX-License-Identifier: Zlib
/// \file machine.cpp
/// Reads facts about the machine from the system. CMake defines facts about the build (CULLET_…) for this file.
#include "machine.h"

#include "LinearMath/btScalar.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <thread>

namespace cullet::compare
{

namespace
{

std::string processorName()
{
    std::ifstream file( "/proc/cpuinfo" );
    for ( std::string line; std::getline( file, line ); )
    {
        const std::size_t colon = line.find( ": " );
        if ( line.rfind( "model name", 0 ) == 0 && colon != std::string::npos )
        {
            return line.substr( colon + 2 );
        }
    }
    return "unknown processor";
}

std::string systemName()
{
    utsname names{};
    return uname( &names ) == 0 ? fmt::format( "{} {} {}", names.sysname, names.release, names.machine ) : "unknown";
}

double installedGib()
{
    return double( sysconf( _SC_PHYS_PAGES ) ) * double( sysconf( _SC_PAGESIZE ) ) / double( 1u << 30 );
}

} // namespace

const char* bulletPrecision()
{
    return sizeof( btScalar ) == sizeof( double ) ? "double" : "float";
}

Machine describeMachine()
{
    return { fmt::format( "{:%F}", fmt::gmtime( std::time( nullptr ) ) ),
             processorName(),
             std::thread::hardware_concurrency(),
             installedGib(),
             systemName(),
             CULLET_COMPILER " " CULLET_BUILD_TYPE,
             fmt::format( "{}.{} {}", btGetVersion() / 100, btGetVersion() % 100, bulletPrecision() ),
             CULLET_COMMIT };
}

std::string machineLine( const Machine& machine )
{
    return fmt::format( "{}, {} processors, {:.0f} GiB", machine.processor, machine.processorCount, machine.memoryGib );
}

/// gnuplot interprets \n only between double quotes.
std::string pictureHeading()
{
    const Machine machine = describeMachine();
    return fmt::format( "{}\\ncullet {}, Bullet {}, {}\\n", machineLine( machine ), machine.commit, machine.bullet,
                        machine.compiler );
}

std::string machineText( const Machine& machine )
{
    return fmt::format( "{}\n{}\nBullet {}, {}, commit {}, {}\n", machineLine( machine ), machine.system,
                        machine.bullet, machine.compiler, machine.commit, machine.date );
}

} // namespace cullet::compare
