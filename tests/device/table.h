// SPDX-License-Identifier: Zlib
/// \file table.h A minimal proxy table, and the calls of a backend as the bridge makes them. With these, tests run a
/// backend alone, stage by stage, without failover to the CPU.
#ifndef CLT_TESTS_CUDA_TABLE_H
#define CLT_TESTS_CUDA_TABLE_H

#include "gpu/backend.h"
#include "tests/support/boxes.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

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

    /// An upload of all changes since the last commit.
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
    cltUpload m_counts = {}; ///< only its counts are set
};

/// A backend and its resources.
class Backend
{
public:
    Backend( cltDevice device, cltAlgorithm algorithm, cltPrecision precision, cltOutput output = clt_outputKeys );
    ~Backend();
    Backend( const Backend& ) = delete;
    Backend& operator=( const Backend& ) = delete;

    /// Runs all stages and, if none failed, the commit.
    cltStatus update( const Table& table, Keys* changes );
    cltStatus readPairs( const Table& table, Keys* pairs );
    cltStats stats() const;
    cltResearchStats researchStats() const;

    /// False if there is no such device.
    bool exists() const
    {
        return m_backend != nullptr;
    }

    /// Message of the last failure, or empty.
    std::string failure() const
    {
        return m_backend->failure != nullptr ? m_backend->failure : "";
    }

    /// The backend as its implementation type.
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

/// An algorithm on the device and its output, as a parameter of tests.
struct Searcher
{
    cltAlgorithm algorithm;
    cltOutput output = clt_outputKeys;

    std::unique_ptr<Backend> create( cltPrecision precision ) const;
};

std::string nameOfSearcher( const testing::TestParamInfo<Searcher>& info );

/// Updates and commits without a failure. Returns the changes.
Keys update( Backend& backend, Table& table );

/// Moves every `share`-th cube of a row a little.
void creep( Table& table, Random& random, uint32_t share );

/// A step of a random operation sequence: bodies move, jump, hide, grow, change filters, are created and destroyed.
void stir( Table& table, Random& random, int step );

} // namespace test

#endif
