// SPDX-License-Identifier: Zlib
/// \file main_float64.cpp
/// The program `cullet-float64`: `cullet stress` with Bullet in double precision.
#include "demos/command/commands.h"

int main( int argc, char** argv )
{
    return runProgram( argc, argv, addStressCommand );
}
