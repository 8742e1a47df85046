// SPDX-License-Identifier: Zlib
// Linux control groups, version 2 (cpu.max) and 1 (cpu.cfs_quota_us). The quota of every enclosing group applies too.

#if !defined( _GNU_SOURCE )
#define _GNU_SOURCE // for O_CLOEXEC and strtok_r under strict C11
#endif

#include "gpu/platform/quota.h"

#include "bridge/cullet.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Paths are at most 4096 bytes long, and the list of groups has a line for each of about twelve controllers. Longer
/// files are truncated.
#define PATH_SIZE 4352u
#define TEXT_SIZE 8192u

/// Reads up to size - 1 bytes of a file. \return false if the file is missing or empty
static bool ReadText( const char* path, char* text, size_t size )
{
    const int file = open( path, O_RDONLY | O_CLOEXEC );
    if ( file < 0 )
    {
        return false;
    }
    size_t length = 0;
    ssize_t count;
    while ( length < size - 1u && ( count = read( file, text + length, size - 1u - length ) ) > 0 )
    {
        length += (size_t)count;
    }
    close( file );
    text[length] = '\0';
    return length > 0;
}

/// A control group: of version 2, or of version 1's controller of processor time.
typedef struct Group
{
    const char* mount;
    const char* path; ///< below the mount
    size_t length;    ///< bytes of `path` that name the group; an enclosing group has fewer
    bool isVersion1;
} Group;

/// Reads a short file of the group. \return false if it is missing, or if its path would be too long
static bool ReadOfGroup( const Group* group, const char* name, char* text, size_t size )
{
    char path[PATH_SIZE];
    const char* const parts[] = { group->mount, group->isVersion1 ? "/cpu" : "", group->path, "/", name };
    size_t length = 0;
    for ( size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i )
    {
        const size_t count = parts[i] == group->path ? group->length : strlen( parts[i] );
        if ( count >= sizeof path - length )
        {
            return false;
        }
        memcpy( path + length, parts[i], count );
        length += count;
    }
    path[length] = '\0';
    return ReadText( path, text, size );
}

/// The quota of one group, in processors. Version 2 has one file: "150000 100000" grants 150,000 of every 100,000
/// microseconds, and "max" means no quota. Version 1 has two files, and -1 means no quota.
static int QuotaOfGroup( const Group* group )
{
    char quotaText[64];
    char periodText[64];
    if ( !ReadOfGroup( group, group->isVersion1 ? "cpu.cfs_quota_us" : "cpu.max", quotaText, sizeof quotaText ) ||
         ( group->isVersion1 && !ReadOfGroup( group, "cpu.cfs_period_us", periodText, sizeof periodText ) ) )
    {
        return CLT_NO_QUOTA;
    }
    char* rest;
    const long long quota = strtoll( quotaText, &rest, 10 );
    const long long period = strtoll( group->isVersion1 ? periodText : rest, NULL, 10 );
    return quota > 0 && period > 0 && quota / period < CLT_MAX_THREADS ? (int)( ( quota + period - 1 ) / period )
                                                                       : CLT_NO_QUOTA;
}

static int Least( int a, int b )
{
    return a == CLT_NO_QUOTA ? b : b == CLT_NO_QUOTA ? a : a < b ? a : b;
}

/// The smallest quota of a group and all groups around it. In a container, the group's path may be its path on the
/// host; only the root group is then found.
static int QuotaUpwards( Group group )
{
    int least = QuotaOfGroup( &group );
    while ( group.length > 0 )
    {
        do
        {
            --group.length;
        } while ( group.length > 0 && group.path[group.length] != '/' );
        least = Least( least, QuotaOfGroup( &group ) );
    }
    return least;
}

/// Whether a comma-separated list contains "cpu", the controller of processor time. Overwrites the list.
static bool NamesCpu( char* list )
{
    char* rest;
    const char* name = strtok_r( list, ",", &rest );
    while ( name != NULL && strcmp( name, "cpu" ) != 0 )
    {
        name = strtok_r( NULL, ",", &rest );
    }
    return name != NULL;
}

/// The quota of one of the process's groups, from a line "number:controllers:group". Version 2 has a single line,
/// without controllers. Overwrites the line.
static int QuotaOfLine( char* line, const char* mount )
{
    char* controllers = strchr( line, ':' );
    char* path = controllers != NULL ? strchr( controllers + 1, ':' ) : NULL;
    if ( path == NULL || strlen( path ) >= PATH_SIZE ) // too long for a path
    {
        return CLT_NO_QUOTA;
    }
    *path++ = '\0';
    const bool isVersion1 = *++controllers != '\0';
    return isVersion1 && !NamesCpu( controllers )
               ? CLT_NO_QUOTA
               : QuotaUpwards( ( Group ){ mount, path, strlen( path ), isVersion1 } );
}

int cltQuota_Processors( const char* membership, const char* mount )
{
    char text[TEXT_SIZE];
    char* rest;
    int least = CLT_NO_QUOTA;
    if ( ReadText( membership, text, sizeof text ) )
    {
        for ( char* line = strtok_r( text, "\n", &rest ); line != NULL; line = strtok_r( NULL, "\n", &rest ) )
        {
            least = Least( least, QuotaOfLine( line, mount ) );
        }
    }
    return least;
}
