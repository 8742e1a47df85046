// SPDX-License-Identifier: Zlib
/// \file live_proxies.h
/// The proxies that are alive at a point of a recording: from their numbers, which only grow, to slots, which stay few.
/// So what a replay needs follows from the proxies alive at once, not from how many there ever were.
#ifndef CLT_RECORDING_LIVE_PROXIES_H
#define CLT_RECORDING_LIVE_PROXIES_H

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cullet::recording
{

/// A box as the file has it: the bits of its six scalars.
using BoxBits = std::array<std::uint64_t, 6>;

struct LiveProxy
{
    std::uint32_t slot;
    BoxBits box;
};

class LiveProxies
{
public:
    /// Four times the largest world that cullet is meant for. Bounds the memory that a forged file can ask for.
    static constexpr std::size_t mostAlive = 1u << 22;

    /// The next number in the order of creation, in a free slot. Throws RecordingError beyond
    /// mostAlive.
    LiveProxy& create( const BoxBits& box );

    /// NULL if no such proxy is alive. Valid until the next create or destroy.
    LiveProxy* find( std::uint64_t number );

    /// \param number  of a proxy that is alive
    void destroy( std::uint64_t number );

    std::uint64_t createdCount() const
    {
        return m_createdCount;
    }

private:
    std::unordered_map<std::uint64_t, LiveProxy> m_alive;
    std::vector<std::uint32_t> m_freeSlots;
    std::uint64_t m_createdCount = 0;
};

} // namespace cullet::recording

#endif
