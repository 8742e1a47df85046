// SPDX-License-Identifier: Zlib
/// \file loader.c
/// A program without Bullet. Loads the given libraries, which link Bullet, and runs a client in each:
///
///     loader local|deep [LIBRARY CLIENT]...
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main( int argc, char** argv )
{
    const int flags = RTLD_NOW | ( argc > 1 && strcmp( argv[1], "deep" ) == 0 ? RTLD_DEEPBIND : RTLD_LOCAL );
    for ( int i = 2; i + 1 < argc; i += 2 )
    {
        void* library = dlopen( argv[i], flags );
        int ( *run )( const char* ) = NULL;
        void* address = library ? dlsym( library, "runClient" ) : NULL;
        memcpy( &run, &address, sizeof( run ) );
        if ( !run || run( argv[i + 1] ) != 0 )
        {
            fprintf( stderr, "%s\n", library ? "failed" : dlerror() );
            return 1;
        }
    }
    puts( "done" );
    return 0;
}
