// SPDX-License-Identifier: Zlib
/// \file stream.h
/// What engines are raced through: a named scene or a recording, both streams of calls.
#ifndef CLT_RACE_STREAM_H
#define CLT_RACE_STREAM_H

#include "demos/engines/engine.h"
#include "demos/recording/recording_reader.h"
#include "demos/recording/statistics.h"
#include "demos/scenes/scenes.h"

#include <chrono>
#include <memory>
#include <string>

namespace cullet::compare
{

class Stream
{
public:
    virtual ~Stream() = default;

    /// The calls up to the next step, or fewer if they are very many. The batch may be one of earlier calls.
    /// \return false behind the end
    virtual bool next( Batch& batch ) = 0;

    const Course& course() const
    {
        return m_course;
    }

protected:
    Course m_course;
};

struct SceneLength
{
    int warmup = 0; ///< steps that are not timed
    int steps = 1;  ///< that are
    double seconds; ///< after which the scene ends early, with two timed steps at least
};

/// A step 0 that creates all boxes, then all boxes that moved in each step.
class SceneStream : public Stream
{
public:
    /// Throws std::runtime_error when memory runs out.
    SceneStream( const cltSceneDef& def, const SceneLength& length );

    bool next( Batch& batch ) override;

private:
    using Clock = std::chrono::steady_clock;

    void insertAll( Batch& batch ) const;
    bool isLastStep() const;

    std::unique_ptr<cltScene, decltype( &cltDestroyScene )> m_scene;
    SceneLength m_length;
    bool m_isInserted = false;
    bool m_isAtEnd = false;
    Clock::time_point m_begin; ///< of the first step
};

/// Throws recording::RecordingError as the reader does.
class RecordedStream : public Stream
{
public:
    RecordedStream( const std::string& path, const recording::Statistics& statistics );

    bool next( Batch& batch ) override;

private:
    recording::RecordingReader m_reader;
    std::uint64_t m_step = 1;
};

} // namespace cullet::compare

#endif
