// SPDX-License-Identifier: Zlib
/// \file numbers.h
/// Boxes with infinite, huge, tiny and NaN coordinates.
#ifndef CULLET_TESTS_NUMBERS_H
#define CULLET_TESTS_NUMBERS_H

#include "contestants.h"

#include <limits>

namespace test
{

constexpr btScalar infinity = std::numeric_limits<btScalar>::infinity();
constexpr btScalar notANumber = std::numeric_limits<btScalar>::quiet_NaN();

/// The box of a btStaticPlaneShape.
inline Box planeBox()
{
    const btVector3 large( BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT );
    return { -large, large };
}

/// A coordinate that breaks careless code: infinite, huge, zero or tiny.
inline btScalar oddCoordinate( Random& random )
{
    const btScalar odd[] = { -infinity,        infinity,        -BT_LARGE_FLOAT,  BT_LARGE_FLOAT, 0,
                             -btScalar( 0.0 ), btScalar( 1e6 ), btScalar( -1e6 ), SIMD_EPSILON,   1 };
    return odd[random.below( 10 )];
}

/// Replaces one of the six coordinates with a NaN of either sign.
inline Box withNan( Box box, Random& random )
{
    const uint32_t side = random.below( 6 );
    ( side < 3 ? box.lower : box.upper )[int( side % 3 )] = random.below( 2 ) ? notANumber : -notANumber;
    return box;
}

} // namespace test

#endif
