// SPDX-License-Identifier: Zlib
/// \file part_clock.cpp
/// Reads both clocks at every change of part, which takes a microsecond or two, about fifteen times in a substep.
#include "part_clock.h"

#include <ctime>
#include <numeric>

namespace cullet::demo
{

const std::array<const char*, partCount> partNames = { "boxes",  "broadphase", "narrow phase", "islands",
                                                       "solver", "actions",    "rest" };

static double millisecondsOf( clockid_t clock )
{
    timespec now{};
    clock_gettime( clock, &now );
    return double( now.tv_sec ) * 1e3 + double( now.tv_nsec ) * 1e-6;
}

double sumOf( const PartTimes& times )
{
    return std::accumulate( times.begin(), times.end(), 0.0 );
}

void PartClock::start()
{
    enter( restPart );
    m_wall = {};
    m_processor = {};
}

Part PartClock::enter( Part part )
{
    const double wall = millisecondsOf( CLOCK_MONOTONIC );
    const double processor = millisecondsOf( CLOCK_PROCESS_CPUTIME_ID );
    const Part outer = m_part;
    m_wall[outer] += wall - m_wallAt;
    m_processor[outer] += processor - m_processorAt;
    m_part = part;
    m_wallAt = wall;
    m_processorAt = processor;
    return outer;
}

} // namespace cullet::demo
