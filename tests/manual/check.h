// SPDX-License-Identifier: Zlib
/// \file check.h
/// For the programs with the manual's snippets, which also compile as C.
#ifndef CULLET_TESTS_MANUAL_CHECK_H
#define CULLET_TESTS_MANUAL_CHECK_H

#include <stdio.h>
#include <stdlib.h>

/// Ends the program with an error if the condition is false.
#define CHECK( condition )                                                                                             \
    do                                                                                                                 \
    {                                                                                                                  \
        if ( !( condition ) )                                                                                          \
        {                                                                                                              \
            fprintf( stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition );                                          \
            exit( 1 );                                                                                                 \
        }                                                                                                              \
    } while ( 0 )

#endif
