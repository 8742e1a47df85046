// SPDX-License-Identifier: Zlib
/// \file story.h
/// A column of bodies over one broadphase, from the first free fall until they are at rest in a pile.
#ifndef CLT_WORLD_STORY_H
#define CLT_WORLD_STORY_H

#include "kinds.h"
#include "world_options.h"

#include "demos/render/picture.h"

namespace cullet::demo
{

/// Prints progress and a summary, and writes pictures and tables, all named demo-…, into the directory, which is there.
/// \param kind  one that is a column
/// \return whether every body ended where it may be
bool tellStory( const WorldKind& kind, const WorldOptions& options, const std::string& broadphase, PictureSize size,
                const std::string& directory );

} // namespace cullet::demo

#endif
