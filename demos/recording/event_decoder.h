// SPDX-License-Identifier: Zlib
/// \file event_decoder.h
/// Turns the bytes of blocks back into events. Every number is checked before it means anything: a forged file gets an
/// error, never a proxy that is not alive.
#ifndef CLT_RECORDING_EVENT_DECODER_H
#define CLT_RECORDING_EVENT_DECODER_H

#include "event.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace cullet::recording
{

class EventDecoder
{
public:
    /// \param scalarBytes  4 or 8
    explicit EventDecoder( std::uint32_t scalarBytes );

    /// Decodes from this block next. It must stay as it is until it is used up.
    void setBlock( const std::vector<unsigned char>& block );

    /// False when the block is used up. Throws RecordingError where it makes no sense.
    bool next( Event& event );

    std::uint64_t eventCount() const
    {
        return m_eventCount;
    }

private:
    using BoxBits = std::array<std::uint64_t, 6>; ///< as the file has them
    using RayBits = std::array<std::uint64_t, 16>;

    struct LiveProxy
    {
        std::uint32_t slot;
        BoxBits box;
    };

    std::uint32_t takeSlot();
    void decode( unsigned code, Event& event );
    void decodeCreate( Event& event );
    void decodeDestroy( Event& event );
    void decodeMove( Event& event );
    void decodeRay( Event& event );
    LiveProxy& decodeProxy( Event& event );
    void decodeFilter( Event& event );

    unsigned byte();
    std::uint64_t number();
    std::int64_t signedNumber();
    std::int32_t filterNumber();

    template <std::size_t count>
    bool scalars( std::array<std::uint64_t, count>& last );

    double scalar( std::uint64_t bits ) const;
    Box box( const std::uint64_t* bits ) const;
    [[noreturn]] void fail( const char* what ) const;

    std::uint32_t m_scalarBytes;
    const unsigned char* m_at = nullptr;
    const unsigned char* m_end = nullptr;
    unsigned m_flags = 0; ///< of the event being decoded
    std::uint64_t m_lastProxy = UINT64_MAX;
    std::uint64_t m_eventCount = 0;
    std::uint64_t m_createdCount = 0;
    std::unordered_map<std::uint64_t, LiveProxy> m_alive; ///< by their numbers, which only grow
    std::vector<std::uint32_t> m_freeSlots; ///< what a replay needs follows from the proxies alive at once
    BoxBits m_lastCreated{};
    BoxBits m_lastBoxQuery{};
    RayBits m_lastRay{};
};

} // namespace cullet::recording

#endif
