// SPDX-License-Identifier: Zlib
/// \file machine.h
/// Where a measurement was taken and by which build: without it a number in a table means nothing.
#ifndef CLT_REPORT_MACHINE_H
#define CLT_REPORT_MACHINE_H

#include <string>

namespace cullet::compare
{

struct Machine
{
    std::string date; ///< today, by UTC
    std::string processor;
    unsigned processorCount; ///< that this process may use
    double memoryGib;
    std::string system;   ///< kernel and architecture
    std::string compiler; ///< name, version and build type
    std::string bullet;   ///< version and precision
    std::string commit;   ///< of the checkout when it was configured, or "unknown"
};

Machine describeMachine();

/// Processor, count and memory, short enough for the title of a picture.
std::string machineLine( const Machine& machine );

/// All of it, in three lines above a table.
std::string machineText( const Machine& machine );

/// "float" or "double": what Bullet was compiled for.
const char* bulletPrecision();

} // namespace cullet::compare

#endif
