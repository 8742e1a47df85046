// SPDX-License-Identifier: Zlib
/// \file column_demo.h
/// The demo of one world: a column of bodies over one broadphase, from free fall to a pile at rest.
#ifndef CLT_WORLD_COLUMN_DEMO_H
#define CLT_WORLD_COLUMN_DEMO_H

#include "comparison.h"

#include "demos/render/picture.h"

#include <filesystem>

namespace cullet::demo
{

/// Prints progress and a summary. Writes pictures and tables, named demo-…, into the directory, which must exist.
/// \param kind  must be a column
/// \return whether all bodies are inside the bounds and above the plane
bool runColumnDemo( const WorldKind& kind, const WorldOptions& options, const std::string& broadphase, PictureSize size,
                    const std::filesystem::path& directory );

} // namespace cullet::demo

#endif
