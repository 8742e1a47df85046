// SPDX-License-Identifier: Zlib
/// \file box.h
/// The definition of an overlap, told without any of cullet's or Bullet's code: nothing is computed, only compared, so
/// nothing is rounded. `Box` is cltAabb or cltAabbD.
#ifndef CLT_ORACLE_BOX_H
#define CLT_ORACLE_BOX_H

#include "cullet.h"

#include <cmath>

namespace cullet
{

template <typename Box>
bool hasNan( const Box& box )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( std::isnan( box.lower[axis] ) || std::isnan( box.upper[axis] ) )
        {
            return true;
        }
    }
    return false;
}

/// Closed intervals: touching counts. A box with a NaN overlaps nothing: each of the twelve coordinates is in a
/// comparison, and one with a NaN fails.
template <typename Box>
bool overlap( const Box& a, const Box& b )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( !( a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis] ) )
        {
            return false;
        }
    }
    return true;
}

/// Bullet's rule, unless the application has one of its own: each one's group meets the other one's mask.
inline bool mayPair( const cltFilter& a, const cltFilter& b )
{
    return ( a.group & b.mask ) != 0 && ( b.group & a.mask ) != 0;
}

cltAabb toFloat( const cltAabbD& box );
cltAabbD toDouble( const cltAabb& box );

} // namespace cullet

#endif
