// SPDX-License-Identifier: Zlib
/// \file peers.h
/// Broadphases of other projects. Each is built if its library is installed when CMake runs (bench/README.md).
#ifndef CLT_ENGINES_PEERS_H
#define CLT_ENGINES_PEERS_H

#include "engine.h"

#include <cstddef>

namespace cullet::compare
{

#ifdef CULLET_WITH_EMBREE
std::unique_ptr<Engine> createEmbreeEngine( const StreamInfo& info, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createEmbreeRefitEngine( const StreamInfo& info, const cltBroadphaseDef& core );
#else
constexpr std::nullptr_t createEmbreeEngine = nullptr;
constexpr std::nullptr_t createEmbreeRefitEngine = nullptr;
#endif

#ifdef CULLET_WITH_FCL
std::unique_ptr<Engine> createFclEngine( const StreamInfo& info, const cltBroadphaseDef& core );
#else
constexpr std::nullptr_t createFclEngine = nullptr;
#endif

#ifdef CULLET_WITH_JOLT
std::unique_ptr<Engine> createJoltEngine( const StreamInfo& info, const cltBroadphaseDef& core );
#else
constexpr std::nullptr_t createJoltEngine = nullptr;
#endif

#ifdef CULLET_WITH_PHYSX
std::unique_ptr<Engine> createPhysxEngine( const StreamInfo& info, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createParallelPhysxEngine( const StreamInfo& info, const cltBroadphaseDef& core );
#else
constexpr std::nullptr_t createPhysxEngine = nullptr;
constexpr std::nullptr_t createParallelPhysxEngine = nullptr;
#endif

/// The number of threads that an engine with threads of its own gets.
int peerThreads( const cltBroadphaseDef& core );

/// The base class of peers that find all pairs again in each step, and report a list of pairs but no changes. They
/// support the calls of scenes only: all bodies are created in the first step, move, and may be replaced. Bodies with
/// equal filters form a team, and only teams that may pair are searched.
class PeerEngine : public Engine
{
public:
    explicit PeerEngine( const StreamInfo& info ) : m_places( info.mostAlive )
    {
    }

    void change( const Batch& batch, const Calls& calls ) override;
    void findPairs() override;
    PairSet pairs() override;

protected:
    struct Team
    {
        cltFilter filter;
        std::vector<cltAabb> boxes;
        std::vector<std::uint32_t> slots; ///< of the boxes
    };

    /// Updates the tree of a team. Called before any collide(), for each team with a box that was set.
    /// \param index  of the team. Teams are numbered in the order of their first bodies
    virtual void update( std::size_t index, const Team& team ) = 0;

    /// Appends to m_pairs the overlapping pairs of boxes of two teams, or within one team if `a` equals `b`. Increases
    /// m_pairCount.
    virtual void collide( std::size_t a, std::size_t b ) = 0;

    const Team& team( std::size_t index ) const
    {
        return m_teams[index];
    }

    PairSet m_pairs;             ///< the pairs of this step, in any order, then unused elements
    std::size_t m_pairCount = 0; ///< pairs of this step

private:
    struct Place
    {
        std::uint32_t team = 0;
        std::uint32_t index = 0; ///< within the team
        bool isTaken = false;    ///< the slot's body was created
    };

    Place placeFor( const cltFilter& filter );

    std::vector<Team> m_teams;
    std::vector<bool> m_areSet;  ///< by team: a box was set since the last step
    std::vector<Place> m_places; ///< by slot
};

} // namespace cullet::compare

#endif
