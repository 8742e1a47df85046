// SPDX-License-Identifier: Zlib
/// \file machine.cpp
/// CMake defines facts about the build (CULLET_…) for this file.
#include "machine.h"

#include "demos/system/system.h"

#include "LinearMath/btScalar.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <thread>

namespace cullet::compare
{

const char* bulletPrecision()
{
    return sizeof( btScalar ) == sizeof( double ) ? "double" : "float";
}

Machine describeMachine()
{
    return { fmt::format( "{:%F}", fmt::gmtime( std::time( nullptr ) ) ),
             system::processorName(),
             std::thread::hardware_concurrency(),
             system::installedGib(),
             system::systemName(),
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
