// SPDX-License-Identifier: Zlib
// The named scenes have the same changes, in the same order, on every machine: with any processor, operating system,
// compiler, instruction set, algorithm and precision. The hashes below were computed once.
#include "demos/scenes/scenes.h"
#include "tests/behaviour/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( Machines );

namespace
{

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo), of whole numbers in place of bytes.
void mix( uint64_t& hash, uint32_t number )
{
    hash = ( hash ^ number ) * 0x100000001b3u;
}

void mix( uint64_t& hash, const cltPair* pairs, size_t count )
{
    mix( hash, uint32_t( count ) );
    for ( size_t i = 0; i < count; ++i )
    {
        mix( hash, pairs[i].proxyA );
        mix( hash, pairs[i].proxyB );
    }
}

/// The hash of all changes in twelve updates of a scene. Double boxes are the float boxes, exactly.
uint64_t hashOfChanges( cltSceneKind kind, const cltBroadphaseDef& def )
{
    const cltSceneDef sceneDef = { kind, 300, 60.0, 1.0f, CLT_SCENE_SEED, 1.0 };
    const std::unique_ptr<cltScene, decltype( &cltDestroyScene )> scene( cltCreateScene( &sceneDef ), cltDestroyScene );
    const BroadphasePtr broadphase = createBroadphase( def );
    const auto boxesD = [&scene]
    {
        Boxes boxes( scene->boxCount );
        std::transform( scene->boxes, scene->boxes + scene->boxCount, boxes.begin(), toDouble );
        return boxes;
    };
    Ids ids( scene->boxCount );
    const bool isDouble = def.precision == clt_precisionDouble;
    EXPECT_EQ( clt_ok, isDouble ? cltBroadphase_CreateProxiesD( broadphase.get(), scene->boxCount, boxesD().data(),
                                                                scene->filters, nullptr, ids.data() )
                                : cltBroadphase_CreateProxies( broadphase.get(), scene->boxCount, scene->boxes,
                                                               scene->filters, nullptr, ids.data() ) );
    uint64_t hash = 0xcbf29ce484222325u;
    for ( int step = 0; step < 12; ++step )
    {
        cltPairChanges changes = {};
        EXPECT_EQ( clt_ok, cltBroadphase_Update( broadphase.get(), &changes ) );
        mix( hash, changes.ended, changes.endedCount );
        mix( hash, changes.began, changes.beganCount );
        cltScene_Step( scene.get() );
        EXPECT_EQ( clt_ok,
                   isDouble
                       ? cltBroadphase_MoveProxiesD( broadphase.get(), scene->boxCount, ids.data(), boxesD().data() )
                       : cltBroadphase_MoveProxies( broadphase.get(), scene->boxCount, ids.data(), scene->boxes ) );
    }
    return hash;
}

/// By cltSceneKind.
constexpr uint64_t expected[CLT_SCENE_COUNT] = { 17863320256861068763u, 1674586920110794838u,  17232738806679429963u,
                                                 12223786786348261448u, 11239399183149719747u, 17407331847580690346u,
                                                 8599116374166881002u,  11740948610805557046u, 5764450157144983583u,
                                                 7638278975564662140u,  13114817559390531762u, 4601595102085421339u };

} // namespace

TEST_P( Machines, AgreeOnTheChangesOfEveryScene )
{
    for ( int kind = 0; kind < CLT_SCENE_COUNT; ++kind )
    {
        EXPECT_EQ( expected[kind], hashOfChanges( cltSceneKind( kind ), def() ) )
            << cltSceneName( cltSceneKind( kind ) );
    }
}
