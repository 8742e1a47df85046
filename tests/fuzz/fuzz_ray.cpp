// SPDX-License-Identifier: Zlib
// The input is a segment and a box, as twelve doubles of any bits, and a ray's length. GMP's fractions decide exactly
// whether segment and box meet. What single tests meet, the covering tests in float that walk a tree must meet, too.
#include "gpu/core/segment.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gmpxx.h>

using test::require;

namespace
{

/// From, to, lower, upper: three numbers each. Then a length.
using Input = std::array<double, 13>;

/// Whether a point of the segment lies in the box, enlarged by `margin` on all sides.
bool exactlyMeets( const Input& input, const mpq_class& margin )
{
    mpq_class first = 0, last = 1;
    for ( size_t axis = 0; axis < 3; ++axis )
    {
        const mpq_class from = input[axis], way = input[3 + axis] - from;
        mpq_class in = input[6 + axis] - margin - from, out = input[9 + axis] + margin - from;
        if ( way != 0 )
        {
            in /= way;
            out /= way;
            first = std::max( first, std::min( in, out ) );
            last = std::min( last, std::max( in, out ) );
        }
        else if ( in > 0 || out < 0 )
        {
            return false;
        }
    }
    return first <= last;
}

/// \param isBetween  whether the ray leads to the second point, or has its coordinates as inverse directions
void requireCovered( const Input& input, const cltAabbD& box, bool isBetween )
{
    cltRay ray = cltRayBetween( &input[0], &input[3] );
    if ( !isBetween )
    {
        std::copy_n( &input[3], 3, ray.inverse );
        ray.length = input[12];
    }
    ray = cltRay_Clamp( &ray, DBL_MAX );
    double enter = 0;
    float floatEnter = 0;
    const cltSlabs slabs = cltSlabs_Cover( &ray );
    const cltAabb outer = cltAabb_FromDouble( &box );
    require( !cltRay_Meets( &ray, &box, ray.length, &enter ) || cltSlabs_Meet( &slabs, &outer, &floatEnter ) );
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    Input input = {};
    std::memcpy( input.data(), data, std::min( size, sizeof input ) );
    if ( !std::all_of( input.begin(), input.end(), []( double number ) { return std::isfinite( number ); } ) )
    {
        return 0;
    }
    cltAabbD box;
    for ( size_t axis = 0; axis < 3; ++axis )
    {
        if ( input[6 + axis] > input[9 + axis] )
        {
            std::swap( input[6 + axis], input[9 + axis] );
        }
        box.lower[axis] = input[6 + axis];
        box.upper[axis] = input[9 + axis];
    }
    const cltSegment segment = cltSegment_Make( &input[0], &input[3] );
    double enter = 0;
    const bool meets = cltSegment_Meets( &segment, &box, 1, &enter );

    // What cltBroadphase_CastRay promises: no box is missed, and boxes that are reported are missed by little.
    double largest = 0;
    for ( const double number : input )
    {
        largest = std::max( largest, std::fabs( number ) );
    }
    const mpq_class margin = mpq_class( largest ) * 4 / 1000000000000000L + mpq_class( 5e-324 );
    require( meets ? exactlyMeets( input, margin ) : !exactlyMeets( input, 0 ) );
    require( !meets || ( enter >= 0 && enter <= 1 ) );

    float floatEnter = 0;
    const cltSlabs slabs = cltSegment_Cover( &segment );
    const cltAabb outer = cltAabb_FromDouble( &box );
    require( !meets || cltSlabs_Meet( &slabs, &outer, &floatEnter ) );
    requireCovered( input, box, true );
    if ( input[12] <= FLT_MAX ) // longer rays may miss boxes: tests/README.md, known faults
    {
        requireCovered( input, box, false );
    }
    return 0;
}
