// SPDX-License-Identifier: Zlib
/// \file story.h
/// A pile over one broadphase, from the first free fall until it is at rest.
#ifndef CLT_WORLD_STORY_H
#define CLT_WORLD_STORY_H

#include "world_options.h"

#include "demos/render/picture.h"

namespace cullet::demo
{

/// Prints progress and a summary, and writes pictures and tables, all named demo-…, into the directory, which is there.
/// \return whether every body ended where it may be
bool tellStory( const WorldOptions& options, const std::string& broadphase, PictureSize size,
                const std::string& directory );

} // namespace cullet::demo

#endif
