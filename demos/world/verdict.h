// SPDX-License-Identifier: Zlib
/// \file verdict.h
/// What is checked when the demo ends: that every body is where physics allows it to be.
#ifndef CLT_WORLD_VERDICT_H
#define CLT_WORLD_VERDICT_H

#include "column.h"
#include "world.h"

namespace cullet::demo
{

/// Whether the body is finite and within the bounds, be it over or under the plane.
bool isInside( const Column& column, const btRigidBody& body );

/// Prints how far bodies got, and a hash over the exact bits of every body's transform and velocities: equal states
/// give equal numbers, and a difference in the last bit of one body gives another number.
/// \return whether all bodies are inside and above the plane
bool printVerdict( const World& world, const Column& column );

} // namespace cullet::demo

#endif
