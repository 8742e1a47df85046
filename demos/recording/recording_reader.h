// SPDX-License-Identifier: Zlib
/// \file recording_reader.h Reads a recording from its first event to its last. Checks every number before use: a
/// forged file causes an error, and events refer only to live proxies.
#ifndef CLT_RECORDING_RECORDING_READER_H
#define CLT_RECORDING_RECORDING_READER_H

#include "block_reader.h"
#include "event.h"

#include <unordered_map>

namespace cullet::recording
{

/// All functions throw RecordingError if the file is invalid.
class RecordingReader
{
public:
    explicit RecordingReader( const std::string& path );

    /// 4 for float, 8 for double.
    std::uint32_t scalarBytes() const
    {
        return m_blocks.scalarBytes();
    }

    /// \return false after the last event of a complete file; may then be called again
    bool next( Event& event );

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
    std::vector<unsigned char> m_block;
    std::size_t m_at = 0; ///< offset in the block
    bool m_isAtEnd = false;
    unsigned m_flags = 0; ///< of the current event
    std::uint64_t m_lastProxy = UINT64_MAX;
    std::uint64_t m_eventCount = 0;
    std::uint64_t m_createdCount = 0;
    std::unordered_map<std::uint64_t, LiveProxy> m_alive; ///< by number
    std::vector<std::uint32_t> m_freeSlots; ///< reused, so that slots stay below the largest number of live proxies

    /// By kind, the reference of the next scalars, unless that is a box of a proxy.
    std::array<Bits<CULLET_RECORD_RAY_SCALARS>, eventKindCount> m_last{};
};

} // namespace cullet::recording

#endif
