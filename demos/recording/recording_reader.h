// SPDX-License-Identifier: Zlib
/// \file recording_reader.h
/// A recording from its first event to its last. Every number is checked before it means anything: a forged file gets
/// an error, never a proxy that is not alive.
#ifndef CLT_RECORDING_RECORDING_READER_H
#define CLT_RECORDING_RECORDING_READER_H

#include "block_reader.h"
#include "event.h"

#include <unordered_map>

namespace cullet::recording
{

/// Everything here throws RecordingError where the file is no good.
class RecordingReader
{
public:
    explicit RecordingReader( const std::string& path );

    /// 4 for float, 8 for double.
    std::uint32_t scalarBytes() const
    {
        return m_blocks.scalarBytes();
    }

    /// False behind the last event, as often as it is asked, and only if the file was whole.
    bool next( Event& event );

private:
    template <std::size_t count>
    using Bits = std::array<std::uint64_t, count>; ///< of scalars, as the file has them

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
    std::size_t m_at = 0; ///< in the block
    bool m_isAtEnd = false;
    unsigned m_flags = 0; ///< of the event being decoded
    std::uint64_t m_lastProxy = UINT64_MAX;
    std::uint64_t m_eventCount = 0;
    std::uint64_t m_createdCount = 0;
    std::unordered_map<std::uint64_t, LiveProxy> m_alive; ///< by their numbers, which only grow
    std::vector<std::uint32_t> m_freeSlots; ///< what a replay needs follows from the proxies alive at once

    /// By kind, the scalars that the next ones stand against, unless these are a proxy's.
    std::array<Bits<CULLET_RECORD_RAY_SCALARS>, eventKindCount> m_last{};
};

} // namespace cullet::recording

#endif
