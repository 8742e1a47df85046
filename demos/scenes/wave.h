// SPDX-License-Identifier: Zlib
/// \file wave.h
/// Sine, cosine and rotations, computed with additions, multiplications and floor only. The last bit of the C library's
/// sine differs between machines.
#ifndef CLT_DEMOS_WAVE_H
#define CLT_DEMOS_WAVE_H

#include <math.h>
#include <stdint.h>

#define CLT_TWO_PI 6.283185307179586

/// The sine of an angle in turns, to 1e-7: the Taylor series on the quarter turns around 0.
static inline double cltSine( double turns )
{
    double x = turns - floor( turns + 0.5 );
    x = x > 0.25 ? 0.5 - x : x < -0.25 ? -0.5 - x : x;
    const double y = CLT_TWO_PI * x;
    const double z = y * y;
    return y * ( 1 - z / 6 * ( 1 - z / 20 * ( 1 - z / 42 * ( 1 - z / 72 * ( 1 - z / 110 ) ) ) ) );
}

static inline double cltCosine( double turns )
{
    return cltSine( turns + 0.25 );
}

/// A triangle wave: from 0 to 1 and back in one turn.
static inline double cltTriangleWave( double turns )
{
    return 1 - fabs( 2 * ( turns - floor( turns ) ) - 1 );
}

/// A direction in the plane, as its cosine and sine. The angle itself would need an arc tangent, the last bit of which
/// also differs between machines.
typedef struct cltTurn
{
    double cosine;
    double sine;
} cltTurn;

static inline cltTurn cltTurnBy( double turns )
{
    return ( cltTurn ){ cltCosine( turns ), cltSine( turns ) };
}

static inline cltTurn cltAddTurns( cltTurn a, cltTurn b )
{
    return ( cltTurn ){ a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine };
}

static inline cltTurn cltMultiplyTurn( cltTurn turn, uint32_t times )
{
    cltTurn result = { 1, 0 };
    for ( ; times > 0; times /= 2, turn = cltAddTurns( turn, turn ) )
    {
        result = times % 2 == 1 ? cltAddTurns( result, turn ) : result;
    }
    return result;
}

#endif
