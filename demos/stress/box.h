// SPDX-License-Identifier: Zlib
/// \file box.h
/// Boxes in Bullet's precision, and what it means that two of them overlap: the definition, told without any of
/// cullet's code.
#ifndef CLT_STRESS_BOX_H
#define CLT_STRESS_BOX_H

#include "LinearMath/btVector3.h"

namespace cullet::stress
{

/// Closed, and with anything in it: infinities, NaNs, lower above upper.
struct Box
{
    btScalar lower[3];
    btScalar upper[3];
};

bool hasNan( const Box& box );

/// Touching counts; a box with a NaN overlaps nothing.
bool overlap( const Box& a, const Box& b );

/// Every face moved outwards by at least `margin`, whatever is rounded.
Box inflated( const Box& box, btScalar margin );

/// The same bytes.
bool isSame( const Box& a, const Box& b );

inline btVector3 lowerOf( const Box& box )
{
    return btVector3( box.lower[0], box.lower[1], box.lower[2] );
}

inline btVector3 upperOf( const Box& box )
{
    return btVector3( box.upper[0], box.upper[1], box.upper[2] );
}

} // namespace cullet::stress

#endif
