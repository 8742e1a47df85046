// SPDX-License-Identifier: Zlib
/// \file elf_file.h
/// The headers and symbols of a program or library, read by libelf, which supports every class and byte order.
#ifndef CLT_RUN_ELF_FILE_H
#define CLT_RUN_ELF_FILE_H

#include <string>
#include <vector>

namespace cullet::run
{

struct ElfFile
{
    std::string path;
    int machine = 0; ///< EM_… of elf.h; machine and class decide which libraries can be linked
    int wordClass = 0;
    bool isDynamic = false;               ///< has a dynamic section
    bool isProgram = false;               ///< false: a library
    bool namesLoader = false;             ///< has a PT_INTERP segment; statically linked programs have none
    bool bindsLocally = false;            ///< -Bsymbolic: its calls to its own functions cannot be replaced
    std::vector<std::string> needed;      ///< names of libraries
    std::vector<std::string> searchPaths; ///< DT_RPATH and DT_RUNPATH, $ORIGIN replaced
    std::string cullet;                   ///< the name in this file that shows that it uses cullet; else empty
    bool mentionsBullet = false;          ///< contains the type name of a broadphase
    bool definesBroadphase = false;       ///< contains a constructor of btDbvtBroadphase, perhaps as a local symbol
    bool exportsBroadphase = false;       ///< the loader sees that constructor
    bool constructsBroadphase = false;    ///< calls a constructor of a broadphase that another file must define
    bool isSingle = false;                ///< defines functions of Bullet in single precision
    bool isDouble = false;
};

/// Throws std::runtime_error if the file does not exist or is no ELF file.
ElfFile readElf( const std::string& path );

/// The paths in a list that colons separate; an empty path is the current folder.
std::vector<std::string> splitPaths( const std::string& text );

/// Whether the file exists and begins like an ELF file.
bool isElf( const std::string& path );

} // namespace cullet::run

#endif
