// SPDX-License-Identifier: Zlib
/// \file array_world.h
/// Boxes in arrays, whose pairs cullet_arrays.h finds. Each update compares the changes and pairs with those of the
/// oracle.
#ifndef CLT_TESTS_ARRAY_WORLD_H
#define CLT_TESTS_ARRAY_WORLD_H

#include "cullet_arrays.h"
#include "tests/support/boxes.h"
#include "tests/support/config.h"

#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

namespace test
{

using Filters = std::vector<cltFilter>;
using IdPairs = std::vector<std::pair<cltProxyId, cltProxyId>>;

struct ArraysDeleter
{
    void operator()( cltArrays* arrays ) const
    {
        cltDestroyArrays( arrays );
    }
};

using ArraysPtr = std::unique_ptr<cltArrays, ArraysDeleter>;

/// NULL and a failed expectation if the def is refused.
inline ArraysPtr createArrays( const cltBroadphaseDef& def )
{
    cltArrays* arrays = nullptr;
    EXPECT_EQ( clt_ok, cltCreateArrays( &def, &arrays ) );
    return ArraysPtr( arrays );
}

/// For arrays in host memory.
struct HostMemory
{
    template <typename Item>
    const Item* put( const std::vector<Item>& items )
    {
        return items.empty() ? nullptr : items.data();
    }

    std::vector<cltPair> get( const cltPair* pairs, size_t count )
    {
        return count == 0 ? std::vector<cltPair>() : std::vector<cltPair>( pairs, pairs + count );
    }

    void forget()
    {
    }
};

/// \tparam Memory  copies vectors to the memory of the arrays' device, and pairs from it:
///
///     const Item* put( const std::vector<Item>& items );  NULL if there are none; valid until forget
///     std::vector<cltPair> get( const cltPair* pairs, size_t count );
///     void forget();                                      frees what was put
template <typename Memory>
class ArrayWorld
{
public:
    explicit ArrayWorld( const cltBroadphaseDef& def )
        : m_isDouble( def.precision == clt_precisionDouble ), m_arrays( createArrays( def ) )
    {
    }

    /// Called if an update runs out of memory; it is then repeated. If this is not set, every update must succeed.
    std::function<void()> onOutOfMemory;

    /// \param filters  empty: all pairs are allowed
    void update( const Boxes& boxes, const Filters& filters = {} )
    {
        cltPairChanges changes;
        cltStatus status = tryUpdate( boxes, filters, &changes );
        if ( status == clt_hostMemory && onOutOfMemory )
        {
            onOutOfMemory();
            status = tryUpdate( boxes, filters, &changes );
        }
        ASSERT_EQ( clt_ok, status );
        const IdPairs pairs = pairsOf( boxes, filters );
        EXPECT_EQ( difference( m_pairs, pairs ), copy( changes.ended, changes.endedCount ) );
        EXPECT_EQ( difference( pairs, m_pairs ), copy( changes.began, changes.beganCount ) );
        m_pairs = pairs;
    }

    cltStatus tryUpdate( const Boxes& boxes, const Filters& filters, cltPairChanges* changes )
    {
        std::vector<cltAabb> rounded;
        std::transform( boxes.begin(), boxes.end(), std::back_inserter( rounded ), toFloat );
        const cltFilter* given = m_memory.put( filters );
        const cltStatus status =
            m_isDouble ? cltArrays_UpdateD( m_arrays.get(), boxes.size(), m_memory.put( boxes ), given, changes )
                       : cltArrays_Update( m_arrays.get(), boxes.size(), m_memory.put( rounded ), given, changes );
        m_memory.forget();
        return status;
    }

    /// Expects GetPairs to return the pairs of the last update.
    void expectPairs()
    {
        const cltPair* pairs;
        size_t count;
        ASSERT_EQ( clt_ok, cltArrays_GetPairs( m_arrays.get(), &pairs, &count ) );
        EXPECT_EQ( m_pairs, copy( pairs, count ) );
    }

    size_t pairCount() const
    {
        return m_pairs.size();
    }

    cltArrays* arrays() const
    {
        return m_arrays.get();
    }

    cltStats stats() const
    {
        cltStats stats;
        EXPECT_EQ( clt_ok, cltArrays_GetStats( m_arrays.get(), &stats ) );
        return stats;
    }

private:
    IdPairs copy( const cltPair* pairs, size_t count )
    {
        IdPairs ids;
        for ( const cltPair& pair : m_memory.get( pairs, count ) )
        {
            ids.emplace_back( pair.proxyA, pair.proxyB );
        }
        return ids;
    }

    static IdPairs difference( const IdPairs& all, const IdPairs& others )
    {
        IdPairs left;
        std::set_difference( all.begin(), all.end(), others.begin(), others.end(), std::back_inserter( left ) );
        return left;
    }

    IdPairs pairsOf( Boxes boxes, const Filters& filters ) const
    {
        for ( cltAabbD& box : boxes )
        {
            box = m_isDouble ? box : toDouble( toFloat( box ) );
        }
        IdPairs pairs;
        for ( cltProxyId i = 0; i < boxes.size(); ++i )
        {
            for ( cltProxyId j = i + 1; j < boxes.size(); ++j )
            {
                if ( overlaps( boxes[i], boxes[j] ) && ( filters.empty() || mayPair( filters[i], filters[j] ) ) )
                {
                    pairs.emplace_back( i, j );
                }
            }
        }
        return pairs;
    }

    bool m_isDouble;
    Memory m_memory;
    ArraysPtr m_arrays;
    IdPairs m_pairs;
};

/// Updates with boxes that tremble, jump, hide behind NaN and come back, with changing counts and filters.
template <typename World>
void updateAtRandom( World& world, Random random )
{
    constexpr size_t most = 180;
    Boxes all = randomCubes( random, most, 6 );
    Filters filters( most, defaultFilter );
    size_t count = 100;
    bool isFiltered = false;
    for ( int step = 0; step < 60; ++step )
    {
        const int kind = int( random.below( 8 ) );
        count = kind == 0 ? random.below( most + 1 ) : count;
        isFiltered = kind == 1 ? !isFiltered : isFiltered;
        for ( size_t i = 0; i < most; ++i )
        {
            const bool isChosen = random.below( 10 ) == 0;
            all[i] = kind == 2 && isChosen   ? span( notANumber, 0 )
                     : kind == 3 && isChosen ? randomCube( random, 6 )
                     : kind == 4             ? all[i]
                                             : shifted( all[i], random.between( -0.1, 0.1 ) );
            filters[i].group = kind == 5 && isChosen ? int32_t( random.below( 4 ) ) : filters[i].group;
        }
        SCOPED_TRACE( step );
        world.update( Boxes( all.begin(), all.begin() + count ),
                      isFiltered ? Filters( filters.begin(), filters.begin() + count ) : Filters() );
        if ( step % 5 == 0 )
        {
            world.expectPairs();
        }
    }
}

} // namespace test

#endif
