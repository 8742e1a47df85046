// SPDX-License-Identifier: Zlib
// Replaces the CUDA driver's library: has none of its functions and only records that it was loaded.

#define _POSIX_C_SOURCE 200112L // for setenv

#include <stdlib.h>

__attribute__( ( constructor ) ) static void NoteLoading( void )
{
    setenv( "CULLET_TEST_DRIVER", "loaded", 1 );
}
