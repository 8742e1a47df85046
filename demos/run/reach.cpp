// SPDX-License-Identifier: Zlib
/// \file reach.cpp Searches for libraries like the loader (ld.so(8)): DT_RPATH and DT_RUNPATH, LD_LIBRARY_PATH, the
/// loader's cache, the default folders. A file inherits the search paths of the files that need it, even DT_RUNPATH.
/// `ld.so --list` would find the same for this machine's programs, but fails for programs of other processors.
#include "reach.h"

#include "elf_file.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>

namespace cullet::run
{
namespace
{

/// The paths that ldconfig -p prints, by name: "libm.so.6 (libc6,x86-64) => /lib/x86_64-linux-gnu/libm.so.6".
std::multimap<std::string, std::string> readLoaderCache()
{
    std::multimap<std::string, std::string> files;
    const std::unique_ptr<FILE, int ( * )( FILE* )> pipe(
        popen( "PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null", "r" ), pclose );
    char line[1024];
    while ( pipe && std::fgets( line, sizeof( line ), pipe.get() ) )
    {
        const char* arrow = std::strstr( line, "=> " );
        const std::string name( line + std::strspn( line, "\t " ),
                                std::strcspn( line + std::strspn( line, "\t " ), " " ) );
        if ( arrow )
        {
            files.emplace( name, std::string( arrow + 3, std::strcspn( arrow + 3, "\n" ) ) );
        }
    }
    return files;
}

/// The folders that a file names, and those of the files that need it. Shared, because a file may name many folders and
/// need many libraries.
struct SearchPaths
{
    std::vector<std::string> own;
    std::shared_ptr<const SearchPaths> inherited;
};

class Search
{
public:
    Search() : m_cache( readLoaderCache() )
    {
        if ( const char* paths = std::getenv( "LD_LIBRARY_PATH" ) )
        {
            m_paths = splitPaths( paths );
        }
    }

    /// The path of a library; empty if it was not found.
    std::string find( const std::string& name, const SearchPaths& paths, const ElfFile& program ) const
    {
        std::string found; // candidates are not collected: a forged file has many folders and long names
        const auto isAt = [&]( const std::string& path )
        {
            found = path;
            return fits( path, program );
        };
        const auto isIn = [&]( const auto& folders )
        {
            return std::any_of( std::begin( folders ), std::end( folders ),
                                [&]( const std::string& folder ) { return isAt( folder + "/" + name ); } );
        };
        bool isFound = name.find( '/' ) != std::string::npos && isAt( name );
        for ( const SearchPaths* some = &paths; some != nullptr && !isFound; some = some->inherited.get() )
        {
            isFound = isIn( some->own );
        }
        const auto cached = m_cache.equal_range( name );
        isFound = isFound || isIn( m_paths ) ||
                  std::any_of( cached.first, cached.second, [&]( const auto& entry ) { return isAt( entry.second ); } );
        const char* const defaults[] = { "/lib", "/usr/lib", "/lib64", "/usr/lib64" };
        return isFound || isIn( defaults ) ? found : "";
    }

private:
    /// The loader skips files for other processors.
    static bool fits( const std::string& path, const ElfFile& program )
    {
        if ( !isElf( path ) )
        {
            return false;
        }
        const ElfFile file = readElf( path );
        return file.machine == program.machine && file.wordClass == program.wordClass;
    }

    std::multimap<std::string, std::string> m_cache;
    std::vector<std::string> m_paths;
};

struct QueuedFile
{
    ElfFile file;
    std::vector<std::string> chain;
    std::shared_ptr<const SearchPaths> paths;
};

/// The interpreter in the first line of a script; empty if there is none.
std::string interpreterOf( const std::string& path )
{
    std::ifstream file( path );
    char line[4096] = {}; // more than any system reads
    file.getline( line, sizeof( line ) );
    if ( std::strncmp( line, "#!", 2 ) != 0 )
    {
        return "";
    }
    std::istringstream words( line + 2 );
    std::string word;
    words >> word;
    if ( word.size() > 4 && word.compare( word.size() - 4, 4, "/env" ) == 0 )
    {
        words >> word;
    }
    return word;
}

void findCulletIn( const ElfFile& file, Finding& finding )
{
    if ( finding.cullet.empty() && !file.cullet.empty() )
    {
        finding.cullet = fmt::format( "{} is in {}", file.cullet, file.path );
    }
}

/// Looks for Bullet in a file. \return whether it was found
bool findBulletIn( const QueuedFile& step, bool isProgram, Finding& finding )
{
    const ElfFile& file = step.file;
    finding.makesBroadphase = finding.makesBroadphase || file.constructsBroadphase;
    if ( !file.definesBroadphase && ( !file.mentionsBullet || file.constructsBroadphase ) )
    {
        return false;
    }
    finding.bullet = file.path;
    finding.chain = step.chain;
    finding.precision = file.isSingle == file.isDouble ? "unknown" : file.isSingle ? "single" : "double";
    const bool isReachable = file.exportsBroadphase && !file.bindsLocally && !isProgram;
    finding.reach = isReachable ? Reach::dynamic : isProgram ? Reach::inside : Reach::boundLocally;
    return true;
}

} // namespace

std::string findProgram( const std::string& word )
{
    std::vector<std::string> candidates = { word };
    if ( word.find( '/' ) == std::string::npos )
    {
        const char* path = std::getenv( "PATH" );
        candidates.clear();
        for ( const std::string& folder : splitPaths( path ? path : "/usr/bin:/bin" ) )
        {
            candidates.push_back( folder + "/" + word );
        }
        candidates.push_back( word ); // doctor also accepts libraries in the current folder
    }
    const auto isFile = []( const std::string& path )
    {
        return !std::filesystem::is_directory( path ) &&
               ( std::ifstream( path ).good() || access( path.c_str(), X_OK ) == 0 );
    };
    const auto found = std::find_if( candidates.begin(), candidates.end(), isFile );
    if ( found == candidates.end() )
    {
        throw std::runtime_error( fmt::format( "there is no program '{}'", word ) );
    }
    // Does not resolve a link, because programs may behave according to their name.
    const std::filesystem::path path = std::filesystem::absolute( *found );
    return std::filesystem::canonical( path.parent_path() ) / path.filename();
}

Finding examine( const std::string& program )
{
    Finding finding;
    finding.program = program;
    finding.precision = "unknown";
    if ( access( program.c_str(), R_OK ) != 0 )
    {
        finding.reach = Reach::unknown;
        return finding;
    }
    if ( !isElf( program ) )
    {
        finding.interpreter = interpreterOf( program );
        if ( finding.interpreter.empty() )
        {
            throw std::runtime_error( fmt::format( "'{}' is no program, library or script", program ) );
        }
        finding.reach = Reach::script;
        return finding;
    }
    const Search search;
    const ElfFile first =
        readElf( std::filesystem::canonical( program ) ); // $ORIGIN is the folder of the file, not of a link to it
    finding.isLibrary = !first.isProgram;
    finding.reach = first.isProgram && !first.namesLoader ? Reach::never : Reach::onDemand;
    std::deque<QueuedFile> steps = {
        { first, { program }, std::make_shared<SearchPaths>( SearchPaths{ first.searchPaths, nullptr } ) } };
    std::set<std::string> seen;
    findCulletIn( first, finding );
    for ( bool isOver = false; !steps.empty() && !isOver; )
    {
        const QueuedFile step = steps.front();
        steps.pop_front();
        isOver = findBulletIn( step, step.file.path == first.path, finding );
        for ( const std::string& name : step.file.needed )
        {
            if ( isOver || !seen.insert( name ).second )
            {
                continue;
            }
            const std::string path = search.find( name, *step.paths, first );
            if ( path.empty() )
            {
                finding.notFound.push_back( name );
                continue;
            }
            QueuedFile next = { readElf( path ), step.chain, step.paths };
            findCulletIn( next.file, finding );
            next.chain.push_back( path );
            if ( !next.file.searchPaths.empty() )
            {
                next.paths = std::make_shared<SearchPaths>( SearchPaths{ next.file.searchPaths, step.paths } );
            }
            steps.push_back( next );
        }
    }
    return finding;
}

} // namespace cullet::run
