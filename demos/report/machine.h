// SPDX-License-Identifier: Zlib
/// \file machine.h
/// The machine and the build that a measurement was made with.
#ifndef CLT_REPORT_MACHINE_H
#define CLT_REPORT_MACHINE_H

#include <string>

namespace cullet::compare
{

struct Machine
{
    std::string date; ///< today in UTC
    std::string processor;
    unsigned processorCount; ///< processors that this process may use
    double memoryGib;
    std::string system;   ///< kernel and architecture
    std::string compiler; ///< name, version and build type
    std::string bullet;   ///< version and precision
    std::string commit;   ///< of the checkout when CMake ran, or "unknown"
};

Machine describeMachine();

/// Processor, number of processors and memory, for the title of a picture.
std::string machineLine( const Machine& machine );

/// The first two lines of a picture: the machine, and the build.
std::string pictureHeading();

/// All fields, in three lines above a table.
std::string machineText( const Machine& machine );

/// Bullet's precision: "float" or "double".
const char* bulletPrecision();

} // namespace cullet::compare

#endif
