// SPDX-License-Identifier: Zlib
/// \file arena.h
/// The space of the bodies, and their boxes. A body has about two pairs, whatever the number of bodies. Some bodies lie
/// far from the origin, where coordinates are coarse; others lie on a lattice, where faces touch exactly.
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
    /// \param bodyCount  determines the volume
    /// \param precision  all coordinates are numbers of this precision
    Arena( std::size_t bodyCount, cltPrecision precision );

    /// A point anywhere in the arena, the far part included.
    std::array<double, 3> place( Random& random ) const;

    /// A box of ordinary size, anywhere.
    cltAabbD ordinary( Random& random ) const;

    /// A way from anywhere to anywhere, not to the far part.
    std::array<double, 3> way( Random& random ) const;

    /// The box, moved by `way`. Odd and wide boxes stay where they are.
    cltAabbD moved( const cltAabbD& box, const std::array<double, 3>& way ) const;

    /// The box, moved by at most `reach` on each axis. Odd and wide boxes become ordinary ones.
    cltAabbD drifted( const cltAabbD& box, Random& random, double reach = 0.3 ) const;

    /// A box in a crowd: `count` such boxes with equal `place` lie so densely that each overlaps about ten others.
    /// \param place  the seed of the crowd's center
    cltAabbD crowded( std::uint64_t place, std::size_t count, Random& random ) const;

    /// A box that many broadphases handle wrongly: infinite, inverted, a point, or with a NaN. Many of them touch
    /// `neighbour` or lie one representable number beyond it. The oracle's comparisons define which boxes they overlap.
    cltAabbD odd( const cltAabbD& neighbour, Random& random ) const;

    /// A box that overlaps nearly all others: planes, half and whole spaces.
    cltAabbD wide( Random& random ) const;

    bool isWide( const cltAabbD& box ) const;

private:
    cltAabbD rounded( const cltAabbD& box ) const;
    double next( double value, double towards ) const;
    cltAabbD beside( const cltAabbD& neighbour, Random& random ) const;
    bool isOrdinary( const cltAabbD& box ) const;

    bool m_isFloat;
    double m_farAway;
    double m_width; ///< along y and z; along x it is longer
    double m_largest;
};

} // namespace cullet

#endif
