// SPDX-License-Identifier: Zlib
/// \file elf_file.cpp
/// Reads the section headers through libelf. Linkers write them, and stripped files keep those that the loader uses.
///
/// The file may be forged: whatever it claims, memory must stay proportional to its size. Sections of real files do not
/// overlap, and their names of libraries and folders are shorter than the file. Other files are refused.
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
        m_result.path = path;
        m_elf.reset( m_file >= 0 ? elf_begin( m_file, ELF_C_READ_MMAP, nullptr ) : nullptr );
        if ( !m_elf || elf_kind( m_elf.get() ) != ELF_K_ELF || !elf_rawfile( m_elf.get(), &m_fileBytes ) )
        {
            m_elf.reset();
            close();
            fail( "no program or library" );
        }
        m_dataBytesLeft = m_nameBytesLeft = m_fileBytes;
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
            fail( "damaged: it ends too early" );
        }
        m_result.machine = header.e_machine;
        m_result.wordClass = gelf_getclass( m_elf.get() );
        m_result.isProgram = header.e_type == ET_EXEC || namesLoader();
        m_result.namesLoader = namesLoader();
        Elf_Scn* section = nullptr;
        while ( ( section = elf_nextscn( m_elf.get(), section ) ) )
        {
            GElf_Shdr head;
            if ( gelf_getshdr( section, &head ) && isRead( head ) )
            {
                take( m_dataBytesLeft, head.sh_size, "damaged: its sections overlap or are larger than the file" );
                Elf_Data* data = elf_getdata( section, nullptr ); // copies the section if its byte order is another one
                data ? readSection( head, *data ) : void();
            }
        }
        return m_result;
    }

private:
    static constexpr const char* tooManyNames = "damaged: it names more libraries and folders than it has bytes";

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

    [[noreturn]] void fail( const char* what ) const
    {
        throw std::runtime_error( fmt::format( "'{}' is {}", m_result.path, what ) );
    }

    /// Takes bytes from those that the file may still use.
    void take( std::size_t& bytesLeft, std::size_t bytes, const char* otherwise )
    {
        bytes <= bytesLeft ? void( bytesLeft -= bytes ) : fail( otherwise );
    }

    /// The section header table is at the end of the file, so a truncated file does not contain it.
    bool isComplete( const GElf_Ehdr& header )
    {
        const std::size_t tableSize = std::size_t( header.e_shnum ) * header.e_shentsize;
        return tableSize <= m_fileBytes && header.e_shoff <= m_fileBytes - tableSize;
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

    static bool isConstantData( const GElf_Shdr& head )
    {
        return head.sh_type == SHT_PROGBITS && ( head.sh_flags & SHF_ALLOC ) && !( head.sh_flags & SHF_EXECINSTR );
    }

    static bool isRead( const GElf_Shdr& head )
    {
        return head.sh_type == SHT_DYNAMIC || head.sh_type == SHT_DYNSYM || head.sh_type == SHT_SYMTAB ||
               isConstantData( head );
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
        else
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
                keepName( m_result.needed, text( head, entry.d_un.d_val ) );
            }
            else if ( entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH )
            {
                addSearchPaths( text( head, entry.d_un.d_val ) );
            }
        }
    }

    void addSearchPaths( const std::string& paths )
    {
        static const std::regex word( "\\$ORIGIN|\\$\\{ORIGIN\\}" );
        const std::size_t slash = m_result.path.rfind( '/' );
        const std::string origin = slash == std::string::npos ? "." : m_result.path.substr( 0, slash );
        if ( paths.size() > m_nameBytesLeft )
        {
            fail( tooManyNames );
        }
        for ( const std::string& path : splitPaths( paths ) )
        {
            keepName( m_result.searchPaths, std::regex_replace( path, word, origin ) );
        }
    }

    void keepName( std::vector<std::string>& names, const std::string& name )
    {
        take( m_nameBytesLeft, name.size() + 1, tooManyNames );
        names.push_back( name );
    }

    void readSymbols( const GElf_Shdr& head, Elf_Data& data )
    {
        GElf_Sym symbol;
        for ( int i = 0; gelf_getsym( &data, i, &symbol ); ++i )
        {
            const char* name = text( head, symbol.st_name ); // not copied: each symbol may have the longest name
            const auto begins = [&]( const char* prefix )
            { return std::strncmp( name, prefix, std::strlen( prefix ) ) == 0; };
            const bool isDynamic = head.sh_type == SHT_DYNSYM;
            m_result.cullet =
                m_result.cullet.empty() && std::strcmp( name, "cltCreateBroadphase" ) == 0 ? name : m_result.cullet;
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

    /// A name in the text section that belongs to the section; "" if there is none, or if that section is compressed.
    const char* text( const GElf_Shdr& head, std::size_t offset ) const
    {
        GElf_Shdr names;
        Elf_Scn* section = elf_getscn( m_elf.get(), head.sh_link );
        const bool isPlain = section && gelf_getshdr( section, &names ) && !( names.sh_flags & SHF_COMPRESSED );
        const char* found = isPlain ? elf_strptr( m_elf.get(), head.sh_link, offset ) : nullptr;
        return found ? found : "";
    }

    int m_file;
    std::unique_ptr<Elf, End> m_elf;
    std::size_t m_fileBytes = 0;
    std::size_t m_dataBytesLeft = 0; ///< that sections may have
    std::size_t m_nameBytesLeft = 0; ///< that names may have, counted with an end each
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
