// SPDX-License-Identifier: Zlib
/// \file demo.h
/// One run of the demo, from the column to the summary.
#ifndef CLT_DEMO_DEMO_H
#define CLT_DEMO_DEMO_H

#include "renderer.h"

#include <string>

namespace cullet::demo
{

struct DemoSettings
{
    int bodies = 3000;
    int steps = 300;
    std::string broadphase = "cullet"; ///< one of broadphaseNames()
    int threads = 0;                   ///< of cullet; 0 for one per processor
    std::string out = "out";           ///< a directory that exists
    PictureSize size;
};

/// Simulates, prints, draws.
/// \return whether every body ended where it may be
/// \throws std::runtime_error if a file cannot be written or the broadphase fails
bool runDemo( const DemoSettings& settings );

} // namespace cullet::demo

#endif
