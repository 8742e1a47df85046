// SPDX-License-Identifier: Zlib
/// \file reach.h
/// How cullet could get into a program, as far as its files tell.
#ifndef CLT_RUN_REACH_H
#define CLT_RUN_REACH_H

#include <string>
#include <vector>

namespace cullet::run
{

enum class Reach
{
    dynamic,      ///< it links a Bullet whose functions the loader can exchange
    boundLocally, ///< a library has Bullet inside, and calls it without asking the loader
    inside,       ///< the program has Bullet inside
    onDemand,     ///< no Bullet is linked: it may still be loaded later
    never,        ///< nor can be: no loader starts it
    unknown,      ///< it may be run, but not be read
    script        ///< no ELF file, but one that names an interpreter
};

struct Finding
{
    Reach reach = Reach::onDemand;
    std::string program;               ///< the file
    std::string interpreter;           ///< of a script
    std::string bullet;                ///< the file that has Bullet's broadphases; empty if none was found
    std::string precision;             ///< "single", "double" or "unknown"
    std::vector<std::string> chain;    ///< from the program to that file, each needed by the one before
    std::vector<std::string> notFound; ///< libraries that are needed and were not found
    bool isLibrary = false;            ///< others load it
    bool makesBroadphase = false;      ///< something other than Bullet constructs one by name
};

/// The file that a shell would run for this word. Throws std::runtime_error if there is none.
std::string findProgram( const std::string& word );

/// Reads the program and what it needs. Throws std::runtime_error if it cannot be read.
Finding examine( const std::string& program );

} // namespace cullet::run

#endif
