// SPDX-License-Identifier: Zlib
/// \file exact_oracle.h
/// References for exact.h and triangle.h: the same results by other methods, in integers.
#ifndef CLT_TESTS_EXACT_ORACLE_H
#define CLT_TESTS_EXACT_ORACLE_H

#include "gpu/mesh/core/triangle.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace test
{

__extension__ typedef __int128 Int128;

template <typename Number>
int signOf( Number value )
{
    return ( value > 0 ) - ( value < 0 );
}

/// A point of a lattice. Differences of differences of coordinates to 2^19 multiply to less than 2^127.
struct LatticePoint
{
    std::int64_t x, y, z;
};

inline LatticePoint operator-( const LatticePoint& a, const LatticePoint& b )
{
    return { a.x - b.x, a.y - b.y, a.z - b.z };
}

inline LatticePoint cross( const LatticePoint& a, const LatticePoint& b )
{
    return { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

inline Int128 dot( const LatticePoint& a, const LatticePoint& b )
{
    return Int128( a.x ) * b.x + Int128( a.y ) * b.y + Int128( a.z ) * b.z;
}

inline bool isZero( const LatticePoint& a )
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

/// Tests whether the origin lies in the convex hull of the differences of two sets of points. If so, it lies in the
/// hull of at most four of them (Caratheodory), so all sets of up to four are tried.
class HullOfDifferences
{
public:
    using Triangle = std::array<LatticePoint, 3>;

    HullOfDifferences( const Triangle& a, const Triangle& b )
    {
        for ( const LatticePoint& p : a )
        {
            for ( const LatticePoint& q : b )
            {
                m_points.push_back( p - q );
            }
        }
    }

    /// True if the hull contains the origin: the two triangles intersect.
    bool holdsOrigin() const
    {
        const std::size_t count = m_points.size();
        for ( std::size_t i = 0; i < count; ++i )
        {
            for ( std::size_t j = i; j < count; ++j )
            {
                for ( std::size_t k = j; k < count; ++k )
                {
                    for ( std::size_t l = k; l < count; ++l )
                    {
                        if ( hold( m_points[i], m_points[j], m_points[k], m_points[l] ) )
                        {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
    }

private:
    static bool hold( const LatticePoint& a, const LatticePoint& b, const LatticePoint& c, const LatticePoint& d )
    {
        const Int128 volume = dot( cross( b - a, c - a ), d - a );
        return volume != 0 ? holdSolid( a, b, c, d )
                           : holdFlat( a, b, c ) || holdFlat( a, b, d ) || holdFlat( a, c, d );
    }

    static bool holdSolid( const LatticePoint& a, const LatticePoint& b, const LatticePoint& c, const LatticePoint& d )
    {
        return sameSide( a, b, c, d ) && sameSide( b, c, d, a ) && sameSide( c, d, a, b ) && sameSide( d, a, b, c );
    }

    /// Whether the origin is on d's side of the plane through a, b, c, or on it.
    static bool sameSide( const LatticePoint& a, const LatticePoint& b, const LatticePoint& c, const LatticePoint& d )
    {
        const LatticePoint normal = cross( b - a, c - a );
        return signOf( dot( normal, d - a ) ) * signOf( -dot( normal, a ) ) >= 0;
    }

    static bool holdFlat( const LatticePoint& a, const LatticePoint& b, const LatticePoint& c )
    {
        const LatticePoint normal = cross( b - a, c - a );
        if ( isZero( normal ) )
        {
            return holdStraight( a, b ) || holdStraight( a, c ) || holdStraight( b, c );
        }
        return dot( normal, a ) == 0 && dot( normal, cross( a, b ) ) >= 0 && dot( normal, cross( b, c ) ) >= 0 &&
               dot( normal, cross( c, a ) ) >= 0;
    }

    static bool holdStraight( const LatticePoint& a, const LatticePoint& b )
    {
        return isZero( cross( a, b ) ) && dot( a, b ) <= 0;
    }

    std::vector<LatticePoint> m_points;
};

/// The sign of the determinant with rows (x, y, z, 1), in fixed-point numbers that hold any product of three doubles.
class FixedPointDeterminant
{
public:
    int sign( const cltPoint& a, const cltPoint& b, const cltPoint& c, const cltPoint& d )
    {
        m_limbs.fill( 0 );
        const cltPoint* rows[4] = { &a, &b, &c, &d };
        for ( int i = 0; i < 4; ++i )
        {
            for ( int j = 0; j < 4; ++j )
            {
                for ( int k = 0; k < 4; ++k )
                {
                    if ( i != j && j != k && i != k )
                    {
                        const int last = 6 - i - j - k;
                        const int inversions =
                            ( i > j ) + ( i > k ) + ( i > last ) + ( j > k ) + ( j > last ) + ( k > last );
                        add( rows[i]->at[0], rows[j]->at[1], rows[k]->at[2], inversions % 2 == 0 ? 1 : -1 );
                    }
                }
            }
        }
        return carry();
    }

private:
    static constexpr int bitsPerLimb = 24;

    /// Adds sign * x * y * z, a limb of each number by a limb of each other.
    void add( double x, double y, double z, std::int64_t sign )
    {
        int exponents[3];
        std::int64_t mantissas[3];
        const double values[3] = { x, y, z };
        for ( int i = 0; i < 3; ++i )
        {
            mantissas[i] = static_cast<std::int64_t>( std::ldexp( std::frexp( values[i], &exponents[i] ), 53 ) );
        }
        // the offset makes the position of every product's lowest bit positive
        const int exponent = exponents[0] + exponents[1] + exponents[2] - 3 * 53 + 3 * 1130;
        Int128 product = Int128( mantissas[0] ) * mantissas[1] * sign;
        for ( int part = 0; part < 5; ++part ) // limbs of the product of two mantissas; the last one holds the sign
        {
            const std::int64_t low = static_cast<std::int64_t>( part < 4 ? product & 0xffffff : product );
            product >>= bitsPerLimb;
            for ( int third = 0; third < 3; ++third )
            {
                const std::int64_t rest = mantissas[2] >> ( bitsPerLimb * third );
                const std::int64_t digit = third < 2 ? rest & 0xffffff : rest;
                addAt( low * digit, exponent + bitsPerLimb * ( part + third ) );
            }
        }
    }

    void addAt( std::int64_t value, int bit )
    {
        const Int128 moved = Int128( value ) * ( Int128( 1 ) << ( bit % bitsPerLimb ) ); // value may be negative
        m_limbs[static_cast<std::size_t>( bit / bitsPerLimb )] += moved;
    }

    int carry()
    {
        for ( std::size_t i = 0; i + 1 < m_limbs.size(); ++i )
        {
            m_limbs[i + 1] += m_limbs[i] >> bitsPerLimb;
            m_limbs[i] &= 0xffffff;
        }
        int sign = signOf( m_limbs.back() );
        for ( std::size_t i = 0; sign == 0 && i + 1 < m_limbs.size(); ++i )
        {
            sign = m_limbs[i] != 0;
        }
        return sign;
    }

    std::array<Int128, 300> m_limbs{}; // limbs of 24 bits; the last one holds the sign
};

inline cltPoint pointOf( const LatticePoint& place, double scale )
{
    return { { static_cast<double>( place.x ) * scale, static_cast<double>( place.y ) * scale,
               static_cast<double>( place.z ) * scale } };
}

inline cltFacet triangleOf( const std::array<LatticePoint, 3>& places, double scale )
{
    return { { pointOf( places[0], scale ), pointOf( places[1], scale ), pointOf( places[2], scale ) } };
}

} // namespace test

#endif
