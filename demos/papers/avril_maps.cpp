// SPDX-License-Identifier: Zlib
/// \file avril_maps.cpp
/// Table 2: computing a pair from its index. Table 5 and figures 3 and 4: writing a byte or a bit for each tested pair,
/// and the bytes that a device reads and writes. In the paper eight threads read, OR and write the same byte,
/// which loses pairs. Here a thread owns whole bytes; on a device, a warp owns whole words (gpu/cuda).
#include "motion.h"

#include "gpu/core/aabb.h"
#include "gpu/core/pair_map.h"

namespace cullet::papers
{

namespace
{

/// Adds a row with the time that one thread takes to test all candidate pairs.
/// \param pairOf  computes the pair of an index; false if the index has none
template <typename PairOf>
void addOneThreadRows( TableBuilder& table, const char* what, Figure paper, std::uint64_t count, const Motion& motion,
                       PairOf&& pairOf )
{
    const std::vector<cltAabb>& boxes = motion.lastBoxes();
    PairSet found;
    const Figure ms = table.medianMs(
        [&]
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
        } );
    std::sort( found.begin(), found.end() );
    table.add( grouped( boxes.size() ), what, "ms", paper, ms, found == motion.pairs() ).tests = double( count );
}

void addOneThreadRows( TableBuilder& table, const Motion& motion, Figure paperModulo )
{
    const std::uint32_t n = std::uint32_t( motion.lastBoxes().size() );
    const auto addMap = [&]( const char* what, Figure paper, const cltPairMap& map )
    {
        addOneThreadRows( table, what, paper, cltPairMap_CandidateCount( &map, n ), motion,
                          [&]( std::uint64_t k, std::uint32_t& i, std::uint32_t& j )
                          { return cltPairMap_Pair( &map, n, k, &i, &j ); } );
    };
    addMap( "square root, one thread", {}, { clt_rootHardware, 2 } );
    addMap( "divide and modulo, one thread", paperModulo, { clt_rootNone, 2 } );
    std::vector<cltPair> list; // the list of section 3.1, which the map makes unnecessary
    list.reserve( std::size_t( n ) * ( n - 1 ) / 2 );
    for ( std::uint32_t i = 0; i < n; ++i )
    {
        for ( std::uint32_t j = i + 1; j < n; ++j )
        {
            list.push_back( { i, j } );
        }
    }
    addOneThreadRows( table, "list of pairs in memory, one thread", {}, list.size(), motion,
                      [&]( std::uint64_t k, std::uint32_t& i, std::uint32_t& j )
                      {
                          i = list[k].proxyA;
                          j = list[k].proxyB;
                          return true;
                      } );
}

} // namespace

void measurePairMaps( TableBuilder& table )
{
    struct Published
    {
        std::uint32_t size;
        double root, none;
        Figure oneThread; ///< the paper's milliseconds for divide and modulo on one CPU thread: section 3.2.2
    };
    for ( const Published& published : table.published<Published>(
              { { 1000, 0.21, 0.25, {} }, { 10000, 2.25, 4.28, 4510 }, { 100000, 29.66, 58.24, {} } } ) )
    {
        table.detail( grouped( published.size ) );
        const Motion motion( clt_sceneBrownian, published.size, table );
        const bool isTooMany = published.size > 10000; // 5,000 million tests an update: measures the grid instead
        const auto add = [&]( cltRoot root, const std::string& what, double paper )
        {
            cltResearchDef research = cltDefaultResearchDef();
            research.root = root;
            const CpuAndDevice measured =
                measureLibrary( table, isTooMany ? clt_algorithmGrid : clt_algorithmBruteForce, motion, &research );
            addTime( table, grouped( published.size ), what + ( isTooMany ? ", in a grid" : "" ), paper, measured,
                     findPart )
                .tests = isTooMany ? Figure() : measured.cpu.candidates;
        };
        add( clt_rootHardware, "square root", published.root );
        add( clt_rootNone, "divide and modulo", published.none );
        if ( !isTooMany )
        {
            addOneThreadRows( table, motion, published.oneThread );
        }
    }
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
    for ( std::uint64_t k = 0; k < flags.size() * bits; ++k )
    {
        std::uint32_t i, j;
        if ( ( flags[k / bits] >> k % bits & 1 ) != 0 && cltPairMap_Pair( &hardwareMap, n, k, &i, &j ) )
        {
            pairs.push_back( pairKey( i, j ) );
        }
    }
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

/// \param kernelMs, outputUs  the paper's times
/// \param device              updates by the library's kernel for these flags, if it has one and a device is measured
void addFlagRows( TableBuilder& table, unsigned bits, double kernelMs, double outputUs, const Motion& motion,
                  const std::optional<Updates>& device )
{
    const std::uint32_t n = std::uint32_t( motion.lastBoxes().size() );
    const std::uint64_t count = std::uint64_t( n ) * ( n - 1 ) / 2;
    std::vector<unsigned char> flags( ( count + bits - 1 ) / bits ), copy( flags.size() );
    const Figure ms = table.medianMs( [&] { writeFlags( motion.lastBoxes(), count, bits, flags ); } );
    const Figure copyMs = table.medianMs( [&] { std::copy( flags.begin(), flags.end(), copy.begin() ); } );
    const bool isRight = pairsOf( copy, bits, n ) == motion.pairs() && ( !device || device->isRight );
    const std::string name = bits == 1 ? "1 byte a pair" : "1 bit a pair";
    Row& row = table.add( grouped( n ), name + ", kernel", "ms", kernelMs, ms, isRight );
    row.tests = double( count );
    row.device = device ? device->ms[findPart] : Figure();
    table.add( grouped( n ), name + ", output", "us", outputUs, copyMs ? Figure( 1000 * *copyMs ) : Figure(), isRight );
}

} // namespace

void measureOutput( TableBuilder& table )
{
    struct Published
    {
        std::uint32_t size;
        double bytesMs, bytesUs, bitsMs, bitsUs;
    };
    for ( const Published& published : table.published<Published>( { { 100, 0.03, 14.35, 0.03, 7.75 },
                                                                     { 1000, 2.70, 842.75, 2.72, 111.18 },
                                                                     { 5000, 73.95, 21428, 74.14, 2612.42 },
                                                                     { 7500, 163.60, 45865.94, 162.03, 5687.20 } } ) )
    {
        table.detail( grouped( published.size ) );
        const Motion motion( clt_sceneBrownian, published.size, table );
        std::optional<Updates> device;
        if ( table.effort.hasCuda )
        {
            cltResearchDef research = cltDefaultResearchDef();
            research.output = clt_outputBits;
            device =
                measureUpdates( table, defOf( table, clt_algorithmBruteForce, clt_deviceCuda, &research ), motion );
        }
        addFlagRows( table, 1, published.bytesMs, published.bytesUs, motion, {} );
        addFlagRows( table, 8, published.bitsMs, published.bitsUs, motion, device );
        table.setX( published.size );
    }
}

void measureTraffic( TableBuilder& table )
{
    struct Published
    {
        std::uint32_t size;
        Figure in;
    };
    for ( const Published& published :
          table.published<Published>( { { 100, {} }, { 1000, 23 }, { 2500, {} }, { 5000, {} }, { 10000, 234 } } ) )
    {
        const std::string size = grouped( published.size );
        table.detail( size );
        const Motion motion( clt_sceneBrownian, published.size, table );
        const CpuAndDevice measured = measureLibrary( table, clt_algorithmBruteForce, motion );
        addTime( table, size, "kernel", {}, measured, findPart ).tests = measured.cpu.candidates;
        const double in = double( published.size ) * sizeof( cltAabb ) / 1024;
        const double out = double( published.size ) * ( published.size - 1 ) / 2 / 8 / 1024;
        table.add( size, "boxes in", "KiB", published.in, in, measured.cpu.isRight );
        table.add( size, "bits out", "KiB", {}, out, measured.cpu.isRight );
        table.setX( published.size );
    }
}

} // namespace cullet::papers
