// SPDX-License-Identifier: Zlib
/// \file arena.h
/// Where the bodies live and what boxes they get. About two pairs a body, whatever their number; a share of them lives
/// far from the origin, where coordinates are coarse, and another share on a lattice, where faces touch exactly.
#ifndef CLT_ORACLE_ARENA_H
#define CLT_ORACLE_ARENA_H

#include "oracle.h"
#include "random.h"

#include <array>
#include <cstddef>

namespace cullet
{

class Arena
{
public:
    /// \param bodyCount  the bodies that it is meant for
    /// \param precision  all coordinates are numbers of this precision
    Arena( std::size_t bodyCount, cltPrecision precision );

    /// Anywhere in the arena, the far part included.
    std::array<double, 3> place( Random& random ) const;

    /// A box like most, anywhere.
    cltAabbD ordinary( Random& random ) const;

    /// The box a little way off. What is not like most becomes an ordinary one.
    cltAabbD drifted( const cltAabbD& box, Random& random ) const;

    /// A box for one of `count` bodies that crowd around a place, each with about ten others. The same place and count
    /// make the same crowd.
    cltAabbD crowded( std::uint64_t place, std::size_t count, Random& random ) const;

    /// A box that breaks something in many a broadphase: infinite, inverted, a point, not a number. Many of them stand
    /// to `neighbor` in a special way. All of them mean what the comparisons say.
    cltAabbD odd( const cltAabbD& neighbor, Random& random ) const;

    /// A box that overlaps nearly all others: planes, half and whole spaces.
    cltAabbD wide( Random& random ) const;

    bool isWide( const cltAabbD& box ) const;

private:
    cltAabbD rounded( const cltAabbD& box ) const;
    double next( double value, double towards ) const;
    cltAabbD beside( const cltAabbD& neighbor, Random& random ) const;
    bool isOrdinary( const cltAabbD& box ) const;

    bool m_isFloat;
    double m_farAway;
    double m_width; ///< along y and z; along x it is longer
    double m_largest;
};

} // namespace cullet

#endif
