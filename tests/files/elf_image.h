// SPDX-License-Identifier: Zlib
/// \file elf_image.h
/// Makes ELF files that claim anything.
#ifndef CLT_TESTS_ELF_IMAGE_H
#define CLT_TESTS_ELF_IMAGE_H

#include <cstring>
#include <gelf.h>
#include <string>
#include <vector>

namespace test
{

/// A library of 64 bits: its header, contents, and the section headers, of which the first is empty.
struct ElfImage
{
    explicit ElfImage( unsigned char byteOrder = ELFDATA2LSB ) : header(), sections( 1 )
    {
        std::memcpy( header.e_ident, ELFMAG, SELFMAG );
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = byteOrder;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = ET_DYN;
        header.e_version = EV_CURRENT;
        header.e_ehsize = sizeof( Elf64_Ehdr );
        header.e_phentsize = sizeof( Elf64_Phdr );
        header.e_shentsize = sizeof( Elf64_Shdr );
    }

    /// Adds a section. \return its number
    unsigned add( unsigned type, const std::string& content, unsigned link = 0, std::size_t entrySize = 0 )
    {
        Elf64_Shdr section = {};
        section.sh_type = type;
        section.sh_link = link;
        section.sh_entsize = entrySize;
        section.sh_offset = sizeof( Elf64_Ehdr ) + contents.size();
        section.sh_size = content.size();
        sections.push_back( section );
        contents += content;
        contents.resize( ( contents.size() + 7 ) / 8 * 8 ); // headers are aligned
        return unsigned( sections.size() - 1 );
    }

    /// \param entries  of the dynamic section; its names are in the section `link`
    unsigned addDynamic( std::vector<Elf64_Dyn> entries, unsigned link )
    {
        return add( SHT_DYNAMIC, inFile( entries.data(), entries.size() * sizeof( Elf64_Dyn ), ELF_T_DYN ), link,
                    sizeof( Elf64_Dyn ) );
    }

    /// The file. What e_shoff and e_shnum are 0 in, they become right in.
    std::string bytes() const
    {
        Elf64_Ehdr whole = header;
        whole.e_shoff = sizeof( Elf64_Ehdr ) + contents.size();
        whole.e_shnum =
            header.e_shnum != 0 || sections[0].sh_size != 0 ? header.e_shnum : Elf64_Half( sections.size() );
        return inFile( &whole, sizeof( whole ), ELF_T_EHDR ) + contents +
               inFile( sections.data(), sections.size() * sizeof( Elf64_Shdr ), ELF_T_SHDR );
    }

    Elf64_Ehdr header;
    std::string contents;
    std::vector<Elf64_Shdr> sections;

private:
    /// Structs in the byte order of the file.
    std::string inFile( const void* structs, std::size_t size, Elf_Type type ) const
    {
        std::string result( size, '\0' );
        Elf_Data from = {}, to = {};
        from.d_buf = const_cast<void*>( structs );
        from.d_type = type;
        from.d_version = EV_CURRENT;
        from.d_size = size;
        to = from;
        to.d_buf = &result[0];
        elf_version( EV_CURRENT );
        elf64_xlatetof( &to, &from, header.e_ident[EI_DATA] );
        return result;
    }
};

} // namespace test

#endif
