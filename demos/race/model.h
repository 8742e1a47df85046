// SPDX-License-Identifier: Zlib
/// \file model.h
/// What a race must come to, found without any of cullet's or Bullet's code: the boxes and filters as they are after
/// each call, and the pairs and query results that follow from them. What `--check` holds the engines to.
#ifndef CLT_RACE_MODEL_H
#define CLT_RACE_MODEL_H

#include "demos/engines/engine.h"

namespace cullet::compare
{

/// Both ascending, by slots.
struct ExpectedPairs
{
    PairSet required;
    /// Boxes that overlap, one with a filter edited in place since it was created. When such an edit takes effect is
    /// each broadphase's own affair: Bullet's and CulletBroadphase ask the filter when a pair is offered, the C API
    /// obeys at once. So these pairs may be there or not.
    PairSet optional;
};

class Model
{
public:
    /// \param longestAxis  along which the boxes are spread out most; a guess costs time, not pairs
    Model( std::uint32_t mostAlive, int longestAxis );

    /// \param calls  no queries
    void apply( const Batch& batch, const Calls& calls );

    /// Every two boxes that may pair and whose closed intervals meet on all three axes.
    ExpectedPairs pairs() const;

    /// Says in words what is wrong with an engine's answer; empty if nothing is. Bodies are numbered in the order of
    /// their creation.
    /// \param exact  as in firstWrongPair
    std::string wrongPairs( const PairSet& reported, const ExpectedPairs& expected, bool exact ) const;
    std::string wrongHits( const Batch& batch, const Calls& calls, std::size_t call, Hits hits,
                           const Slack& slack ) const;

private:
    struct Body
    {
        cltAabb box;
        cltFilter filter;
        std::uint32_t number;
        bool isThere; ///< alive, and without a NaN
        bool isEdited;
    };

    PairSet named( const PairSet& slots ) const;

    std::vector<Body> m_bodies; ///< by slot
    std::uint32_t m_createdCount = 0;
    int m_longestAxis;
};

} // namespace cullet::compare

#endif
