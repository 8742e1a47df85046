// SPDX-License-Identifier: Zlib
/// \file CulletLoader.c
/// The loader's search order: global libraries in the order in which they were loaded, libcullet-preload.so first; then
/// the libraries that the caller depends on. Without this library, a call would reach the next global definition after
/// this library's, or else one in the libraries that the caller depends on.
#define _GNU_SOURCE

#include "CulletLoader.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

static const char CONSTRUCTOR[] = "_ZN16btDbvtBroadphaseC1EP22btOverlappingPairCache";

/// ISO C cannot convert the result of dlsym to a function pointer.
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
