// SPDX-License-Identifier: Zlib
/// \file random.h
/// Counter-based random numbers: each is a hash of what it is for, so a body's motion does not depend on how many
/// bodies there are, which of them move, or the order of the calls. The hash is an output of the generator SplitMix64:
/// the golden-ratio increment, then David Stafford's Mix13. It is applied twice, to tell subjects and counters apart.
#ifndef CLT_DEMOS_RANDOM_H
#define CLT_DEMOS_RANDOM_H

#include <stdint.h>

/// Steps count from 0; these two stand for numbers drawn before the first.
#define CLT_STEP_PLACING 0xfffffff0u
#define CLT_STEP_GAUSSIAN 0xffffffffu

/// What one number is for. Numbers of different subjects, steps or channels have nothing to do with each other.
typedef struct cltDraw
{
    uint64_t seed;
    uint32_t subject; ///< a body, a static box or a cluster
    uint32_t step;
} cltDraw;

/// From one state of SplitMix64 to the next.
#define CLT_MIX_INCREMENT 0x9e3779b97f4a7c15u

static inline uint64_t cltMix( uint64_t bits )
{
    bits += CLT_MIX_INCREMENT;
    bits = ( bits ^ ( bits >> 30 ) ) * 0xbf58476d1ce4e5b9u;
    bits = ( bits ^ ( bits >> 27 ) ) * 0x94d049bb133111ebu;
    return bits ^ ( bits >> 31 );
}

/// Uniform in [0, 1): 24 bits, as many as a float holds, so nothing is rounded.
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

/// Nearly normal with mean 0 and variance 1: the sum of twelve uniform numbers less six. Unlike the usual transforms it
/// needs no logarithm or cosine: their last bits differ between C libraries.
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
