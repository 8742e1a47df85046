// SPDX-License-Identifier: Zlib
/// \file measure.h
/// Compares broadphases of another library with cullet behind that library's interface, in the same scenes.
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

    /// Makes an application's step: places the bodies that moved, and passes every pair to a callback.
    /// \return number of pairs
    virtual std::size_t step( const cltScene& scene ) = 0;
};

struct Contestant
{
    std::string name;
    std::function<std::unique_ptr<Runner>( const cltScene& scene )> create;
};

/// Prints the median milliseconds of a step of each contestant in the scene `brownian`. The first argument is the
/// number of bodies, the second the percentage of bodies that move. Slow contestants make fewer steps.
/// \return the program's exit code: 1 if the numbers of pairs differ, 2 if the arguments are invalid
int measure( const std::vector<Contestant>& contestants, int argc, char** argv );

} // namespace cullet::others

#endif
