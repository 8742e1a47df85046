// SPDX-License-Identifier: Zlib
/// \file avril_maps.cpp
/// Table 2: computing a pair from its index. Table 5 and figures 3 and 4: a byte or a bit for each tested pair, and the
/// bytes in and out. In the paper eight threads read, OR and write the same byte, which loses pairs. Here a thread owns
/// whole bytes; on a device, a warp owns whole words (gpu/cuda).
#include "measurements.h"
#include "motion.h"

#include "cullet_research.h"
#include "demos/report/numbers.h"

#include "gpu/core/aabb.h"
#include "gpu/core/pair_map.h"

namespace cullet::papers
{

using compare::grouped;

namespace
{

/// The list of all pairs of section 3.1, which the map makes unnecessary.
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

/// Tests all candidates on one thread.
/// \param pairOf  computes the pair of an index; false if the index has none
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
                   std::optional<double> paperModulo, const Effort& effort )
{
    const std::uint32_t n = std::uint32_t( motion.lastBoxes().size() );
    const auto add = [&]( const char* what, std::optional<double> paper, const cltPairMap& map )
    {
        rows.push_back( oneThreadRow( size, what, paper, cltPairMap_CandidateCount( &map, n ), motion, effort,
                                      [&]( std::uint64_t k, std::uint32_t& i, std::uint32_t& j )
                                      { return cltPairMap_Pair( &map, n, k, &i, &j ); } ) );
    };
    add( "square root, one thread", {}, { clt_rootHardware, 2 } );
    add( "divide and modulo, one thread", paperModulo, { clt_rootNone, 2 } );
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
    struct Published
    {
        std::uint32_t size;
        double root, none;
        std::optional<double> oneThread; ///< divide and modulo on a processor: section 3.2.2
    };
    const Published all[] = { { 1000, 0.21, 0.25, {} }, { 10000, 2.25, 4.28, 4510 }, { 100000, 29.66, 58.24, {} } };
    std::vector<Row> rows;
    for ( const Published& published : publishedFor( effort, all ) )
    {
        const std::string size = grouped( published.size );
        effort.progress->detail( size );
        const Motion motion( clt_sceneBrownian, published.size, effort );
        const bool isTooMany = published.size > 10000; // 5,000 million tests an update: shows the grid's instead
        cltBroadphaseDef def = defOf( isTooMany ? clt_algorithmGrid : clt_algorithmBruteForce, effort );
        cltResearchDef research = cltDefaultResearchDef();
        def.research = &research;
        const auto add = [&]( cltRoot root, const char* what, double paper )
        {
            research.root = root;
            const CpuAndDevice measured = measureCpuAndDevice( def, motion, effort );
            rows.push_back( rowOf( size, std::string( what ) + ( isTooMany ? ", in a grid" : "" ), paper, measured,
                                   &Updates::findMs ) );
            rows.back().tests = isTooMany ? std::nullopt : std::optional<double>( measured.cpu.candidates );
        };
        add( clt_rootHardware, "square root", published.root );
        add( clt_rootNone, "divide and modulo", published.none );
        if ( !isTooMany )
        {
            addOneThread( rows, size, motion, published.oneThread, effort );
        }
    }
    return rows;
}

// ----------------------------------------------------------------------------------------- table 5, figures 3 and 4

namespace
{

constexpr cltPairMap hardwareMap = { clt_rootHardware, 2 };

/// Whether the boxes of candidate k overlap.
bool isHit( const std::vector<cltAabb>& boxes, std::uint64_t k )
{
    std::uint32_t i, j;
    cltPairMap_Pair( &hardwareMap, std::uint32_t( boxes.size() ), k, &i, &j );
    return cltAabb_Overlaps( &boxes[i], &boxes[j] );
}

/// \param bits  candidates in each byte of the flags: 1 or 8
void writeFlags( const std::vector<cltAabb>& boxes, std::uint64_t count, unsigned bits,
                 std::vector<unsigned char>& flags )
{
    for ( std::uint64_t byte = 0; byte < flags.size(); ++byte )
    {
        unsigned char value = 0;
        for ( std::uint64_t k = byte * bits; k < std::min( ( byte + 1 ) * bits, count ); ++k )
        {
            value = static_cast<unsigned char>( value | unsigned( isHit( boxes, k ) ) << ( k - byte * bits ) );
        }
        flags[byte] = value;
    }
}

PairSet pairsOf( const std::vector<unsigned char>& flags, unsigned bits, std::uint32_t n )
{
    PairSet pairs;
    for ( std::uint64_t byte = 0; byte < flags.size(); ++byte )
    {
        for ( unsigned bit = 0; bit < bits; ++bit )
        {
            std::uint32_t i, j;
            if ( ( flags[byte] >> bit & 1 ) != 0 && cltPairMap_Pair( &hardwareMap, n, byte * bits + bit, &i, &j ) )
            {
                pairs.push_back( pairKey( i, j ) );
            }
        }
    }
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

struct Flags
{
    unsigned bits;
    const char* name;
    double kernelMs, outputUs; ///< in the paper
};

/// \param device  the library's kernel that writes such flags, if it has one and a device is measured
void addFlags( std::vector<Row>& rows, const Flags& kind, const Motion& motion, const Effort& effort,
               const std::optional<Updates>& device )
{
    const std::uint32_t n = std::uint32_t( motion.lastBoxes().size() );
    const std::uint64_t count = std::uint64_t( n ) * ( n - 1 ) / 2;
    std::vector<unsigned char> flags( ( count + kind.bits - 1 ) / kind.bits ), copy( flags.size() );
    const auto kernelMs = medianMs( effort, [&] { writeFlags( motion.lastBoxes(), count, kind.bits, flags ); } );
    std::optional<double> outputUs = medianMs( effort, [&] { std::copy( flags.begin(), flags.end(), copy.begin() ); } );
    outputUs = outputUs ? std::optional<double>( 1000 * *outputUs ) : outputUs;
    bool isRight = pairsOf( copy, kind.bits, n ) == motion.pairs();
    isRight = isRight && ( !device || device->isRight );
    const std::string name = kind.name;
    rows.push_back( cpuRow( grouped( n ), name + ", kernel", "ms", kind.kernelMs, kernelMs, isRight ) );
    rows.back().tests = double( count );
    rows.back().device = device ? device->findMs : std::nullopt;
    rows.push_back( cpuRow( grouped( n ), name + ", output", "us", kind.outputUs, outputUs, isRight ) );
}

} // namespace

std::vector<Row> measureOutput( const Effort& effort )
{
    struct Published
    {
        std::uint32_t size;
        Flags bytes, bits;
    };
    const Published all[] = {
        { 100, { 1, "1 byte a pair", 0.03, 14.35 }, { 8, "1 bit a pair", 0.03, 7.75 } },
        { 1000, { 1, "1 byte a pair", 2.70, 842.75 }, { 8, "1 bit a pair", 2.72, 111.18 } },
        { 5000, { 1, "1 byte a pair", 73.95, 21428 }, { 8, "1 bit a pair", 74.14, 2612.42 } },
        { 7500, { 1, "1 byte a pair", 163.60, 45865.94 }, { 8, "1 bit a pair", 162.03, 5687.20 } },
    };
    std::vector<Row> rows;
    for ( const Published& published : publishedFor( effort, all ) )
    {
        effort.progress->detail( grouped( published.size ) );
        const Motion motion( clt_sceneBrownian, published.size, effort );
        cltBroadphaseDef def = defOf( clt_algorithmBruteForce, effort );
        def.device = clt_deviceCuda;
        cltResearchDef research = cltDefaultResearchDef();
        research.output = clt_outputBits;
        def.research = &research;
        addFlags( rows, published.bytes, motion, effort, {} );
        addFlags( rows, published.bits, motion, effort,
                  effort.hasCuda ? std::optional<Updates>( measureUpdates( def, motion, effort ) ) : std::nullopt );
        setX( rows, published.size );
    }
    return rows;
}

std::vector<Row> measureTraffic( const Effort& effort )
{
    struct Published
    {
        std::uint32_t size;
        std::optional<double> in;
    };
    const Published all[] = { { 100, {} }, { 1000, 23 }, { 2500, {} }, { 5000, {} }, { 10000, 234 } };
    std::vector<Row> rows;
    for ( const Published& published : publishedFor( effort, all ) )
    {
        effort.progress->detail( grouped( published.size ) );
        const Motion motion( clt_sceneBrownian, published.size, effort );
        const CpuAndDevice measured = measureCpuAndDevice( defOf( clt_algorithmBruteForce, effort ), motion, effort );
        rows.push_back( rowOf( grouped( published.size ), "kernel", {}, measured, &Updates::findMs ) );
        rows.back().tests = measured.cpu.candidates;
        const double in = double( published.size ) * sizeof( cltAabb ) / 1024;
        const double out = double( published.size ) * ( published.size - 1 ) / 2 / 8 / 1024;
        rows.push_back(
            cpuRow( grouped( published.size ), "boxes in", "KiB", published.in, in, measured.cpu.isRight ) );
        rows.push_back( cpuRow( grouped( published.size ), "bits out", "KiB", {}, out, measured.cpu.isRight ) );
        setX( rows, published.size );
    }
    return rows;
}

} // namespace cullet::papers
