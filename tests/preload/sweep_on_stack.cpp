// SPDX-License-Identifier: Zlib
/// \file sweep_on_stack.cpp
/// Compiles the destructor of btAxisSweep3, and with it all its virtual functions.
#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"

#include <cstdio>

int main()
{
    const btVector3 side( 100, 100, 100 );
    btAxisSweep3 broadphase( -side, side, 1000 );
    std::printf( "%d\n", broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
    return 0;
}
