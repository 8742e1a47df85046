// SPDX-License-Identifier: Zlib
/// \file part_clock.h
/// Measures the parts of a step. The clock is in exactly one part at any time, so that the parts add up to the step. A
/// nested part interrupts the outer one.
#ifndef CLT_WORLD_PART_CLOCK_H
#define CLT_WORLD_PART_CLOCK_H

#include <array>

namespace cullet::demo
{

enum Part
{
    boxesPart,       ///< computing all boxes and setting them in the broadphase
    broadphasePart,  ///< updating the pairs
    narrowPhasePart, ///< contacts of all pairs
    islandsPart,     ///< groups of bodies that touch, which can sleep together
    solverPart,      ///< contact and joint constraints
    actionsPart,     ///< character controllers
    restPart,        ///< motion prediction, integration, deactivation
    partCount
};

/// The names of the parts in tables.
extern const std::array<const char*, partCount> partNames;

/// Milliseconds of each part.
using PartTimes = std::array<double, partCount>;

double sumOf( const PartTimes& times );

class PartClock
{
public:
    /// Resets the times and enters restPart.
    void start();

    /// \return the part that was interrupted
    Part enter( Part part );

    /// Elapsed time.
    const PartTimes& wall() const
    {
        return m_wall;
    }

    /// Processor time of all threads of the process.
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

/// Keeps the clock in a part for its own lifetime.
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
