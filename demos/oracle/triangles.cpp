// SPDX-License-Identifier: Zlib
/// \file triangles.cpp
/// Two convex hulls are apart exactly if the hull of the differences of their points does not contain the origin. A few
/// directions decide that: the normals of this hull's faces or, if it is flat, the normal of its plane and those of its
/// edges in that plane, and so on. Edges of the hull of differences are parallel to edges of the two hulls.
///
/// Intervals of doubles decide most signs. For the others, coordinates are scaled to integers: of 128 bits if they hold
/// all products, else of GMP.
#include "triangles.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gmpxx.h>
#include <initializer_list>
#include <iterator>

namespace cullet
{

namespace
{

/// A double and a bound on its distance from the exact value.
struct Interval
{
    double value;
    double error;
};

Interval rounded( double value, double error )
{
    return { value, 1.000001 * error + 0x1p-52 * std::fabs( value ) + 5e-324 };
}

Interval operator+( const Interval& a, const Interval& b )
{
    return rounded( a.value + b.value, a.error + b.error );
}

Interval operator-( const Interval& a, const Interval& b )
{
    return rounded( a.value - b.value, a.error + b.error );
}

Interval operator*( const Interval& a, const Interval& b )
{
    return rounded( a.value * b.value,
                    std::fabs( a.value ) * b.error + std::fabs( b.value ) * a.error + a.error * b.error );
}

constexpr int unknown = 2;

int signOf( const Interval& x )
{
    return x.value > x.error ? 1 : x.value < -x.error ? -1 : unknown;
}

__extension__ typedef __int128 Int128;

int signOf( Int128 x )
{
    return ( x > 0 ) - ( x < 0 );
}

int signOf( const mpz_class& x )
{
    return sgn( x );
}

template <typename Number>
using Vector = std::array<Number, 3>;

template <typename Number>
Vector<Number> minus( const Vector<Number>& a, const Vector<Number>& b )
{
    return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

template <typename Number>
Vector<Number> cross( const Vector<Number>& a, const Vector<Number>& b )
{
    return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

template <typename Number>
Number dot( const Vector<Number>& a, const Vector<Number>& b )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <typename Number>
int determinantSignOf( const std::vector<Vector<Number>>& p )
{
    return signOf( dot( cross( minus( p[1], p[0] ), minus( p[2], p[0] ) ), minus( p[0], p[3] ) ) );
}

/// The differences of each point of one set and each point of another, and the edges of both sets.
template <typename Number>
struct Differences
{
    std::vector<Vector<Number>> points;
    std::vector<Vector<Number>> edges;

    Differences( const std::vector<Vector<Number>>& a, const std::vector<Vector<Number>>& b )
    {
        for ( const auto& p : a )
        {
            std::transform( b.begin(), b.end(), std::back_inserter( points ),
                            [&p]( const auto& q ) { return minus( p, q ); } );
        }
        for ( const auto* set : { &a, &b } )
        {
            for ( std::size_t i = 0; i + 1 < set->size(); ++i )
            {
                for ( std::size_t j = i + 1; j < set->size(); ++j )
                {
                    edges.push_back( minus( ( *set )[i], ( *set )[j] ) );
                }
            }
        }
    }

    /// 1 if all points lie strictly on one side of the plane through the origin, 0 if not, or unknown.
    int separates( const Vector<Number>& normal ) const
    {
        bool isKnown = true, isAbove = true, isBelow = true;
        for ( const auto& point : points )
        {
            const int sign = signOf( dot( normal, point ) );
            isKnown = isKnown && sign != unknown;
            isAbove = isAbove && ( sign == 1 || sign == unknown );
            isBelow = isBelow && ( sign == -1 || sign == unknown );
        }
        return !isAbove && !isBelow ? 0 : isKnown ? 1 : unknown;
    }

    /// 1 if a direction separates the origin from all points, 0 if none does, or unknown.
    int areApart() const
    {
        int result = 0;
        const auto isShown = [&]( const Vector<Number>& normal )
        {
            const int apart = separates( normal );
            result = apart == 0 ? result : apart;
            return apart == 1;
        };
        bool isDone = isShown( points[0] );
        for ( auto e = edges.begin(); e != edges.end() && !isDone; ++e )
        {
            isDone = isShown( *e ) || isShown( cross( *e, cross( *e, points[0] ) ) );
            for ( auto f = e + 1; f != edges.end() && !isDone; ++f )
            {
                const Vector<Number> normal = cross( *e, *f );
                isDone = isShown( normal ) || isShown( cross( normal, *e ) ) || isShown( cross( normal, *f ) );
            }
        }
        return result;
    }
};

/// The exponent of the lowest set bit of a number.
int lowestBitOf( double number )
{
    int exponent;
    const std::int64_t mantissa = std::int64_t( std::ldexp( std::frexp( number, &exponent ), 53 ) );
    return mantissa == 0 ? 1024 : exponent - 53 + __builtin_ctzll( std::uint64_t( mantissa ) );
}

/// Exponents that enclose all set bits of the coordinates: from 2^lowest to 2^highest.
struct BitRange
{
    int lowest = 1024;
    int highest = -1074;

    explicit BitRange( std::initializer_list<const std::vector<ExactPoint>*> sets )
    {
        for ( const auto* set : sets )
        {
            for ( const ExactPoint& point : *set )
            {
                for ( const double coordinate : point )
                {
                    lowest = std::min( lowest, lowestBitOf( coordinate ) );
                    highest = coordinate == 0 ? highest : std::max( highest, std::ilogb( coordinate ) );
                }
            }
        }
    }

    /// True if the bits are so few that a product of four sums of two coordinates fits into 128 bits.
    bool isNarrow() const
    {
        return highest - lowest < 24;
    }
};

Int128 scaled( double number, int lowestBit, Int128 )
{
    return std::int64_t( std::ldexp( number, -lowestBit ) );
}

mpz_class scaled( double number, int lowestBit, const mpz_class& )
{
    const int ownLowest = lowestBitOf( number );
    return number == 0 ? mpz_class()
                       : mpz_class( std::ldexp( number, -ownLowest ) ) << unsigned( ownLowest - lowestBit );
}

/// All coordinates, divided by 2^lowestBit.
template <typename Number>
std::vector<Vector<Number>> integersOf( const std::vector<ExactPoint>& points, int lowestBit )
{
    std::vector<Vector<Number>> integers( points.size() );
    for ( std::size_t i = 0; i < points.size(); ++i )
    {
        for ( std::size_t axis = 0; axis < 3; ++axis )
        {
            integers[i][axis] = scaled( points[i][axis], lowestBit, Number() );
        }
    }
    return integers;
}

std::vector<Vector<Interval>> intervalsOf( const std::vector<ExactPoint>& points )
{
    std::vector<Vector<Interval>> intervals;
    for ( const ExactPoint& point : points )
    {
        intervals.push_back( { { { point[0], 0 }, { point[1], 0 }, { point[2], 0 } } } );
    }
    return intervals;
}

} // namespace

int determinantSign( const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, const ExactPoint& d )
{
    const std::vector<ExactPoint> points = { a, b, c, d };
    const int sign = determinantSignOf( intervalsOf( points ) );
    return sign != unknown ? sign
                           : determinantSignOf( integersOf<mpz_class>( points, BitRange( { &points } ).lowest ) );
}

bool hullsIntersect( const std::vector<ExactPoint>& a, const std::vector<ExactPoint>& b )
{
    const int apart = Differences<Interval>( intervalsOf( a ), intervalsOf( b ) ).areApart();
    if ( apart != unknown )
    {
        return apart == 0;
    }
    const BitRange bits( { &a, &b } );
    return ( bits.isNarrow()
                 ? Differences<Int128>( integersOf<Int128>( a, bits.lowest ), integersOf<Int128>( b, bits.lowest ) )
                       .areApart()
                 : Differences<mpz_class>( integersOf<mpz_class>( a, bits.lowest ),
                                           integersOf<mpz_class>( b, bits.lowest ) )
                       .areApart() ) == 0;
}

} // namespace cullet
