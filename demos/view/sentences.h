// SPDX-License-Identifier: Zlib
/// \file sentences.h
/// What the viewer says of a simulation in words.
#ifndef CLT_VIEW_SENTENCES_H
#define CLT_VIEW_SENTENCES_H

#include "simulation.h"

namespace cullet::view
{

/// Whether it is a world of Bullet: its steps have parts other than the broadphase, and there may be a ground.
bool isWorld( const Simulation& simulation );

/// A contestant's name and its mean time.
std::string labelOf( const Simulation& simulation, std::size_t contestant );

/// What a contestant is, in a few words. Empty for meshes.
std::string descriptionOf( const Simulation& simulation, std::size_t contestant );

/// Its pairs, and how many of them are wrong or missing.
std::string checkOf( const Simulation& simulation, std::size_t contestant );

/// The fastest and the slowest contestant, and the ratio of their times: of the broadphase, and of whole steps if they
/// have other parts. Empty without two contestants, or before the second step.
std::string verdictOf( const Simulation& simulation );

/// The verdict, and two lines for each contestant: what the viewer says of the simulation.
std::string reportOf( const Simulation& simulation );

} // namespace cullet::view

#endif
