// SPDX-License-Identifier: Zlib
/// \file replay_engine.h
/// A broadphase as a replay sees it: single calls in the order in which a program made them.
#ifndef CLT_COMMAND_REPLAY_ENGINE_H
#define CLT_COMMAND_REPLAY_ENGINE_H

#include "engine.h"
#include "replay_batch.h"

#include <limits>

namespace cullet::compare
{

/// What a replay engine is created for.
struct ReplayRequest
{
    CoreChoice core; ///< engines of Bullet ignore it
    std::uint32_t mostAlive;
    btVector3 lowestCenter; ///< of all boxes in the recording
    btVector3 highestCenter;
};

/// How far from the exact boxes a query's results may end. Everything that meets a box made smaller by `inward` must be
/// reported, nothing that misses it made larger by `outward` may be. Metres, and then parts of the coordinates.
struct Slack
{
    float inward;
    float outward;
    float relative; ///< of the coordinates, added to both unless they are 0
};

constexpr Slack exactly = { 0, 0, 0 };
constexpr Slack noneMissing = { 0, std::numeric_limits<float>::infinity(), 0 };

class ReplayEngine
{
public:
    ReplayEngine() = default;
    ReplayEngine( const ReplayEngine& ) = delete;
    ReplayEngine& operator=( const ReplayEngine& ) = delete;
    virtual ~ReplayEngine() = default;

    /// create, destroy, move, filter or resetPool.
    virtual void change( const ReplayCall& call ) = 0;
    virtual void findPairs() = 0;

    /// \param[out] hits  slots are added, in any order
    virtual void castRay( const ReplayRay& ray, std::vector<std::uint32_t>& hits ) = 0;
    virtual void queryBox( const ReplayCall& call, std::vector<std::uint32_t>& hits ) = 0;

    /// Whether castRay answers such a ray at all.
    virtual bool casts( const ReplayRay& ray ) const = 0;
    virtual Slack raySlack( const ReplayRay& ray ) const = 0;
    virtual Slack boxSlack() const = 0;

    /// By slots, ascending.
    virtual PairSet pairs() = 0;
    /// As Engine::cacheMs.
    virtual std::optional<double> cacheMs() const
    {
        return std::nullopt;
    }

    virtual EngineFacts facts() const = 0;
};

} // namespace cullet::compare

#endif
