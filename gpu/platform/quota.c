// SPDX-License-Identifier: Zlib
// Linux control groups, version 2 (cpu.max) and 1 (cpu.cfs_quota_us). The quota of every enclosing group applies too.

#if defined( __linux__ ) && !defined( _GNU_SOURCE )
#define _GNU_SOURCE // for O_CLOEXEC under strict C11
#endif

#include "gpu/platform/quota.h"

#if defined( __linux__ )

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

static int Processors( long long quota, long long period )
{
    return quota > 0 && period > 0 && quota / period < CLT_MAX_THREADS ? (int)( ( quota + period - 1 ) / period )
                                                                       : CLT_NO_QUOTA;
}

typedef struct Directory
{
    char path[PATH_SIZE];
    size_t length;
} Directory;

/// \return false if the path would be too long
static bool Append( Directory* directory, const char* text, size_t length )
{
    if ( length >= PATH_SIZE - directory->length )
    {
        return false;
    }
    memcpy( directory->path + directory->length, text, length );
    directory->length += length;
    directory->path[directory->length] = '\0';
    return true;
}

/// Reads a short file in the directory.
static bool ReadIn( const Directory* directory, const char* name, char* text, size_t size )
{
    Directory file = *directory;
    return Append( &file, name, strlen( name ) ) && ReadText( file.path, text, size );
}

typedef int QuotaFcn( const Directory* directory );

/// Reads "150000 100000", which grants 150,000 of every 100,000 microseconds. "max 100000" means no quota.
static int QuotaOfVersion2( const Directory* directory )
{
    char text[64];
    if ( !ReadIn( directory, "/cpu.max", text, sizeof text ) )
    {
        return CLT_NO_QUOTA;
    }
    char* period;
    const long long quota = strtoll( text, &period, 10 );
    return Processors( quota, strtoll( period, NULL, 10 ) );
}

/// Here -1 means no quota.
static int QuotaOfVersion1( const Directory* directory )
{
    char quota[64];
    char period[64];
    return ReadIn( directory, "/cpu.cfs_quota_us", quota, sizeof quota ) &&
                   ReadIn( directory, "/cpu.cfs_period_us", period, sizeof period )
               ? Processors( strtoll( quota, NULL, 10 ), strtoll( period, NULL, 10 ) )
               : CLT_NO_QUOTA;
}

static int Least( int a, int b )
{
    return a == CLT_NO_QUOTA ? b : b == CLT_NO_QUOTA ? a : a < b ? a : b;
}

/// The smallest quota of a group and all groups around it. In a container the group's path may be the host's; then only
/// the root exists.
static int QuotaUpwards( Directory* directory, const char* group, size_t groupLength, QuotaFcn* quotaOf )
{
    const size_t rootLength = directory->length;
    int least = CLT_NO_QUOTA;
    if ( groupLength > 1u && !Append( directory, group, groupLength ) ) // else it is "/", the root itself
    {
        return least;
    }
    for ( ;; )
    {
        least = Least( least, quotaOf( directory ) );
        if ( directory->length <= rootLength )
        {
            return least;
        }
        while ( directory->length > rootLength && directory->path[--directory->length] != '/' )
        {
        }
        directory->path[directory->length] = '\0';
    }
}

/// Whether a comma-separated list contains "cpu", the controller of processor time.
static bool NamesCpu( const char* list, size_t length )
{
    for ( const char* end = list + length; list < end; )
    {
        const char* comma = memchr( list, ',', (size_t)( end - list ) );
        const char* last = comma != NULL ? comma : end;
        if ( last - list == 3 && memcmp( list, "cpu", 3 ) == 0 )
        {
            return true;
        }
        list = last + 1;
    }
    return false;
}

/// The quota of one of the process's groups, from a line "number:controllers:group". Version 2 has a single line,
/// without controllers.
static int QuotaOfLine( const char* line, size_t length, const char* mount )
{
    const char* controllers = memchr( line, ':', length );
    const char* group =
        controllers != NULL ? memchr( controllers + 1, ':', length - (size_t)( controllers + 1 - line ) ) : NULL;
    if ( group == NULL )
    {
        return CLT_NO_QUOTA;
    }
    ++controllers;
    const size_t controllersLength = (size_t)( group - controllers );
    ++group;
    const bool isVersion1 = controllersLength > 0;
    Directory root = { .length = 0 };
    if ( ( isVersion1 && !NamesCpu( controllers, controllersLength ) ) || !Append( &root, mount, strlen( mount ) ) ||
         ( isVersion1 && !Append( &root, "/cpu", 4 ) ) )
    {
        return CLT_NO_QUOTA;
    }
    return QuotaUpwards( &root, group, length - (size_t)( group - line ),
                         isVersion1 ? QuotaOfVersion1 : QuotaOfVersion2 );
}

int cltQuota_Processors( const char* membership, const char* mount )
{
    char text[TEXT_SIZE];
    int least = CLT_NO_QUOTA;
    if ( !ReadText( membership, text, sizeof text ) )
    {
        return least;
    }
    for ( const char* line = text; *line != '\0'; )
    {
        const size_t length = strcspn( line, "\n" );
        least = Least( least, QuotaOfLine( line, length, mount ) );
        line += length + ( line[length] == '\n' );
    }
    return least;
}

#else

int cltQuota_Processors( const char* membership, const char* mount )
{
    (void)membership;
    (void)mount;
    return CLT_NO_QUOTA;
}

#endif
