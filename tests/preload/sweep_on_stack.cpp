// SPDX-License-Identifier: Zlib
/// \file sweep_on_stack.cpp
/// A program that compiles the destructor of btAxisSweep3 itself, and with it all virtual functions.
#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"

#include <cstdio>

int main()
{
    const btVector3 side( 100, 100, 100 );
    btAxisSweep3 broadphase( -side, side, 1000 );
    std::printf( "%d\n", broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
    return 0;
}
