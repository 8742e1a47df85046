// SPDX-License-Identifier: Zlib
/// \file avril_roots.cpp
/// Tables 3 and 4: errors and times of the square roots that compute a pair from its index.
#include "papers.h"

#include "gpu/core/pair_map.h"

#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace cullet::papers
{

namespace
{

/// The multiply-add of cards before 2010: truncates the product to a float instead of rounding.
float truncatingMultiplyAdd( float a, float b, float c )
{
    const double product = double( a ) * double( b ); // exact
    std::uint64_t bits;
    std::memcpy( &bits, &product, sizeof bits );
    bits &= ~( ( std::uint64_t( 1 ) << 29 ) - 1 );
    double kept;
    std::memcpy( &kept, &bits, sizeof kept );
    return float( kept + double( c ) ); // rounded once: in a double the sum of two floats is exact, or nearly so
}

/// cltFastRoot with truncatingMultiplyAdd.
float truncatingFastRoot( float x, std::uint32_t constant, int steps )
{
    float y = cltFloatOfBits( constant - ( cltBitsOfFloat( x ) >> 1 ) );
    for ( int step = 0; step < steps; ++step )
    {
        y = y * truncatingMultiplyAdd( -0.5f * x * y, y, 1.5f );
    }
    return x * y;
}

struct RootVariant
{
    const char* name;
    std::uint32_t constant;
    cltRoot root;
    int steps;
    std::array<double, 6> paper; ///< the paper's percentage of wrong roots for each of testCounts
};

constexpr RootVariant rootVariants[] = {
    { "Carmack, 2 steps", 0x5f3759df, clt_rootCarmack, 2, { 2.9, 0.89, 0.27, 0.18, 0.3681, 0.9847 } },
    { "Lomont, 2 steps", 0x5f375a86, clt_rootLomont, 2, { 2.9, 0.89, 0.27, 0.1803, 0.3685, 0.9855 } },
    { "Carmack, 3 steps", 0x5f3759df, clt_rootCarmack, 3, { 0.7, 0.12, 0.035, 0.0110, 0.0040, 0.0134 } },
    { "Lomont, 3 steps", 0x5f375a86, clt_rootLomont, 3, { 0.7, 0.12, 0.035, 0.0111, 0.0057, 0.0142 } },
    { "Carmack, 4 steps", 0x5f3759df, clt_rootCarmack, 4, { 0.7, 0.12, 0.035, 0.0110, 0.0040, 0.0134 } },
    { "Lomont, 4 steps", 0x5f375a86, clt_rootLomont, 4, { 0.7, 0.12, 0.035, 0.0111, 0.0057, 0.0142 } } };

constexpr std::uint32_t testCounts[] = { 1000, 10000, 100000, 1000000, 10000000, 100000000 };

/// The percentage of wrong integer parts among the roots of the numbers from 1 to each count.
template <typename Root>
std::vector<double> errorPercents( std::size_t countsUsed, Root&& root )
{
    std::vector<double> percents;
    std::uint64_t wrong = 0, whole = 0;
    std::uint32_t x = 1;
    for ( std::size_t c = 0; c < countsUsed; ++c )
    {
        for ( ; x <= testCounts[c]; ++x )
        {
            whole += ( whole + 1 ) * ( whole + 1 ) <= x;
            wrong += std::uint64_t( root( float( x ) ) ) != whole;
        }
        percents.push_back( 100.0 * double( wrong ) / testCounts[c] );
    }
    return percents;
}

/// Whether `root` is the square root within the error of `steps` Newton steps (gpu/core/pair_map.h).
template <typename Root>
bool isNear( int steps, Root&& root )
{
    const double tolerance = steps < 3 ? 6e-6 : 1e-6;
    for ( std::uint32_t x = 1; x <= 100000; ++x )
    {
        const double exact = std::sqrt( double( x ) );
        if ( !( std::fabs( double( root( float( x ) ) ) - exact ) <= tolerance * exact ) )
        {
            return false;
        }
    }
    return true;
}

/// Whether the map, which corrects its root, is right for the first and last pair of each row, where errors would show.
bool isExactWith( const cltPairMap& map, std::uint32_t testCount )
{
    const std::uint32_t n = 2 + std::uint32_t( std::sqrt( 2.0 * testCount ) );
    const auto isPair = [&]( std::uint64_t k, std::uint32_t a, std::uint32_t b )
    {
        std::uint32_t i, j;
        cltPairMap_Pair( &map, n, k, &i, &j );
        return i == a && j == b;
    };
    std::uint64_t k = 0;
    bool isRight = true;
    for ( std::uint32_t row = 0; isRight && row + 1 < n; ++row )
    {
        const std::uint64_t next = k + n - 1 - row;
        isRight = isPair( k, row, row + 1 ) && isPair( next - 1, row, n - 1 );
        k = next;
    }
    return isRight;
}

/// The pair of an index as the paper computes it: equations (1) and (2), and the two rules of section 3.3, each applied
/// once. Not always right. Bodies are numbered from 1 and pairs from 0, in 32 bits as on the paper's card.
/// \param n  bodies, at most 32,768 so that the discriminant fits
std::pair<std::uint32_t, std::uint32_t> publishedPair( const cltPairMap& map, std::uint32_t n, std::uint32_t k )
{
    const std::uint32_t discriminant = 4 * n * ( n - 1 ) - 8 * k + 1;
    std::int32_t a = std::int32_t( ( float( 2 * n + 1 ) - cltPairMap_Root( &map, float( discriminant ) ) ) / 2.0f );
    const std::int32_t signedN = std::int32_t( n );
    const std::int32_t start = ( a - 1 ) * ( 2 * signedN - a ) / 2;
    std::int32_t b = a + 1 + std::int32_t( k ) - start;
    if ( b > signedN )
    {
        ++a;
        b = a + ( b - signedN );
    }
    if ( a >= b ) // "a > b" in the text
    {
        b = signedN - ( a - b );
        --a;
    }
    return { std::uint32_t( a ), std::uint32_t( b ) };
}

/// Adds the percentage of pairs that the published rules get wrong; 0 in the paper.
void addPublishedRules( TableBuilder& table, std::uint32_t n, const char* name, const cltPairMap& map )
{
    std::uint64_t wrong = 0, k = 0;
    for ( std::uint32_t i = 1; i < n; ++i )
    {
        for ( std::uint32_t j = i + 1; j <= n; ++j )
        {
            wrong += publishedPair( map, n, std::uint32_t( k++ ) ) != std::make_pair( i, j );
        }
    }
    table.add( grouped( n ) + " bodies", std::string( "both rules, " ) + name, "%", 0.0,
               100.0 * double( wrong ) / double( k ), isExactWith( map, std::uint32_t( k ) ) );
}

} // namespace

void measureRootErrors( TableBuilder& table )
{
    const std::size_t countsUsed = table.isQuick() ? 3 : std::size( testCounts );
    for ( const RootVariant& variant : rootVariants )
    {
        table.detail( variant.name );
        const cltPairMap map = { variant.root, variant.steps };
        const auto root = [&]( float x ) { return cltPairMap_Root( &map, x ); };
        const auto truncatedRoot = [&]( float x ) { return truncatingFastRoot( x, variant.constant, variant.steps ); };
        const auto rounded = errorPercents( countsUsed, root ), truncated = errorPercents( countsUsed, truncatedRoot );
        const bool isRootNear = isNear( variant.steps, root ), isTruncatedNear = isNear( variant.steps, truncatedRoot );
        for ( std::size_t c = 0; c < countsUsed; ++c )
        {
            const std::string size = grouped( testCounts[c] ), name = variant.name;
            const bool isRight = isRootNear && isExactWith( map, testCounts[c] );
            table.add( size, name, "%", variant.paper[c], rounded[c], isRight );
            table.add( size, name + ", truncated", "%", variant.paper[c], truncated[c], isTruncatedNear );
        }
    }
    for ( const std::uint32_t n : table.sizes( { 100, 1000, 5000, 30000 } ) )
    {
        addPublishedRules( table, n, "square root", { clt_rootHardware, 2 } );
        addPublishedRules( table, n, "Carmack, 1 step", { clt_rootCarmack, 1 } );
        addPublishedRules( table, n, "Carmack, 2 steps", { clt_rootCarmack, 2 } );
        addPublishedRules( table, n, "Carmack, 3 steps", { clt_rootCarmack, 3 } );
    }
}

// -------------------------------------------------------------------------------------------------------- table 4

/// Times the roots of the numbers from 1 to `count`, and adds a row.
template <typename Root>
static Figure addRoots( TableBuilder& table, std::uint32_t count, const char* what, double paper, const cltPairMap& map,
                        Root&& root )
{
    constexpr std::uint32_t mostTimedNineTimes = 100000000; // more roots are timed once
    volatile std::uint64_t sink = 0;
    const auto work = [&]
    {
        std::uint64_t sum = 0; // of all roots, so that the compiler must compute each
        for ( std::uint32_t x = 1; x <= count; ++x )
        {
            sum += cltBitsOfFloat( root( float( x ) ) );
        }
        sink = sink + sum;
    };
    const Figure ms = count > mostTimedNineTimes ? table.onceMs( work ) : table.medianMs( work );
    const bool isRight = isNear( map.steps, root ) && isExactWith( map, std::min( count, 100000000u ) );
    table.add( grouped( count ), what, "ms", paper, ms, isRight ).tests = double( count );
    return ms;
}

void measureRoots( TableBuilder& table )
{
    struct Published
    {
        std::uint32_t count;
        double fast, hardware, gain;
    };
    for ( const Published& published : { Published{ 1000000, 0.042, 0.048, 12.6 },
                                         { 10000000, 0.409, 0.478, 14.7 },
                                         { 100000000, 4.102, 4.722, 13.2 },
                                         { 1000000000, 41.01, 48.01, 14.6 } } )
    {
        if ( table.isQuick() && published.count > 1000000 )
        {
            break;
        }
        table.detail( grouped( published.count ) );
        const Figure carmack =
            addRoots( table, published.count, "Carmack, 2 steps", published.fast, { clt_rootCarmack, 2 },
                      []( float x ) { return cltFastRoot( x, 0x5f3759dfu, 2 ); } );
        addRoots( table, published.count, "Lomont, 2 steps", published.fast, { clt_rootLomont, 2 },
                  []( float x ) { return cltFastRoot( x, 0x5f375a86u, 2 ); } );
        const Figure hardware = addRoots( table, published.count, "instruction", published.hardware,
                                          { clt_rootHardware, 2 }, []( float x ) { return sqrtf( x ); } );
        table.add( grouped( published.count ), "saved by Carmack's", "%", published.gain,
                   carmack ? Figure( 100 * ( 1 - *carmack / *hardware ) ) : Figure(), table.areRight() );
    }
}

} // namespace cullet::papers
