// SPDX-License-Identifier: Zlib
/// \file replay_model.h
/// What a replay must come to, kept without any of cullet's or Bullet's code: the boxes and filters as they are after
/// each call, and the pairs and query results that follow from them.
#ifndef CLT_COMMAND_REPLAY_MODEL_H
#define CLT_COMMAND_REPLAY_MODEL_H

#include "replay_engine.h"

namespace cullet::compare
{

/// Both ascending, by slots.
struct ExpectedPairs
{
    PairSet required;
    /// Boxes that overlap, one with a filter edited in place since it was created. When such an edit takes effect is each
    /// broadphase's own affair: Bullet's and CulletBroadphase ask the filter when a pair is offered, the C API obeys at
    /// once. So these pairs may be there or not.
    PairSet optional;
};

class ReplayModel
{
public:
    explicit ReplayModel( const ReplayRequest& request );

    /// A change; queries change nothing.
    void apply( const ReplayCall& call );

    ExpectedPairs pairs() const;

    /// Says in words what is wrong with an engine's answer; empty if nothing is.
    /// \param exact  as in firstWrongPair
    std::string wrongPairs( const PairSet& reported, const ExpectedPairs& expected, bool exact ) const;
    std::string wrongBoxHits( const ReplayCall& call, std::vector<std::uint32_t> hits, const Slack& slack ) const;
    std::string wrongRayHits( const ReplayRay& ray, std::vector<std::uint32_t> hits, const Slack& slack ) const;

private:
    struct Body
    {
        cltAabb box;
        cltFilter filter;
        std::uint32_t number;
        bool isAlive;
        bool isEdited;
        bool isVisible; ///< without a NaN
    };

    PairSet overlaps( bool filtered ) const;
    PairSet named( const PairSet& slots ) const;

    template <typename Meets>
    std::string wrongHits( std::vector<std::uint32_t> hits, const Slack& slack, Meets meets ) const;

    std::vector<Body> m_bodies; ///< by slot
    int m_longestAxis;
};

} // namespace cullet::compare

#endif
