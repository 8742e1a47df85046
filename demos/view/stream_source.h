// SPDX-License-Identifier: Zlib
/// \file stream_source.h
/// Boxes without a world: a scene of `cullet compare`, or a recording.
#ifndef CLT_VIEW_STREAM_SOURCE_H
#define CLT_VIEW_STREAM_SOURCE_H

#include "source.h"

#include "demos/race/stream.h"

namespace cullet::view
{

std::unique_ptr<Source> makeStreamSource( std::unique_ptr<compare::Stream> stream, const SourceRequest& request );

} // namespace cullet::view

#endif
