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
#include <regex>
#include <sstream>
#include <stdexcept>

namespace cullet::run
{
namespace
{

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
        const std::size_t tableSize = std::size_t( header.e_shnum ) * header.e_shentsize;
        std::size_t size = 0;
        return elf_rawfile( m_elf.get(), &size ) && tableSize <= size && header.e_shoff <= size - tableSize;
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
            const auto contains = [&]( const std::string& name )
            {
                const char* begin = static_cast<const char*>( data.d_buf );
                const char* end = name.c_str() + name.size() + 1; // with the zero after it: a type name
                return std::search( begin, begin + data.d_size, name.c_str(), end ) != begin + data.d_size;
            };
            m_result.mentionsBullet = m_result.mentionsBullet || contains( "16btDbvtBroadphase" );
            m_result.cullet = contains( "16CulletBroadphase" ) ? "CulletBroadphase" : m_result.cullet;
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
        for ( const std::string& path : splitPaths( paths ) )
        {
            const std::regex word( "\\$ORIGIN|\\$\\{ORIGIN\\}" );
            m_result.searchPaths.push_back( std::regex_replace( path, word, origin ) );
        }
    }

    void readSymbols( const GElf_Shdr& head, Elf_Data& data )
    {
        GElf_Sym symbol;
        for ( int i = 0; gelf_getsym( &data, i, &symbol ); ++i )
        {
            const std::string name = text( head, symbol.st_name );
            const auto begins = [&]( const char* prefix ) { return name.rfind( prefix, 0 ) == 0; };
            const bool isDynamic = head.sh_type == SHT_DYNSYM;
            m_result.cullet = m_result.cullet.empty() && name == "cltCreateBroadphase" ? name : m_result.cullet;
            if ( symbol.st_shndx != SHN_UNDEF )
            {
                const bool isConstructor = begins( "_ZN16btDbvtBroadphaseC1E" );
                m_result.definesBroadphase |= isConstructor;
                m_result.exportsBroadphase |= isConstructor && isDynamic;
                m_result.isSingle |= begins( "_ZN18btStaticPlaneShapeC1ERK9btVector3f" ) ||
                                     begins( "_ZN23btDiscreteDynamicsWorld14stepSimulationEf" );
                m_result.isDouble |= begins( "_ZN18btStaticPlaneShapeC1ERK9btVector3d" ) ||
                                     begins( "_ZN23btDiscreteDynamicsWorld14stepSimulationEd" );
            }
            else if ( isDynamic )
            {
                m_result.constructsBroadphase |= begins( "_ZN16btDbvtBroadphaseC" ) || begins( "_ZN12btAxisSweep3C" ) ||
                                                 begins( "_ZN17bt32BitAxisSweep3C" );
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

std::vector<std::string> splitPaths( const std::string& text )
{
    std::vector<std::string> parts;
    std::istringstream stream( text );
    for ( std::string part; std::getline( stream, part, ':' ); )
    {
        parts.push_back( part.empty() ? "." : part );
    }
    return parts;
}

bool isElf( const std::string& path )
{
    std::ifstream file( path, std::ios::binary );
    char magic[4] = {};
    file.read( magic, sizeof( magic ) );
    return file && std::memcmp( magic, ELFMAG, SELFMAG ) == 0;
}

} // namespace cullet::run
