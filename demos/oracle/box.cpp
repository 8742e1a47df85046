// SPDX-License-Identifier: Zlib
/// \file box.cpp
/// Conversions between the precisions. Not inline, and not to be: where GCC 12 sees toDouble( toFloat( box ) ) as a
/// whole, its vectorizer takes the two conversions for none and leaves two of the three axes unrounded (seen with 12.2
/// at -O2).
#include "box.h"

namespace cullet
{

cltAabb toFloat( const cltAabbD& box )
{
    cltAabb result;
    for ( int axis = 0; axis < 3; ++axis )
    {
        result.lower[axis] = static_cast<float>( box.lower[axis] );
        result.upper[axis] = static_cast<float>( box.upper[axis] );
    }
    return result;
}

cltAabbD toDouble( const cltAabb& box )
{
    cltAabbD result;
    for ( int axis = 0; axis < 3; ++axis )
    {
        result.lower[axis] = static_cast<double>( box.lower[axis] );
        result.upper[axis] = static_cast<double>( box.upper[axis] );
    }
    return result;
}

} // namespace cullet
