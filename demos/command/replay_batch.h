// SPDX-License-Identifier: Zlib
/// \file replay_batch.h
/// A stretch of a recording, prepared for the engines: converted once, outside the timed sections, into every form that
/// an engine takes. This program computes in float; a double is rounded to the nearest, which keeps the order of any two
/// numbers, so that boxes that overlap in double overlap in float too.
#ifndef CLT_COMMAND_REPLAY_BATCH_H
#define CLT_COMMAND_REPLAY_BATCH_H

#include "moves.h"

#include "demos/recording/recording_reader.h"

#include "cullet.h"

#include <vector>

namespace cullet::compare
{

struct ReplayCall
{
    recording::EventKind kind;
    std::uint32_t slot;   ///< of the proxy
    std::uint32_t number; ///< of the proxy, in the order of creation
    std::uint32_t ray;    ///< into ReplayBatch::rays
    cltFilter filter;
    cltAabb box;
    BulletBox bulletBox;
};

struct ReplayRay
{
    btVector3 origin;
    btVector3 target;
    btVector3 inverseDirection;
    BulletBox swept;
    float length;
    unsigned signs[3];
    bool isSound;   ///< its signs, inverse direction and length fit together, so that it has one right answer
    bool isSegment; ///< sound, nothing swept, and all of it lies between origin and target
};

struct ReplayBatch
{
    std::vector<ReplayCall> calls;
    std::vector<ReplayRay> rays;
    bool endsWithStep = false; ///< pairs are to be found behind the calls
};

inline bool isQuery( const ReplayCall& call )
{
    return call.kind == recording::EventKind::ray || call.kind == recording::EventKind::boxQuery;
}

/// The calls up to the next step, or fewer if they are very many.
/// \return false behind the end of the recording; throws recording::RecordingError as the reader does
bool readBatch( recording::RecordingReader& reader, ReplayBatch& batch );

} // namespace cullet::compare

#endif
