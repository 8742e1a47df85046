// SPDX-License-Identifier: Zlib
/// \file elf_file.h
/// What a program or library says of itself, read by libelf, which copes with every class and byte order that there is.
/// Nothing is run.
#ifndef CLT_RUN_ELF_FILE_H
#define CLT_RUN_ELF_FILE_H

#include <string>
#include <vector>

namespace cullet::run
{

struct ElfFile
{
    std::string path;
    int machine = 0; ///< EM_… of elf.h, as the class: what it can be linked with
    int wordClass = 0;
    bool isDynamic = false;               ///< the loader has something to do
    bool isProgram = false;               ///< else a library
    bool namesLoader = false;             ///< what else is a program is linked statically
    bool bindsLocally = false;            ///< -Bsymbolic: its own calls never leave it
    std::vector<std::string> needed;      ///< names of libraries
    std::vector<std::string> searchPaths; ///< DT_RPATH and DT_RUNPATH, $ORIGIN replaced
    std::vector<std::string> defined;     ///< symbols that begin with what was asked for, the static ones too
    std::vector<std::string> exported;    ///< of these, those that the loader sees
    std::vector<std::string> wanted;      ///< and those that it is to find elsewhere
    bool mentionsBullet = false; ///< names of Bullet's broadphases among the constants, as run-time types leave
};

/// Throws std::runtime_error if there is no such file, or it is no ELF file.
ElfFile readElf( const std::string& path );

/// The file is there and begins as an ELF file does.
bool isElf( const std::string& path );

} // namespace cullet::run

#endif
