// SPDX-License-Identifier: Zlib
/// \file CulletModuleFile.c A module calls Bullet's functions, but their library differs from program to program. It
/// may even be invisible to other libraries (RTLD_LOCAL, as for Python's modules). So the name of Bullet's library
/// replaces the placeholder in a copy of the module, and the dynamic loader resolves the functions as usual, global
/// libraries first. No library edits a loaded file's dependencies, and this one may have no dependencies of its own.
#define _GNU_SOURCE

#include "CulletModuleFile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// The contents of the file; the caller frees them. NULL if it cannot be read.
static char* readFile( const char* path, size_t* size )
{
    const int file = open( path, O_RDONLY | O_CLOEXEC );
    struct stat status;
    char* bytes = file >= 0 && fstat( file, &status ) == 0 ? malloc( (size_t)status.st_size ) : NULL;
    *size = 0;
    while ( bytes && *size < (size_t)status.st_size )
    {
        const ssize_t count = read( file, bytes + *size, (size_t)status.st_size - *size );
        if ( count <= 0 )
        {
            free( bytes );
            bytes = NULL;
        }
        *size += (size_t)count;
    }
    if ( file >= 0 )
    {
        close( file );
    }
    return bytes;
}

static bool replacePlaceholder( char* bytes, size_t size, const char* provider )
{
    char* name = memmem( bytes, size, CULLET_PLACEHOLDER_PREFIX, strlen( CULLET_PLACEHOLDER_PREFIX ) );
    if ( !name || strlen( provider ) >= CULLET_PLACEHOLDER_SIZE )
    {
        return false;
    }
    memcpy( name, provider, strlen( provider ) + 1 );
    return true;
}

/// The loader takes files with equal paths for the same library, so each copy gets a path of its own ("././…").
static void* loadBytes( const char* bytes, size_t size )
{
    static atomic_int copyCount;
    const int number = atomic_fetch_add( &copyCount, 1 );
    const int file = memfd_create( "cullet-module", MFD_CLOEXEC );
    size_t written = 0;
    while ( file >= 0 && written < size )
    {
        const ssize_t count = write( file, bytes + written, size - written );
        if ( count <= 0 )
        {
            break;
        }
        written += (size_t)count;
    }
    char path[1024] = "/proc/self/fd/";
    const size_t capacity = sizeof( path ) - strlen( path ) - 16;
    const bool fits = 2 * (size_t)number <= capacity;
    for ( int i = 0; fits && i < number; ++i )
    {
        strcat( path, "./" );
    }
    snprintf( path + strlen( path ), 16, "%d", file );
    void* const library = file >= 0 && written == size && fits ? dlopen( path, RTLD_NOW | RTLD_LOCAL ) : NULL;
    if ( file >= 0 )
    {
        close( file );
    }
    return library;
}

/// The module lies beside this library.
static bool findModule( const char* name, char* path, size_t pathSize )
{
    Dl_info own;
    if ( dladdr( CULLET_MODULE_SYMBOL, &own ) == 0 || !strrchr( own.dli_fname, '/' ) )
    {
        return false;
    }
    const int folder = (int)( strrchr( own.dli_fname, '/' ) - own.dli_fname );
    return snprintf( path, pathSize, "%.*s/%s", folder, own.dli_fname, name ) < (int)pathSize;
}

const CulletModule* culletLoadModule( const char* name, const char* provider, char* why, size_t whySize )
{
    char path[1024] = "";
    size_t size = 0;
    char* bytes = findModule( name, path, sizeof( path ) ) ? readFile( path, &size ) : NULL;
    if ( !bytes )
    {
        snprintf( why, whySize, "its module %s cannot be read", name );
        return NULL;
    }
    void* library = replacePlaceholder( bytes, size, provider ) ? loadBytes( bytes, size ) : NULL;
    free( bytes );
    const CulletModule* module = library ? (const CulletModule*)dlsym( library, CULLET_MODULE_SYMBOL ) : NULL;
    if ( !module )
    {
        const char* error = dlerror();
        snprintf( why, whySize, "its module %s cannot be loaded: %s", name, error ? error : "unknown" );
    }
    return module;
}
