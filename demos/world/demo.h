// SPDX-License-Identifier: Zlib
/// \file demo.h
/// One run of the demo, from the column to the summary.
#ifndef CLT_WORLD_DEMO_H
#define CLT_WORLD_DEMO_H

#include "world_options.h"

#include "demos/render/renderer.h"

namespace cullet::demo
{

struct DemoOptions : WorldOptions
{
    std::string out = "out"; ///< a directory that exists
    PictureSize size;
};

/// Simulates, prints, draws. Throws std::runtime_error if a file cannot be written or the broadphase fails.
/// \return whether every body ended where it may be
bool runDemo( const DemoOptions& options );

} // namespace cullet::demo

#endif
