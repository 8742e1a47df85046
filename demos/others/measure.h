// SPDX-License-Identifier: Zlib
/// \file measure.h
/// Broadphases of another library and cullet behind its interface, in the same scenes, in turns.
#ifndef CLT_OTHERS_MEASURE_H
#define CLT_OTHERS_MEASURE_H

#include "demos/scenes/scenes.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cullet::others
{

/// A broadphase of either library with the bodies of a scene in it.
class Runner
{
public:
    virtual ~Runner() = default;

    /// What an application does in a step: places the bodies that moved, and has every pair told to a callback.
    /// \return how many there were
    virtual std::size_t step( const cltScene& scene ) = 0;
};

struct Contestant
{
    std::string name;
    std::function<std::unique_ptr<Runner>( const cltScene& scene )> create;
};

/// Prints the median milliseconds of a step of each, in the scene `brownian` with as many bodies as the first argument
/// says, of which the second one's percentage moves. Slow contestants make fewer steps.
/// \return the program's exit code: 1 when one found more or fewer pairs than the first, 2 for other arguments
int measure( const std::vector<Contestant>& contestants, int argc, char** argv );

} // namespace cullet::others

#endif
