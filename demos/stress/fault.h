// SPDX-License-Identifier: Zlib
/// \file fault.h
/// The first thing that a broadphase did wrong.
#ifndef CLT_STRESS_FAULT_H
#define CLT_STRESS_FAULT_H

#include <stdexcept>
#include <string>

namespace cullet::stress
{

struct Fault : std::runtime_error
{
    /// \param what    such as "wrong pair set"
    /// \param detail  where, such as "missing (12, 99)"
    Fault( const std::string& what, const std::string& detail ) : std::runtime_error( what ), detail( detail )
    {
    }

    std::string detail;
};

[[noreturn]] inline void wrongPairSet( const std::string& detail )
{
    throw Fault( "wrong pair set", detail );
}

} // namespace cullet::stress

#endif
