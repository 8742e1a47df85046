// SPDX-License-Identifier: Zlib
/// \file reach.h
/// Finds out from a program's files how cullet could take over its broadphases, and says so.
#ifndef CLT_RUN_REACH_H
#define CLT_RUN_REACH_H

#include <string>
#include <vector>

namespace cullet::run
{

enum class Reach
{
    dynamic,      ///< links a Bullet with functions that the loader can replace
    boundLocally, ///< a library contains Bullet and calls it directly
    inside,       ///< the program contains Bullet
    onDemand,     ///< links no Bullet, but may load one later
    never,        ///< statically linked without Bullet
    unknown,      ///< cannot be read, only run
    script        ///< a text file that names an interpreter
};

struct Finding
{
    Reach reach = Reach::onDemand;
    std::string program;               ///< the file
    std::string interpreter;           ///< for scripts
    std::string bullet;                ///< the file that contains Bullet's broadphases; empty if none was found
    std::string cullet;                ///< the name that shows that a file uses cullet, and the file; else empty
    std::string precision;             ///< "single", "double" or "unknown"
    std::vector<std::string> chain;    ///< files from the program to `bullet`; each depends on the next
    std::vector<std::string> notFound; ///< required libraries that were not found
    bool isLibrary = false;            ///< `program` is a library
    bool makesBroadphase = false;      ///< a file other than Bullet calls a constructor of a broadphase
};

/// The file that a shell would run for this word. Throws std::runtime_error if there is no such file.
std::string findProgram( const std::string& word );

/// Reads the program and the libraries that it depends on. Throws std::runtime_error if the program cannot be read.
Finding examine( const std::string& program );

/// Several lines: the finding, and how to use cullet with this program.
std::string advice( const Finding& finding );

/// One line without a newline if `cullet run` has no effect; else empty.
std::string warning( const Finding& finding );

} // namespace cullet::run

#endif
