// SPDX-License-Identifier: Zlib
/// \file avril_output.cpp
/// Table 5 and figures 3 and 4: a byte or a bit for each pair that was tested, and what goes in and out.
///
/// The paper has eight threads read, OR and write the same byte, which loses pairs when two of them do so at a time.
/// Here a thread owns whole bytes; on a device, a warp owns whole words (gpu/cuda).
#include "avril.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include "gpu/core/aabb.h"
#include "gpu/core/pair_map.h"

namespace cullet::papers
{

using compare::grouped;

namespace
{

constexpr cltPairMap hardwareMap = { clt_rootHardware, 2 };

/// Whether candidate k overlaps.
bool isHit( const std::vector<cltAabb>& boxes, std::uint64_t k )
{
    std::uint32_t i, j;
    cltPairMap_Pair( &hardwareMap, std::uint32_t( boxes.size() ), k, &i, &j );
    return cltAabb_Overlaps( &boxes[i], &boxes[j] );
}

/// \param bits  for each byte of the flags: 1 or 8
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
    double kernelMs, outputUs; ///< the paper's
};

/// \param device  the library's own kernel, if there is a device and it writes flags of that kind
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
    struct Known
    {
        std::uint32_t size;
        Flags bytes, bits;
    };
    const Known all[] = {
        { 100, { 1, "1 byte a pair", 0.03, 14.35 }, { 8, "1 bit a pair", 0.03, 7.75 } },
        { 1000, { 1, "1 byte a pair", 2.70, 842.75 }, { 8, "1 bit a pair", 2.72, 111.18 } },
        { 5000, { 1, "1 byte a pair", 73.95, 21428 }, { 8, "1 bit a pair", 74.14, 2612.42 } },
        { 7500, { 1, "1 byte a pair", 163.60, 45865.94 }, { 8, "1 bit a pair", 162.03, 5687.20 } },
    };
    std::vector<Row> rows;
    for ( const Known& known : knownFor( effort, all ) )
    {
        effort.progress->detail( grouped( known.size ) );
        const Motion motion( clt_sceneBrownian, known.size, effort );
        cltBroadphaseDef def = defOf( clt_algorithmBruteForce, effort );
        def.device = clt_deviceCuda;
        def.output = clt_outputBits;
        addFlags( rows, known.bytes, motion, effort, {} );
        addFlags( rows, known.bits, motion, effort,
                  effort.hasCuda ? std::optional<Updates>( measureUpdates( def, motion, effort ) ) : std::nullopt );
        placeAt( rows, known.size );
    }
    return rows;
}

std::vector<Row> measureTraffic( const Effort& effort )
{
    struct Known
    {
        std::uint32_t size;
        std::optional<double> in;
    };
    const Known all[] = { { 100, {} }, { 1000, 23 }, { 2500, {} }, { 5000, {} }, { 10000, 234 } };
    std::vector<Row> rows;
    for ( const Known& known : knownFor( effort, all ) )
    {
        effort.progress->detail( grouped( known.size ) );
        const Motion motion( clt_sceneBrownian, known.size, effort );
        const Everywhere measured = measureEverywhere( defOf( clt_algorithmBruteForce, effort ), motion, effort );
        rows.push_back( rowOf( grouped( known.size ), "kernel", {}, measured, &Updates::findMs ) );
        rows.back().tests = measured.cpu.candidates;
        const double in = double( known.size ) * sizeof( cltAabb ) / 1024;
        const double out = double( known.size ) * ( known.size - 1 ) / 2 / 8 / 1024;
        rows.push_back( cpuRow( grouped( known.size ), "boxes in", "KiB", known.in, in, measured.cpu.isRight ) );
        rows.push_back( cpuRow( grouped( known.size ), "bits out", "KiB", {}, out, measured.cpu.isRight ) );
        placeAt( rows, known.size );
    }
    return rows;
}

} // namespace cullet::papers
