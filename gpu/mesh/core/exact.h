// SPDX-License-Identifier: Zlib
/// \file exact.h Exact signs of determinants for all finite doubles and floats: on which side of a plane or a line a
/// point lies. Every decision about triangles uses these.
///
/// Determinants are computed in doubles first, with a bound on the rounding error (Shewchuk, Adaptive Precision
/// Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997). If the result is within the bound, integers
/// decide: see cltExactSum.
/// Fused multiply-adds only reduce the error, so results do not depend on them. Reordered sums, as with -ffast-math,
/// would break the bound.
#ifndef CLT_CORE_EXACT_H
#define CLT_CORE_EXACT_H

#include "gpu/core/callable.h"

#include <math.h>
#include <string.h>

#if defined( __FAST_MATH__ )
#error "exact.h needs arithmetic as it is written; leave -ffast-math out"
#endif

/// A point; all coordinates are finite.
typedef struct cltPoint
{
    double at[3];
} cltPoint;

// ------------------------------------------------------------------------------------------------ in integers

/// A double as mantissa * 2^exponent.
typedef struct cltScaledInteger
{
    uint64_t mantissa; ///< below 2^53
    int exponent;
    bool isNegative;
} cltScaledInteger;

CLT_HD cltScaledInteger cltScaledInteger_Of( double value )
{
    uint64_t bits;
    memcpy( &bits, &value, sizeof bits );
    const int exponent = (int)( ( bits >> 52 ) & 0x7ffu );
    const uint64_t fraction = bits & ( ( (uint64_t)1 << 52 ) - 1u );
    cltScaledInteger result;
    result.mantissa = exponent != 0 ? fraction | ( (uint64_t)1 << 52 ) : fraction;
    result.exponent = ( exponent != 0 ? exponent : 1 ) - 1075;
    result.isNegative = ( bits >> 63 ) != 0;
    return result;
}

/// The 128-bit product of two numbers, in halves.
CLT_HD void cltMultiply( uint64_t a, uint64_t b, uint64_t* high, uint64_t* low )
{
    const uint64_t mask = 0xffffffffu;
    const uint64_t lowLow = ( a & mask ) * ( b & mask );
    const uint64_t highLow = ( a >> 32 ) * ( b & mask );
    const uint64_t lowHigh = ( a & mask ) * ( b >> 32 );
    const uint64_t middle = ( lowLow >> 32 ) + ( highLow & mask ) + ( lowHigh & mask );
    *low = ( middle << 32 ) | ( lowLow & mask );
    *high = ( a >> 32 ) * ( b >> 32 ) + ( highLow >> 32 ) + ( lowHigh >> 32 ) + ( middle >> 32 );
}

/// A sum of at most 24 products of three doubles each, with an exact sign. Products are added from the greatest
/// exponent to the smallest. If the next exponent is lower by s, the sum is shifted up by s bits. A sum that would then
/// need more than 192 bits would exceed 2^191 units of the next product. The remaining products are at most 24 numbers
/// below 2^159. So the sum's sign is final, and these products are skipped. Four words suffice for all exponents,
/// without overflow or underflow.
typedef struct cltExactSum
{
    uint64_t words[4]; ///< lowest first, in two's complement; the unit is 2^exponent
    int exponent;
} cltExactSum;

#define CLT_EXACT_SUM_BITS 192

CLT_HD int cltExactSum_Sign( const cltExactSum* sum )
{
    const bool isZero = ( sum->words[0] | sum->words[1] | sum->words[2] | sum->words[3] ) == 0;
    return isZero ? 0 : ( sum->words[3] >> 63 ) != 0 ? -1 : 1;
}

/// The number of bits of the sum without its sign.
CLT_HD int cltExactSum_Bits( const cltExactSum* sum )
{
    const uint64_t flip = (uint64_t)0 - ( sum->words[3] >> 63 );
    for ( int i = 3; i >= 0; --i )
    {
        uint64_t word = sum->words[i] ^ flip;
        if ( word != 0 )
        {
            int bits = 64 * i + 1;
            for ( int step = 32; step > 0; step /= 2 )
            {
                const bool isAbove = ( word >> step ) != 0;
                bits += isAbove ? step : 0;
                word = isAbove ? word >> step : word;
            }
            return bits;
        }
    }
    return 0;
}

CLT_HD void cltExactSum_ShiftLeft( cltExactSum* sum, int shift )
{
    const int wordShift = shift / 64;
    const int bitShift = shift % 64;
    for ( int i = 3; i >= 0; --i )
    {
        const int from = i - wordShift;
        uint64_t word = from >= 0 ? sum->words[from] << bitShift : 0u;
        if ( from >= 1 && bitShift != 0 )
        {
            word |= sum->words[from - 1] >> ( 64 - bitShift );
        }
        sum->words[i] = word;
    }
}

/// Adds or subtracts the product a * b * c * 2^exponent.
/// \return false if the sign is final without this product
CLT_HD bool cltExactSum_Add( cltExactSum* sum, uint64_t a, uint64_t b, uint64_t c, int exponent, bool isNegative )
{
    const int shift = sum->exponent - exponent;
    if ( cltExactSum_Sign( sum ) != 0 && shift != 0 )
    {
        if ( shift + cltExactSum_Bits( sum ) > CLT_EXACT_SUM_BITS )
        {
            return false;
        }
        cltExactSum_ShiftLeft( sum, shift );
    }
    sum->exponent = exponent;

    uint64_t high;
    uint64_t low;
    uint64_t carry;
    uint64_t product[4];
    cltMultiply( a, b, &high, &low );
    cltMultiply( low, c, &carry, &product[0] );
    cltMultiply( high, c, &product[2], &product[1] );
    product[1] += carry;
    product[2] += product[1] < carry;
    product[3] = 0;

    const uint64_t flip = isNegative ? UINT64_MAX : 0u;
    carry = isNegative ? 1u : 0u;
    for ( int i = 0; i < 4; ++i )
    {
        const uint64_t addend = ( product[i] ^ flip ) + carry;
        carry = addend < carry;
        sum->words[i] += addend;
        carry += sum->words[i] < addend;
    }
    return true;
}

/// Finds, for each column, the row of its factor in product `term` of a 4x4 determinant. The 24 terms are permutations.
/// \param[out] isOdd  whether the permutation is odd, so that the product is subtracted
CLT_HD void cltDeterminantTerm( uint32_t term, uint32_t rows[4], bool* isOdd )
{
    uint32_t left[4] = { 0, 1, 2, 3 };
    uint32_t picks[4];
    picks[0] = term / 6u;
    picks[1] = term / 2u % 3u;
    picks[2] = term % 2u;
    picks[3] = 0;
    for ( uint32_t column = 0; column < 4u; ++column )
    {
        rows[column] = left[picks[column]];
        for ( uint32_t i = picks[column]; i + 1u < 4u; ++i )
        {
            left[i] = left[i + 1u];
        }
    }
    *isOdd = ( ( picks[0] + picks[1] + picks[2] ) & 1u ) != 0; // the number of exchanges
}

/// The exact sign of the determinant with one row (x, y, z, 1) per point.
CLT_HD_SELDOM int cltExactDeterminant( const cltPoint* const points[4] )
{
    cltScaledInteger scaled[4][3];
    for ( int row = 0; row < 4; ++row )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            scaled[row][axis] = cltScaledInteger_Of( points[row]->at[axis] );
        }
    }
    // An entry has a term's exponent in the high bits and its number in the low bits. Entries are sorted in descending
    // order. Most exponents are equal, so few entries move.
    uint32_t order[24];
    uint32_t count = 0;
    for ( uint32_t term = 0; term < 24u; ++term )
    {
        uint32_t rows[4];
        bool isOdd;
        cltDeterminantTerm( term, rows, &isOdd );
        const cltScaledInteger* x = &scaled[rows[0]][0];
        const cltScaledInteger* y = &scaled[rows[1]][1];
        const cltScaledInteger* z = &scaled[rows[2]][2];
        if ( x->mantissa != 0 && y->mantissa != 0 && z->mantissa != 0 )
        {
            const int exponent = x->exponent + y->exponent + z->exponent; // at least 3 * -1074
            const uint32_t entry = ( (uint32_t)( exponent + 4096 ) << 5 ) | term;
            uint32_t place = count++;
            for ( ; place > 0 && order[place - 1u] < entry; --place )
            {
                order[place] = order[place - 1u];
            }
            order[place] = entry;
        }
    }
    cltExactSum sum = { { 0, 0, 0, 0 }, 0 };
    for ( uint32_t i = 0; i < count; ++i )
    {
        uint32_t rows[4];
        bool isOdd;
        cltDeterminantTerm( order[i] & 31u, rows, &isOdd );
        const cltScaledInteger* x = &scaled[rows[0]][0];
        const cltScaledInteger* y = &scaled[rows[1]][1];
        const cltScaledInteger* z = &scaled[rows[2]][2];
        const bool isNegative = ( isOdd != x->isNegative ) != ( y->isNegative != z->isNegative );
        if ( !cltExactSum_Add( &sum, x->mantissa, y->mantissa, z->mantissa, (int)( order[i] >> 5 ) - 4096,
                               isNegative ) )
        {
            break;
        }
    }
    return cltExactSum_Sign( &sum );
}

// ------------------------------------------------------------------------------------------------- in doubles

/// Bounds on the rounding error of a 3x3 (2x2) determinant of coordinate differences, as a share of the sum of its
/// products' magnitudes: slightly above 7/2^53 (3/2^53) by Shewchuk 1997, section 4.4, plus the bound's own rounding.
#define CLT_ORIENT3_BOUND 8.8817841970012523e-16 // 8/2^53
#define CLT_ORIENT2_BOUND 4.4408920985006262e-16 // 4/2^53

/// A bound on the total error of products that underflow, if each of them is multiplied by a factor below one. The
/// bound is far below 2^-447, the smallest product of three floats.
#define CLT_ORIENT_UNDERFLOW 9.3326361850321888e-302 // 2^-1000

/// The part of an orientation test that depends only on the plane through three points.
typedef struct cltPlane
{
    const cltPoint* corners[3];
    double normal[3];    ///< the plane's normal, rounded
    double magnitude[3]; ///< by axis, the sum of the magnitudes of the products in the normal
} cltPlane;

CLT_HD cltPlane cltPlane_Make( const cltPoint* a, const cltPoint* b, const cltPoint* c )
{
    cltPlane plane;
    plane.corners[0] = a;
    plane.corners[1] = b;
    plane.corners[2] = c;
    double u[3];
    double v[3];
    for ( int axis = 0; axis < 3; ++axis )
    {
        u[axis] = b->at[axis] - a->at[axis];
        v[axis] = c->at[axis] - a->at[axis];
    }
    for ( int axis = 0; axis < 3; ++axis )
    {
        const int next = axis == 2 ? 0 : axis + 1;
        const int last = axis == 0 ? 2 : axis - 1;
        const double left = u[next] * v[last];
        const double right = u[last] * v[next];
        plane.normal[axis] = left - right;
        plane.magnitude[axis] = fabs( left ) + fabs( right );
    }
    return plane;
}

CLT_HD bool cltPoint_Equals( const cltPoint* a, const cltPoint* b )
{
    return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2];
}

/// Whether the point is on the plane in one of two common cases: it equals a corner, or the point and all three corners
/// have an equal coordinate.
CLT_HD bool cltPlane_ContainsTrivially( const cltPlane* plane, const cltPoint* point )
{
    const cltPoint* a = plane->corners[0];
    const cltPoint* b = plane->corners[1];
    const cltPoint* c = plane->corners[2];
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double level = point->at[axis];
        if ( a->at[axis] == level && b->at[axis] == level && c->at[axis] == level )
        {
            return true;
        }
    }
    return cltPoint_Equals( a, point ) || cltPoint_Equals( b, point ) || cltPoint_Equals( c, point );
}

/// The side of the plane on which the point lies: 1 if the corners appear counter-clockwise from the point, -1 if
/// clockwise, 0 if the point is on the plane. Always 0 if the corners are collinear.
CLT_HD int cltPlane_Side( const cltPlane* plane, const cltPoint* point )
{
    double sum = 0.0;
    double magnitude = 0.0;
    double reach = 1.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double away = point->at[axis] - plane->corners[0]->at[axis];
        sum += plane->normal[axis] * away;
        magnitude += plane->magnitude[axis] * fabs( away );
        reach += fabs( away );
    }
    // Overflow makes the bound infinite or NaN, which decides nothing.
    const double bound = CLT_ORIENT3_BOUND * magnitude + CLT_ORIENT_UNDERFLOW * reach;
    if ( fabs( sum ) > bound )
    {
        return sum > 0.0 ? 1 : -1;
    }
    if ( cltPlane_ContainsTrivially( plane, point ) )
    {
        return 0;
    }
    const cltPoint* points[4];
    for ( int i = 0; i < 3; ++i )
    {
        points[i] = plane->corners[i];
    }
    points[3] = point;
    return -cltExactDeterminant( points ); // differences above have the opposite direction, so the sign is reversed
}

CLT_HD int cltOrient3( const cltPoint* a, const cltPoint* b, const cltPoint* c, const cltPoint* d )
{
    const cltPlane plane = cltPlane_Make( a, b, c );
    return cltPlane_Side( &plane, d );
}

/// The orientation of a, b, c, seen along `axis` with the next axis to the right: 1 counter-clockwise, -1 clockwise, 0
/// if they are collinear in that view.
CLT_HD int cltOrient2( const cltPoint* a, const cltPoint* b, const cltPoint* c, int axis )
{
    const int x = axis == 2 ? 0 : axis + 1;
    const int y = axis == 0 ? 2 : axis - 1;
    const double left = ( a->at[x] - c->at[x] ) * ( b->at[y] - c->at[y] );
    const double right = ( a->at[y] - c->at[y] ) * ( b->at[x] - c->at[x] );
    const double sum = left - right;
    const double bound = CLT_ORIENT2_BOUND * ( fabs( left ) + fabs( right ) ) + CLT_ORIENT_UNDERFLOW;
    if ( fabs( sum ) > bound )
    {
        return sum > 0.0 ? 1 : -1;
    }
    // The determinant with the rows (x, y, 1) of a, b and c is the negated cltExactDeterminant of four points: a, b and
    // c in the plane z = 0, and (0, 0, 1).
    cltPoint flat[4];
    const cltPoint* points[4];
    const cltPoint* given[3];
    given[0] = a;
    given[1] = b;
    given[2] = c;
    for ( int i = 0; i < 4; ++i )
    {
        flat[i].at[0] = i < 3 ? given[i]->at[x] : 0.0;
        flat[i].at[1] = i < 3 ? given[i]->at[y] : 0.0;
        flat[i].at[2] = i < 3 ? 0.0 : 1.0;
        points[i] = &flat[i];
    }
    return -cltExactDeterminant( points );
}

#endif
