// SPDX-License-Identifier: Zlib
/// \file random.h
/// Counter-based random numbers: each is a hash of its purpose, so that a body's motion does not depend on the number
/// of bodies, on which bodies move, or on the order of calls. The hash is an output of the generator SplitMix64: the
/// golden-ratio increment, then David Stafford's Mix13. It is applied twice, to separate subjects and counters.
#ifndef CLT_DEMOS_RANDOM_H
#define CLT_DEMOS_RANDOM_H

#include <stdint.h>

/// Steps count from 0. These two values stand for numbers that are drawn before the first step.
#define CLT_STEP_PLACING 0xfffffff0u
#define CLT_STEP_GAUSSIAN 0xffffffffu

/// The purpose of a random number. Numbers of different subjects, steps or channels are independent.
typedef struct cltDraw
{
    uint64_t seed;
    uint32_t subject; ///< a body, a static box or a cluster
    uint32_t step;
} cltDraw;

/// The increment between two states of SplitMix64.
#define CLT_MIX_INCREMENT 0x9e3779b97f4a7c15u

static inline uint64_t cltMix( uint64_t bits )
{
    bits += CLT_MIX_INCREMENT;
    bits = ( bits ^ ( bits >> 30 ) ) * 0xbf58476d1ce4e5b9u;
    bits = ( bits ^ ( bits >> 27 ) ) * 0x94d049bb133111ebu;
    return bits ^ ( bits >> 31 );
}

/// Uniform in [0, 1): 24 bits, as many as a float holds, so that nothing is rounded.
static inline float cltUniform( cltDraw draw, uint32_t channel )
{
    const uint64_t counter = (uint64_t)draw.step << 32 | channel;
    const uint64_t bits = cltMix( cltMix( draw.seed + draw.subject ) + counter );
    return (float)( bits >> 40 ) * 0x1p-24f;
}

/// Uniform in [-1, 1).
static inline float cltUniformSigned( cltDraw draw, uint32_t channel )
{
    return 2.0f * cltUniform( draw, channel ) - 1.0f;
}

/// Nearly normal with mean 0 and variance 1: the sum of twelve uniform numbers minus six. Needs no logarithm or cosine,
/// the last bit of which differs between C libraries.
static inline float cltGaussian( cltDraw draw, uint32_t channel )
{
    float sum = 0.0f;
    draw.step = CLT_STEP_GAUSSIAN;
    for ( uint32_t k = 0; k < 12; ++k )
    {
        sum += cltUniform( draw, channel * 16 + k );
    }
    return sum - 6.0f;
}

#endif
