// SPDX-License-Identifier: Zlib
// The boxes of each scene, to the bit. Published tables give only a scene, a size and a seed; if a scene changes, their
// figures become wrong.
#include "demos/scenes/scenes.h"

#include <gtest/gtest.h>

#include <numeric>

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo) of the bytes of all bounds on a little-endian machine.
static uint64_t hashAfterSteps( cltSceneKind kind, double movingPercent )
{
    const cltSceneDef def = { kind, 500, movingPercent, 0.5f, CLT_SCENE_SEED, 0.0 };
    cltScene* scene = cltCreateScene( &def );
    for ( int step = 0; step < 30; ++step )
    {
        cltScene_Step( scene );
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>( scene->boxes );
    const auto mix = []( uint64_t hash, unsigned char byte ) { return ( hash ^ byte ) * 0x100000001b3u; };
    const uint64_t hash =
        std::accumulate( bytes, bytes + scene->boxCount * sizeof( cltAabb ), uint64_t( 0xcbf29ce484222325u ), mix );
    cltDestroyScene( scene );
    return hash;
}

TEST( Definitions, MatchThePublishedScenes )
{
    EXPECT_EQ( 3422841244706880844u, hashAfterSteps( clt_sceneBrownian, 100 ) );
    EXPECT_EQ( 4468500771221296681u, hashAfterSteps( clt_sceneBrownian, 10 ) );
    EXPECT_EQ( 2863509484241945706u, hashAfterSteps( clt_sceneMixed, 100 ) );
    EXPECT_EQ( 345849378839645698u, hashAfterSteps( clt_sceneColumn, 100 ) );
    EXPECT_EQ( 14247700454996570392u, hashAfterSteps( clt_sceneClustered, 100 ) );
    EXPECT_EQ( 14892179907675093821u, hashAfterSteps( clt_sceneCloth, 100 ) );
    EXPECT_EQ( 14892179907675093821u, hashAfterSteps( clt_sceneTeams, 100 ) );
    EXPECT_EQ( 2657517746373956195u, hashAfterSteps( clt_sceneTangle, 100 ) );
    EXPECT_EQ( 14990796714518421335u, hashAfterSteps( clt_sceneLevel, 100 ) );
    EXPECT_EQ( 1848144041752267188u, hashAfterSteps( clt_sceneTremble, 100 ) );
    EXPECT_EQ( 9073174751521341749u, hashAfterSteps( clt_sceneDebris, 100 ) );
    EXPECT_EQ( 7630964099268292755u, hashAfterSteps( clt_sceneCorridor, 100 ) );
    EXPECT_EQ( 17047356344893222389u, hashAfterSteps( clt_sceneChurn, 100 ) );
}
