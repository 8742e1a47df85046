// SPDX-License-Identifier: Zlib
/// \file table.h
/// A proxy table in its plainest form, and the calls that the bridge makes to a backend: so a backend can be tested
/// alone, stage by stage, without anybody finishing on the CPU what it failed to do.
#ifndef CLT_TESTS_CUDA_TABLE_H
#define CLT_TESTS_CUDA_TABLE_H

#include "gpu/backend.h"
#include "tests/support/boxes.h"

namespace test
{

using Keys = std::vector<uint64_t>;

class Table
{
public:
    explicit Table( cltPrecision precision ) : m_isDouble( precision == clt_precisionDouble )
    {
    }

    uint32_t create( const cltAabbD& box, const cltFilter& filter = { 1, -1 } );
    void move( uint32_t slot, const cltAabbD& box );
    void setFilter( uint32_t slot, const cltFilter& filter );
    void destroy( uint32_t slot );

    /// Everything that was done since the last commit.
    cltUpload upload() const;
    void commit();

    uint32_t slotCount() const
    {
        return static_cast<uint32_t>( m_states.size() );
    }

private:
    struct Boxes
    {
        std::vector<cltAabb> floats;
        std::vector<cltAabbD> doubles;

        void set( uint32_t slot, const cltAabbD& box );
        const void* data( bool isDouble ) const;
    };

    void mark( uint32_t slot );
    void noteFilter( const cltFilter& filter );

    bool m_isDouble;
    Boxes m_now;
    Boxes m_before;
    std::vector<cltFilter> m_filters;
    std::vector<cltFilter> m_filtersBefore;
    bool m_mayRefuse = false;
    std::vector<uint8_t> m_states;
    std::vector<uint32_t> m_changed;
    cltUpload m_counts = {}; ///< what an upload counts, and nothing else
};

/// A backend and what it needs to live.
class Backend
{
public:
    Backend( cltDevice device, cltAlgorithm algorithm, cltPrecision precision, cltOutput output = clt_outputKeys,
             bool keepsFront = false );
    ~Backend();
    Backend( const Backend& ) = delete;
    Backend& operator=( const Backend& ) = delete;

    /// All stages, and the commit if none failed.
    cltStatus update( const Table& table, Keys* changes );
    cltStatus readPairs( const Table& table, Keys* pairs );
    cltStats stats() const;
    cltResearchStats researchStats() const;

    /// False if no such device answers.
    bool exists() const
    {
        return m_backend != nullptr;
    }

    /// What the device said when it failed, or nothing.
    std::string failure() const
    {
        return m_backend->failure != nullptr ? m_backend->failure : "";
    }

    /// The backend as its own files see it.
    template <typename Inside>
    const Inside& as() const
    {
        return *reinterpret_cast<const Inside*>( m_backend );
    }

private:
    cltBroadphaseDef m_def;
    cltResearchDef m_research;
    cltMemory m_memory;
    cltBackend* m_backend = nullptr;
};

/// An update that goes well, for both. Returns the changes.
Keys update( Backend& backend, Table& table );

/// A step of a row of cubes, of which one in `share` creeps.
void creep( Table& table, Random& random, uint32_t share );

/// A step of a world in which bodies creep, jump, hide, grow, come and go, and change their filters.
void stir( Table& table, Random& random, int step );

} // namespace test

#endif
