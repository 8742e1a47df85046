// SPDX-License-Identifier: Zlib
/// \file stream.h
/// A stream of calls for a race, and that of a named scene.
#ifndef CLT_RACE_STREAM_H
#define CLT_RACE_STREAM_H

#include "demos/engines/engine.h"
#include "demos/scenes/scenes.h"

#include <chrono>
#include <memory>
#include <string>

namespace cullet::compare
{

/// Calls between two checks of an engine's budget.
constexpr std::size_t callsAtATime = 1024;

class Stream
{
public:
    virtual ~Stream() = default;

    /// Reads the calls up to the end of the next step, or fewer if there are very many. Reuses the batch's memory.
    /// \return false at the end of the stream
    virtual bool next( Batch& batch ) = 0;

    const StreamInfo& info() const
    {
        return m_info;
    }

protected:
    StreamInfo m_info;
};

struct SceneLength
{
    int warmup = 0; ///< untimed steps
    int steps = 1;  ///< timed steps
    double seconds; ///< time limit after which the scene ends early, but with at least two timed steps
};

/// Step 0 creates all boxes; each further step replaces boxes, in the scene that does, and sets those that moved.
class SceneStream : public Stream
{
public:
    /// Throws std::runtime_error if memory runs out.
    SceneStream( const cltSceneDef& def, const SceneLength& length );

    bool next( Batch& batch ) override;

private:
    using Clock = std::chrono::steady_clock;

    void insertAll( Batch& batch ) const;
    void addStep( Batch& batch ) const;
    bool isLastStep() const;

    std::unique_ptr<cltScene, decltype( &cltDestroyScene )> m_scene;
    SceneLength m_length;
    bool m_isInserted = false;
    bool m_isAtEnd = false;
    Clock::time_point m_begin; ///< of the first step
};

} // namespace cullet::compare

#endif
