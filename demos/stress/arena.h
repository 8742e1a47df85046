// SPDX-License-Identifier: Zlib
/// \file arena.h
/// Where the bodies live and what boxes they get. About two pairs a body, whatever their number; a share of them lives
/// far from the origin, where coordinates are coarse, and another share on a lattice, where faces touch exactly.
#ifndef CLT_STRESS_ARENA_H
#define CLT_STRESS_ARENA_H

#include "box.h"
#include "random.h"

namespace cullet::stress
{

class Arena
{
public:
    /// \param bodyCount  the bodies that it is meant for
    explicit Arena( std::size_t bodyCount );

    /// A box like most, anywhere.
    Box ordinary( Random& random ) const;

    /// The box a little way off. What is not like most becomes an ordinary one.
    Box drifted( const Box& box, Random& random ) const;

    /// A box that breaks something in many a broadphase. Many of them stand to `neighbor` in a special way.
    Box odd( const Box& neighbor, Random& random ) const;

    /// A box that overlaps nearly all others: planes, half and whole spaces.
    Box wide( Random& random ) const;

    bool isWide( const Box& box ) const;

    /// A box for one of `count` bodies that crowd around a place, each with about ten others. The same place and count
    /// make the same crowd.
    Box crowded( std::uint64_t place, std::size_t count, Random& random ) const;

    /// For rays and boxes of queries: anywhere in the arena, the far part included.
    btVector3 place( Random& random ) const;

private:
    bool isOrdinary( const Box& box ) const;

    double m_width; ///< along y and z; along x it is longer
};

} // namespace cullet::stress

#endif
