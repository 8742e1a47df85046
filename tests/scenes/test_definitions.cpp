// SPDX-License-Identifier: Zlib
// The boxes of each scene, to the bit. Published tables name a scene, a size and a seed, and nothing else: a scene that
// has changed makes them figures about something else.
#include "demos/scenes/scenes.h"

#include <gtest/gtest.h>

#include <cstring>

/// FNV-1a (Fowler, Noll and Vo), 64 bits, over the bits of all bounds, lowest byte first.
static uint64_t hashBoxes( const cltScene& scene )
{
    uint64_t hash = 0xcbf29ce484222325u;
    for ( uint32_t k = 0; k < 6 * scene.boxCount; ++k )
    {
        uint32_t bits = 0;
        const cltAabb& box = scene.boxes[k / 6];
        std::memcpy( &bits, k % 6 < 3 ? &box.lower[k % 6] : &box.upper[k % 6 - 3], sizeof bits );
        for ( int shift = 0; shift < 32; shift += 8 )
        {
            hash = ( hash ^ ( ( bits >> shift ) & 0xffu ) ) * 0x100000001b3u;
        }
    }
    return hash;
}

static uint64_t hashAfterSteps( cltSceneKind kind, double movingPercent )
{
    const cltSceneDef def = { kind, 500, movingPercent, 0.5f, CLT_SCENE_SEED, 0.0 };
    cltScene* scene = cltCreateScene( &def );
    for ( int step = 0; step < 30; ++step )
    {
        cltScene_Step( scene );
    }
    const uint64_t hash = hashBoxes( *scene );
    cltDestroyScene( scene );
    return hash;
}

TEST( Definitions, AreWhatTheyWere )
{
    EXPECT_EQ( 3422841244706880844u, hashAfterSteps( clt_sceneBrownian, 100 ) );
    EXPECT_EQ( 4468500771221296681u, hashAfterSteps( clt_sceneBrownian, 10 ) );
    EXPECT_EQ( 2863509484241945706u, hashAfterSteps( clt_sceneMixed, 100 ) );
    EXPECT_EQ( 345849378839645698u, hashAfterSteps( clt_sceneColumn, 100 ) );
    EXPECT_EQ( 14247700454996570392u, hashAfterSteps( clt_sceneClustered, 100 ) );
}
