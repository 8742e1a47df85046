// SPDX-License-Identifier: Zlib
/// \file driver.h
/// Plays the application: what a step changes in the world. Every choice comes from the seed and from the tester's own
/// copy of the world, never from the broadphase, so that the same seed makes the same calls whatever it answers.
#ifndef CLT_STRESS_DRIVER_H
#define CLT_STRESS_DRIVER_H

#include "arena.h"
#include "phases.h"
#include "world.h"

namespace cullet::stress
{

class Driver
{
public:
    /// \param look  called between operations, to see the world half changed
    Driver( World& world, std::uint64_t seed, std::size_t bodyCount, std::function<void()> look );

    /// \param afterCheck  the previous step was checked, so that filters and cache may be edited now
    void step( std::uint64_t step, bool afterCheck );

    /// The phase of the last step.
    const char* phaseName() const
    {
        return m_at.phase->name;
    }

private:
    using Operation = void ( Driver::* )( Random& random );

    void editFilters( Random& random );
    void editCache( Random& random );
    void changeBoxes( Random& random );

    void headForPopulation( Random& random );
    void churn( Random& random );
    void drift( Random& random );
    void jump( Random& random );
    void repeat( Random& random );
    void setOdd( Random& random );
    void setOddBox( Body& body, const Box& box );
    void setWide( Random& random );
    void crowd( Random& random );

    std::size_t countOf( double share ) const;
    std::size_t wideCount() const;
    Body& anyBody( Random& random );
    void create( Random& random );
    void destroyAny( Random& random );

    World& m_world;
    Arena m_arena;
    std::uint64_t m_seed;
    std::size_t m_bodyCount;
    std::function<void()> m_look;
    Schedule m_schedule;
    PhaseAt m_at;
};

} // namespace cullet::stress

#endif
