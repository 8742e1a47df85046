// SPDX-License-Identifier: Zlib
/// \file peers.h
/// Broadphases of other projects, each in the build if its Debian package was there when CMake ran. They find all pairs
/// anew in each step, tell the list of them and no changes, and know no filters: bodies that filters treat alike are
/// one team, with a tree of its own, and only teams that may pair are searched.
#ifndef CLT_ENGINES_PEERS_H
#define CLT_ENGINES_PEERS_H

#include "engine.h"

#include <cstddef>

namespace cullet::compare
{

#ifdef CULLET_WITH_EMBREE
std::unique_ptr<Engine> createEmbreeEngine( const Course& course, const cltBroadphaseDef& core );
std::unique_ptr<Engine> createEmbreeRefitEngine( const Course& course, const cltBroadphaseDef& core );
#else
constexpr std::nullptr_t createEmbreeEngine = nullptr;
constexpr std::nullptr_t createEmbreeRefitEngine = nullptr;
#endif

#ifdef CULLET_WITH_FCL
std::unique_ptr<Engine> createFclEngine( const Course& course, const cltBroadphaseDef& core );
#else
constexpr std::nullptr_t createFclEngine = nullptr;
#endif

/// What peers have in common. They take what a scene does: bodies that are created once, and moves.
class PeerEngine : public Engine
{
public:
    explicit PeerEngine( const Course& course ) : m_places( course.mostAlive )
    {
    }

    void change( const Batch& batch, const Calls& calls ) override;
    void findPairs() override;
    PairSet pairs() override;

    void castRay( const RayCall&, Hits& ) override;
    void queryBox( const Batch&, std::size_t, Hits& ) override;
    std::optional<Slack> raySlack( const RayCall& ) const override;
    Slack boxSlack() const override;

protected:
    struct Team
    {
        cltFilter filter;
        std::vector<cltAabb> boxes;
        std::vector<std::uint32_t> slots; ///< of the boxes
    };

    /// Brings the team's tree up to date; called for teams of which a box was set, and before any collide().
    /// \param index  of the team; teams are numbered in the order of their first bodies
    virtual void update( std::size_t index, const Team& team ) = 0;

    /// Adds to m_pairs, behind m_pairCount, every two boxes that overlap, one of each team; or both of the one team.
    virtual void collide( std::size_t a, std::size_t b ) = 0;

    const Team& team( std::size_t index ) const
    {
        return m_teams[index];
    }

    PairSet m_pairs;             ///< of this step, in any order, and room for more
    std::size_t m_pairCount = 0; ///< of this step

private:
    struct Place
    {
        std::uint32_t team;
        std::uint32_t index; ///< within it
    };

    Place placeFor( const cltFilter& filter );

    std::vector<Team> m_teams;
    std::vector<bool> m_areSet;  ///< teams, since the last step
    std::vector<Place> m_places; ///< by slot
};

} // namespace cullet::compare

#endif
