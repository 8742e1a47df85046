// SPDX-License-Identifier: Zlib
/// \file CulletLocalBullet.c
/// A file with the code of btDbvtBroadphase contains its type name, even if its symbols were stripped.
#define _GNU_SOURCE

#include "CulletLocalBullet.h"

#include <ctype.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// A type name has a zero after it and no letter before it. Symbols that contain the name differ, and so does SYMBOL.
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
