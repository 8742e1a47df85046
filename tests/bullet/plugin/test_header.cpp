// SPDX-License-Identifier: Zlib
// A program that includes CulletBroadphase.h in place of btDbvtBroadphase.h, and nothing else of Bullet, compiles.
#include "CulletBroadphase.h"

#include <gtest/gtest.h>

TEST( Header, DeclaresThePairCachesOfBullet )
{
    btHashedOverlappingPairCache cache;
    CulletBroadphase own, given( &cache );
    btBroadphasePairArray& pairs = own.getOverlappingPairCache()->getOverlappingPairArray();
    EXPECT_EQ( 0, pairs.size() );
    EXPECT_EQ( 0, given.getOverlappingPairCache()->getNumOverlappingPairs() );
}
