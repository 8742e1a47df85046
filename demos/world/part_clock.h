// SPDX-License-Identifier: Zlib
/// \file part_clock.h
/// Where the time of a step goes. At any moment the step is in exactly one of its parts, so that these add up to the
/// step, however they are nested: a part that calls another waits until it is done.
#ifndef CLT_WORLD_PART_CLOCK_H
#define CLT_WORLD_PART_CLOCK_H

#include <array>

namespace cullet::demo
{

enum Part
{
    boxesPart,       ///< boxes of all bodies, handed to the broadphase
    broadphasePart,  ///< pairs brought up to date
    narrowPhasePart, ///< contacts of all pairs
    islandsPart,     ///< who touches whom, and may sleep
    solverPart,      ///< contact and joint constraints
    actionsPart,     ///< characters: their sweeps and what they set
    restPart,        ///< motion prediction, integration, deactivation
    partCount
};

/// As tables name them.
extern const std::array<const char*, partCount> partNames;

/// Milliseconds of each part.
using PartTimes = std::array<double, partCount>;

double sumOf( const PartTimes& times );

class PartClock
{
public:
    /// Forgets what it knows; the rest begins.
    void start();

    /// \return the part that was interrupted
    Part enter( Part part );

    /// That went by.
    const PartTimes& wall() const
    {
        return m_wall;
    }

    /// That all threads of the process spent on processors.
    const PartTimes& processor() const
    {
        return m_processor;
    }

private:
    Part m_part = restPart;
    double m_wallAt = 0;
    double m_processorAt = 0;
    PartTimes m_wall{};
    PartTimes m_processor{};
};

/// From its beginning to its end the clock is in the part.
class InPart
{
public:
    InPart( PartClock& clock, Part part ) : m_clock( clock ), m_outer( clock.enter( part ) )
    {
    }

    ~InPart()
    {
        m_clock.enter( m_outer );
    }

    InPart( const InPart& ) = delete;
    InPart& operator=( const InPart& ) = delete;

private:
    PartClock& m_clock;
    Part m_outer;
};

} // namespace cullet::demo

#endif
