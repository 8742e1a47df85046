// SPDX-License-Identifier: Zlib
/// \file verify.h
/// What is checked when the demo ends: that every body is where physics allows it to be, and one number that stands for
/// the exact state of the world.
#ifndef CLT_WORLD_VERIFY_H
#define CLT_WORLD_VERIFY_H

#include "world.h"

#include <cstdint>

namespace cullet::demo
{

struct Verdict
{
    int belowPlane = 0;          ///< bodies whose centre is under the plane
    int outside = 0;             ///< bodies that are not inside, see isInside
    btScalar lowestCentre = 0;   ///< metres above the plane
    btScalar farthestCentre = 0; ///< metres from the axis, along x or z

    /// Over the exact bits of every body's transform and velocities, in the order of the bodies: equal states give
    /// equal numbers, and a difference in the last bit of one body gives another number.
    std::uint64_t hash = 0;

    bool good() const
    {
        return belowPlane == 0 && outside == 0;
    }
};

/// Whether the body is finite and within the bounds, be it over or under the plane.
bool isInside( const Column& column, const btRigidBody& body );

Verdict verify( const World& world );

} // namespace cullet::demo

#endif
