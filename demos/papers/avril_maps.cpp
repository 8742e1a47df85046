// SPDX-License-Identifier: Zlib
/// \file avril_maps.cpp
/// Table 2: ways from an index to a pair.
#include "avril.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include "gpu/core/aabb.h"

#include <fmt/format.h>

namespace cullet::papers
{

using compare::grouped;

namespace
{

/// The pair list of section 3.1: what the map saves.
using PairList = std::vector<cltPair>;

PairList listAll( std::uint32_t n )
{
    PairList list;
    list.reserve( std::size_t( n ) * ( n - 1 ) / 2 );
    for ( std::uint32_t i = 0; i < n; ++i )
    {
        for ( std::uint32_t j = i + 1; j < n; ++j )
        {
            list.push_back( { i, j } );
        }
    }
    return list;
}

/// One thread, candidate by candidate.
/// \param pairOf  from an index to a pair; false if there is none
template <typename PairOf>
void testCandidates( std::uint64_t count, const std::vector<cltAabb>& boxes, PairSet& found, PairOf&& pairOf )
{
    found.clear();
    for ( std::uint64_t k = 0; k < count; ++k )
    {
        std::uint32_t i, j;
        if ( pairOf( k, i, j ) && cltAabb_Overlaps( &boxes[i], &boxes[j] ) )
        {
            found.push_back( pairKey( i, j ) );
        }
    }
}

template <typename PairOf>
Row oneThreadRow( const std::string& size, const char* what, std::optional<double> paper, std::uint64_t count,
                  const Motion& motion, const Effort& effort, PairOf&& pairOf )
{
    PairSet found;
    const auto ms = medianMs( effort, [&] { testCandidates( count, motion.lastBoxes(), found, pairOf ); } );
    std::sort( found.begin(), found.end() );
    Row row = cpuRow( size, what, "ms", paper, ms, found == motion.pairs() );
    row.tests = double( count );
    return row;
}

void addOneThread( std::vector<Row>& rows, const std::string& size, const Motion& motion,
                   std::optional<double> paperLazy, const Effort& effort )
{
    const std::uint32_t n = std::uint32_t( motion.lastBoxes().size() );
    for ( const NamedMap& named : { NamedMap{ "square root, one thread", { clt_rootHardware, 2 } },
                                    { "divide and modulo, one thread", { clt_rootNone, 2 } } } )
    {
        const bool isLazy = named.map.root == clt_rootNone;
        rows.push_back( oneThreadRow( size, named.name, isLazy ? paperLazy : std::nullopt,
                                      cltPairMap_CandidateCount( &named.map, n ), motion, effort,
                                      [&]( std::uint64_t k, std::uint32_t& i, std::uint32_t& j )
                                      { return cltPairMap_Pair( &named.map, n, k, &i, &j ); } ) );
    }
    const PairList list = listAll( n );
    rows.push_back( oneThreadRow( size, "list of pairs in memory, one thread", {}, list.size(), motion, effort,
                                  [&]( std::uint64_t k, std::uint32_t& i, std::uint32_t& j )
                                  {
                                      i = list[k].proxyA;
                                      j = list[k].proxyB;
                                      return true;
                                  } ) );
}

} // namespace

std::vector<Row> measureMaps( const Effort& effort )
{
    struct Known
    {
        std::uint32_t size;
        double root, none;
        std::optional<double> oneThread; ///< none, on a processor: section 3.2.2
    };
    const Known all[] = { { 1000, 0.21, 0.25, {} }, { 10000, 2.25, 4.28, 4510 }, { 100000, 29.66, 58.24, {} } };
    std::vector<Row> rows;
    for ( const Known& known : knownFor( effort, all ) )
    {
        const std::string size = grouped( known.size );
        effort.progress->detail( size );
        const Motion motion( clt_sceneBrownian, known.size, effort );
        const bool isTooMany = known.size > 10000; // 5,000 million tests an update: a grid's are shown instead
        cltBroadphaseDef def = defOf( isTooMany ? clt_algorithmGrid : clt_algorithmBruteForce, effort );
        const auto add = [&]( cltRoot root, const char* what, double paper )
        {
            def.root = root;
            const Everywhere measured = measureEverywhere( def, motion, effort );
            rows.push_back( rowOf( size, std::string( what ) + ( isTooMany ? ", in a grid" : "" ), paper, measured,
                                   &Updates::findMs ) );
            rows.back().tests = isTooMany ? std::nullopt : std::optional<double>( measured.cpu.candidates );
        };
        add( clt_rootHardware, "square root", known.root );
        add( clt_rootNone, "divide and modulo", known.none );
        if ( !isTooMany )
        {
            addOneThread( rows, size, motion, known.oneThread, effort );
        }
    }
    return rows;
}

} // namespace cullet::papers
