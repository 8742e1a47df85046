// SPDX-License-Identifier: Zlib
/// \file elf_file.cpp
/// Reads the section headers through libelf. Linkers write them, and stripped files keep those that the loader uses.
#include "elf_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace cullet::run
{
namespace
{

/// Functions of the broadphases, and two with argument types that show the precision.
constexpr const char* symbolPrefixes[] = { "_ZN16btDbvtBroadphase", "_ZN12btAxisSweep3C", "_ZN17bt32BitAxisSweep3C",
                                           "_ZN18btStaticPlaneShapeC1E",
                                           "_ZN23btDiscreteDynamicsWorld14stepSimulation" };

class Reader
{
public:
    explicit Reader( const std::string& path ) : m_file( open( path.c_str(), O_RDONLY | O_CLOEXEC ) )
    {
        elf_version( EV_CURRENT );
        m_elf.reset( m_file >= 0 ? elf_begin( m_file, ELF_C_READ_MMAP, nullptr ) : nullptr );
        if ( !m_elf || elf_kind( m_elf.get() ) != ELF_K_ELF )
        {
            close();
            throw std::runtime_error( fmt::format( "'{}' is no program or library", path ) );
        }
        m_result.path = path;
    }

    ~Reader()
    {
        m_elf.reset();
        close();
    }

    Reader( const Reader& ) = delete;
    Reader& operator=( const Reader& ) = delete;

    ElfFile read()
    {
        GElf_Ehdr header;
        if ( !gelf_getehdr( m_elf.get(), &header ) || !isComplete( header ) )
        {
            throw std::runtime_error( fmt::format( "'{}' is damaged: it ends too early", m_result.path ) );
        }
        m_result.machine = header.e_machine;
        m_result.wordClass = gelf_getclass( m_elf.get() );
        m_result.isProgram = header.e_type == ET_EXEC || namesLoader();
        m_result.namesLoader = namesLoader();
        Elf_Scn* section = nullptr;
        while ( ( section = elf_nextscn( m_elf.get(), section ) ) )
        {
            GElf_Shdr head;
            Elf_Data* data = gelf_getshdr( section, &head ) ? elf_getdata( section, nullptr ) : nullptr;
            if ( data && head.sh_type != SHT_NOBITS )
            {
                readSection( head, *data );
            }
        }
        return m_result;
    }

private:
    struct End
    {
        void operator()( Elf* elf ) const
        {
            elf_end( elf );
        }
    };

    void close()
    {
        if ( m_file >= 0 )
        {
            ::close( m_file );
        }
    }

    /// The section header table is at the end of the file, so a truncated file does not contain it.
    bool isComplete( const GElf_Ehdr& header )
    {
        std::size_t size = 0;
        return elf_rawfile( m_elf.get(), &size ) &&
               header.e_shoff + std::size_t( header.e_shnum ) * header.e_shentsize <= size;
    }

    bool namesLoader()
    {
        std::size_t count = 0;
        GElf_Phdr segment;
        bool isNamed = false;
        elf_getphdrnum( m_elf.get(), &count );
        for ( int i = 0; i < int( count ) && gelf_getphdr( m_elf.get(), i, &segment ); ++i )
        {
            isNamed = isNamed || segment.p_type == PT_INTERP;
        }
        return isNamed;
    }

    void readSection( const GElf_Shdr& head, Elf_Data& data )
    {
        if ( head.sh_type == SHT_DYNAMIC )
        {
            m_result.isDynamic = true;
            readDynamic( head, data );
        }
        else if ( head.sh_type == SHT_DYNSYM || head.sh_type == SHT_SYMTAB )
        {
            readSymbols( head, data );
        }
        else if ( head.sh_type == SHT_PROGBITS && ( head.sh_flags & SHF_ALLOC ) && !( head.sh_flags & SHF_EXECINSTR ) )
        {
            const char name[] = "16btDbvtBroadphase"; // with the zero after it: a type name
            const char* begin = static_cast<const char*>( data.d_buf );
            m_result.mentionsBullet =
                m_result.mentionsBullet ||
                std::search( begin, begin + data.d_size, name, name + sizeof( name ) ) != begin + data.d_size;
        }
    }

    void readDynamic( const GElf_Shdr& head, Elf_Data& data )
    {
        GElf_Dyn entry;
        for ( int i = 0; gelf_getdyn( &data, i, &entry ) && entry.d_tag != DT_NULL; ++i )
        {
            const bool isSymbolic =
                entry.d_tag == DT_SYMBOLIC || ( entry.d_tag == DT_FLAGS && ( entry.d_un.d_val & DF_SYMBOLIC ) );
            m_result.bindsLocally = m_result.bindsLocally || isSymbolic;
            m_result.isProgram = m_result.isProgram || ( entry.d_tag == DT_FLAGS_1 && ( entry.d_un.d_val & DF_1_PIE ) );
            if ( entry.d_tag == DT_NEEDED )
            {
                m_result.needed.push_back( text( head, entry.d_un.d_val ) );
            }
            else if ( entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH )
            {
                addSearchPaths( text( head, entry.d_un.d_val ) );
            }
        }
    }

    void addSearchPaths( const std::string& paths )
    {
        const std::size_t slash = m_result.path.rfind( '/' );
        const std::string origin = slash == std::string::npos ? "." : m_result.path.substr( 0, slash );
        for ( std::size_t begin = 0; begin <= paths.size(); )
        {
            const std::size_t end = std::min( paths.find( ':', begin ), paths.size() );
            std::string path = paths.substr( begin, end - begin );
            for ( const char* word : { "${ORIGIN}", "$ORIGIN" } )
            {
                const std::size_t place = path.find( word );
                if ( place != std::string::npos )
                {
                    path.replace( place, std::strlen( word ), origin );
                }
            }
            m_result.searchPaths.push_back( path );
            begin = end + 1;
        }
    }

    void readSymbols( const GElf_Shdr& head, Elf_Data& data )
    {
        GElf_Sym symbol;
        for ( int i = 0; gelf_getsym( &data, i, &symbol ); ++i )
        {
            const std::string name = text( head, symbol.st_name );
            const bool isWanted = std::any_of( std::begin( symbolPrefixes ), std::end( symbolPrefixes ),
                                               [&]( const char* begin ) { return name.rfind( begin, 0 ) == 0; } );
            if ( !isWanted )
            {
                continue;
            }
            const bool isDynamic = head.sh_type == SHT_DYNSYM;
            const bool isDefined = symbol.st_shndx != SHN_UNDEF;
            if ( isDefined )
            {
                m_result.defined.push_back( name );
            }
            if ( isDynamic )
            {
                ( isDefined ? m_result.exported : m_result.wanted ).push_back( name );
            }
        }
    }

    std::string text( const GElf_Shdr& head, std::size_t offset ) const
    {
        const char* found = elf_strptr( m_elf.get(), head.sh_link, offset );
        return found ? found : "";
    }

    int m_file;
    std::unique_ptr<Elf, End> m_elf;
    ElfFile m_result;
};

} // namespace

ElfFile readElf( const std::string& path )
{
    return Reader( path ).read();
}

bool isElf( const std::string& path )
{
    std::ifstream file( path, std::ios::binary );
    char magic[4] = {};
    file.read( magic, sizeof( magic ) );
    return file && std::memcmp( magic, ELFMAG, SELFMAG ) == 0;
}

} // namespace cullet::run
