// SPDX-License-Identifier: Zlib
/// \file CulletModuleFile.c A module calls Bullet's functions, but their library differs from program to program. It
/// may even be invisible to other libraries (RTLD_LOCAL, as for Python's modules). So the name of Bullet's library
/// replaces the placeholder in a copy of the module, and the dynamic loader resolves the functions as usual, global
/// libraries first. This is done by hand, because libcullet-preload.so may need no library but libc.
#define _GNU_SOURCE

#include "CulletModuleFile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// Copies the module into `copy`, a file in memory, with the provider's name in it.
static bool writeCopy( int copy, int module, const char* provider )
{
    struct stat status;
    if ( copy < 0 || module < 0 || fstat( module, &status ) != 0 ||
         sendfile( copy, module, NULL, (size_t)status.st_size ) != status.st_size )
    {
        return false;
    }
    char* bytes = mmap( NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, copy, 0 );
    const bool isMapped = bytes != MAP_FAILED;
    const bool isReplaced = isMapped && replacePlaceholder( bytes, (size_t)status.st_size, provider );
    if ( isMapped )
    {
        munmap( bytes, (size_t)status.st_size );
    }
    return isReplaced;
}

/// The loader takes files with equal paths for the same library, so each copy gets a path of its own ("././…").
static void* loadFile( int file )
{
    static atomic_int copyCount;
    const int number = atomic_fetch_add( &copyCount, 1 );
    char path[1024] = "/proc/self/fd/";
    if ( 2 * (size_t)number > sizeof( path ) - strlen( path ) - 16 )
    {
        return NULL;
    }
    for ( int i = 0; i < number; ++i )
    {
        strcat( path, "./" );
    }
    snprintf( path + strlen( path ), 16, "%d", file );
    return dlopen( path, RTLD_NOW | RTLD_LOCAL );
}

/// Composes the path of the module, which lies beside this library. \return false if the path is too long
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
    const int file = findModule( name, path, sizeof( path ) ) ? open( path, O_RDONLY | O_CLOEXEC ) : -1;
    if ( file < 0 )
    {
        snprintf( why, whySize, "its module %s cannot be read", name );
        return NULL;
    }
    const int copy = memfd_create( "cullet-module", MFD_CLOEXEC );
    void* library = writeCopy( copy, file, provider ) ? loadFile( copy ) : NULL;
    const CulletModule* module = library ? (const CulletModule*)dlsym( library, CULLET_MODULE_SYMBOL ) : NULL;
    if ( !module )
    {
        const char* error = dlerror();
        snprintf( why, whySize, "its module %s cannot be loaded: %s", name, error ? error : "unknown" );
    }
    close( file );
    if ( copy >= 0 )
    {
        close( copy );
    }
    return module;
}
