// SPDX-License-Identifier: Zlib
/// \file recording_reader.h
/// Reads a recording from its first event to its last (plugin/recorder/CulletRecordFormat.h). Trusts no content: sizes
/// are checked against limits, blocks against their checksums, and events refer only to live proxies. The size of the
/// file limits the number of live proxies, and so the reader's memory. All functions throw RecordingError if the file
/// is invalid. A file that is cut off, because its program crashed, is valid.
#ifndef CLT_RECORDING_RECORDING_READER_H
#define CLT_RECORDING_RECORDING_READER_H

#include "event.h"

#include <fstream>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

namespace cullet::recording
{

/// Reads a file frame by frame. Checks each frame, and decompresses its block of events.
class BlockReader
{
public:
    explicit BlockReader( const std::string& path );

    /// The size of a scalar: 4 for float, 8 for double.
    std::uint32_t scalarBytes() const
    {
        return m_scalarBytes;
    }

    /// The size of the file when it was opened; 0 if that is unknown.
    std::uint64_t fileBytes() const
    {
        return m_fileBytes;
    }

    /// \param eventCount  number of events in all previous blocks, compared with the number stored at the file's end
    /// \return false after the last whole block
    bool next( std::vector<unsigned char>& block, std::uint64_t eventCount );

    /// Whether the file ended within a frame or without its last frame. Valid after next() has returned false.
    bool isCutOff() const
    {
        return m_isCutOff;
    }

private:
    bool read( std::vector<unsigned char>& bytes, std::size_t count );
    bool isSumRight() const;
    bool hasLastFrame();
    void requireInFrame( bool holds, const char* otherwise ) const;

    std::ifstream m_file;
    std::uint32_t m_scalarBytes = 0;
    std::uint64_t m_fileBytes = 0;
    std::uint64_t m_frameCount = 0;
    bool m_isCutOff = false;
    std::vector<unsigned char> m_header; ///< of the file, then of the current frame
    std::vector<unsigned char> m_stored; ///< of one frame
};

class RecordingReader
{
public:
    /// \param eventLimit  number of events to read at most
    explicit RecordingReader( const std::string& path, std::uint64_t eventLimit = UINT64_MAX );

    /// The size of a scalar: 4 for float, 8 for double.
    std::uint32_t scalarBytes() const
    {
        return m_blocks.scalarBytes();
    }

    /// \return false after the last event; may then be called again
    bool next( Event& event );

    /// Valid after the last event of the file. If true, the step of the last events may be incomplete.
    bool isCutOff() const
    {
        return m_blocks.isCutOff();
    }

private:
    template <std::size_t count>
    using Bits = std::array<std::uint64_t, count>; ///< bits of scalars, as in the file

    struct LiveProxy
    {
        std::uint32_t slot;
        Bits<CULLET_RECORD_BOX_SCALARS> box;
    };

    void decode( Event& event );
    void create( Event& event );
    LiveProxy& findProxy( Event& event );

    unsigned byte();
    std::uint64_t number();
    std::int64_t signedNumber();
    std::int32_t filterNumber();
    bool scalars( std::uint64_t* last, std::size_t count );

    double scalar( std::uint64_t bits ) const;
    std::array<double, 3> vector( const std::uint64_t* bits ) const;
    Box box( const std::uint64_t* bits ) const;
    [[noreturn]] void fail( const char* what ) const;

    BlockReader m_blocks;
    std::uint64_t m_mostAlive; ///< number of live proxies that the file may have
    std::uint64_t m_eventLimit;
    std::vector<unsigned char> m_block;
    std::size_t m_at = 0; ///< offset in the block
    bool m_isAtEnd = false;
    unsigned m_flags = 0; ///< of the current event
    std::uint64_t m_lastProxy = UINT64_MAX;
    std::uint64_t m_eventCount = 0;
    std::uint64_t m_createdCount = 0;
    std::unordered_map<std::uint64_t, LiveProxy> m_alive; ///< by number
    std::vector<std::uint32_t> m_freeSlots; ///< reused, so that slots stay below the largest number of live proxies

    /// By kind of event: the previous scalars, from which the file stores differences. Moves use their proxy's box.
    std::array<Bits<CULLET_RECORD_RAY_SCALARS>, eventKindCount> m_last{};
};

/// Facts about a recording that a replay needs before the first event. Events after the last step of a recording that
/// is cut off do not count.
struct Statistics
{
    std::uint32_t scalarBytes = 0; ///< 4 for float, 8 for double
    bool isCutOff = false;
    std::array<std::uint64_t, eventKindCount> counts{}; ///< by EventKind
    std::uint32_t mostAlive = 0;                        ///< largest number of live proxies; all slots are below it
    std::uint64_t changedMoves = 0;                     ///< setAabb calls that change the box
    std::uint64_t oddBoxes = 0;                         ///< with a NaN or a lower bound above the upper one
    bool hadCallback = false;                           ///< the program had a filter callback at some step
    std::uint64_t lastPairs = 0;          ///< number of pairs in the recorded broadphase after the last step
    std::array<double, 3> lowestCenter{}; ///< of all finite boxes; zeros if there are none
    std::array<double, 3> highestCenter{};

    std::uint64_t count( EventKind kind ) const
    {
        return counts[std::size_t( kind )];
    }

    std::uint64_t eventCount() const
    {
        return std::accumulate( counts.begin(), counts.end(), std::uint64_t( 0 ) );
    }
};

/// Reads a whole recording. Throws RecordingError also if it has no step.
Statistics readStatistics( const std::string& path );

} // namespace cullet::recording

#endif
