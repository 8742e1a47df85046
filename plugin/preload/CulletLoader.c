// SPDX-License-Identifier: Zlib
/// \file CulletLoader.c
/// The loader's search order: global libraries in the order in which they were loaded, libcullet-preload.so first; then
/// the libraries that the caller depends on. Without this library, a call would reach the next global definition after
/// this library's, or else one in the libraries that the caller depends on.
#define _GNU_SOURCE

#include "CulletLoader.h"

#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

static const char CONSTRUCTOR[] = "_ZN16btDbvtBroadphaseC1EP22btOverlappingPairCache";

/// Copies the result of dlsym, because ISO C cannot convert it to a function pointer.
CulletFunction culletFunctionIn( void* library, const char* name )
{
    void* address = dlsym( library, name );
    CulletFunction function;
    memcpy( &function, &address, sizeof( function ) );
    return function;
}

const void* culletBaseOf( const void* address, const char** path )
{
    Dl_info place;
    if ( dladdr( address, &place ) == 0 )
    {
        return NULL;
    }
    *path = place.dli_fname;
    return place.dli_fbase;
}

void* culletSymbolSeenBy( const char* path, const char* name )
{
    void* library = path[0] ? dlopen( path, RTLD_LAZY | RTLD_NOLOAD ) : NULL;
    void* address = library ? dlsym( library, name ) : NULL;
    if ( library )
    {
        dlclose( library );
    }
    return address;
}

static int searchLibrary( struct dl_phdr_info* info, size_t size, void* found )
{
    (void)size;
    const char* path;
    void* address = info->dlpi_name ? culletSymbolSeenBy( info->dlpi_name, CONSTRUCTOR ) : NULL;
    const bool isOurs = address && culletBaseOf( address, &path ) == culletBaseOf( CONSTRUCTOR, &path );
    *(void**)found = isOurs ? NULL : address;
    return *(void**)found != NULL;
}

const void* culletFindConstructor( const void* caller )
{
    void* address = dlsym( RTLD_NEXT, CONSTRUCTOR );
    const char* path;
    if ( !address && caller && culletBaseOf( caller, &path ) )
    {
        address = culletSymbolSeenBy( path, CONSTRUCTOR );
    }
    if ( !address )
    {
        dl_iterate_phdr( searchLibrary, &address );
    }
    return address;
}

// ------------------------------------------------------------------------------------------------ Bullet inside a file

/// A file with the code of btDbvtBroadphase contains its type name, even if its symbols were stripped. A type name has
/// a zero after it and no letter before it. In symbols that contain the name, and in SYMBOL, a letter is before it.
static bool hasTypeName( const char* bytes, size_t size )
{
    static const char SYMBOL[] = "S16btDbvtBroadphase";
    const char* const name = SYMBOL + 1;
    const size_t nameSize = sizeof( SYMBOL ) - 1; // including the zero after it
    const char* const end = bytes + size;
    const char* found = memmem( bytes, size, name, nameSize );
    while ( found && found > bytes && isalpha( (unsigned char)found[-1] ) )
    {
        found = memmem( found + 1, (size_t)( end - found - 1 ), name, nameSize );
    }
    return found != NULL;
}

static int searchFile( struct dl_phdr_info* info, size_t size, void* found )
{
    (void)size;
    for ( int i = 0; i < info->dlpi_phnum; ++i )
    {
        const ElfW( Phdr )* part = info->dlpi_phdr + i;
        const bool isConstant = part->p_type == PT_LOAD && ( part->p_flags & ( PF_R | PF_W ) ) == PF_R;
        if ( isConstant && hasTypeName( (const char*)info->dlpi_addr + part->p_vaddr, part->p_filesz ) )
        {
            *(const char**)found = info->dlpi_name[0] ? info->dlpi_name : "the program";
            return 1;
        }
    }
    return 0;
}

const char* culletFindLocalBullet( void )
{
    const char* found = NULL;
    dl_iterate_phdr( searchFile, &found );
    return found;
}
