// SPDX-License-Identifier: Zlib
/// \file model.h
/// The expected results of a race, computed without any of cullet's or Bullet's code: boxes and filters after each
/// call, and the pairs and query hits that follow from them. `--check` compares the engines with this model.
#ifndef CLT_RACE_MODEL_H
#define CLT_RACE_MODEL_H

#include "demos/engines/engine.h"

namespace cullet::compare
{

/// Pairs of slots, both lists ascending.
struct ExpectedPairs
{
    PairSet required;
    /// Overlapping pairs of which a filter was edited in place. They may be reported or not, because broadphases apply
    /// edits at different times: Bullet's and CulletBroadphase when a pair begins, the C API at once.
    PairSet optional;
};

class Model
{
public:
    /// \param longestAxis  the axis along which the boxes spread most. With any other axis the search is only slower
    Model( std::uint32_t mostAlive, int longestAxis );

    /// \param calls  must not be queries
    void apply( const Batch& batch, const Calls& calls );

    /// All pairs that filters accept and that overlap, as closed intervals, on all three axes.
    ExpectedPairs pairs() const;

    /// Describes the first error in an engine's answer; empty if there is none. Bodies are numbered in the order of
    /// their creation.
    /// \param exact  as in firstWrongPair
    std::string wrongPairs( const PairSet& reported, const ExpectedPairs& expected, bool exact ) const;
    std::string wrongHits( const Batch& batch, const Calls& calls, std::size_t call, Hits hits,
                           const Tolerance& tolerance ) const;

private:
    struct Body
    {
        cltAabb box;
        cltFilter filter;
        std::uint32_t number;
        bool isActive; ///< alive, and its box has no NaN
        bool isEdited;
    };

    PairSet named( const PairSet& slots ) const;

    std::vector<Body> m_bodies; ///< by slot
    std::uint32_t m_createdCount = 0;
    int m_longestAxis;
};

} // namespace cullet::compare

#endif
