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

/// Double boxes are the float boxes, shifted by less than a float holds: pairs that touch may overlap or be apart.
cltAabbD toShiftedDouble( const cltAabb& box, size_t index )
{
    cltAabbD result = toDouble( box );
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double shift = double( ( index + size_t( axis ) ) % 5 ) * 0x1p-40;
        result.lower[axis] += shift;
        result.upper[axis] += shift;
    }
    return result;
}

/// The hash of all changes in twelve updates of a scene.
uint64_t hashOfChanges( cltSceneKind kind, const cltBroadphaseDef& def )
{
    const uint32_t bodyCount = kind == clt_sceneChurn ? 20 : 300; // churn adds 150 boxes for each
    const cltSceneDef sceneDef = { kind, bodyCount, 60.0, 1.0f, CLT_SCENE_SEED, 1.0 };
    const std::unique_ptr<cltScene, decltype( &cltDestroyScene )> scene( cltCreateScene( &sceneDef ), cltDestroyScene );
    const BroadphasePtr broadphase = createBroadphase( def );
    const auto boxesD = [&scene]
    {
        Boxes boxes( scene->boxCount );
        for ( size_t i = 0; i < boxes.size(); ++i )
        {
            boxes[i] = toShiftedDouble( scene->boxes[i], i );
        }
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

/// By cltSceneKind, for float and for double boxes.
constexpr uint64_t expected[CLT_SCENE_COUNT][2] = {
    { 17863320256861068763u, 17863320256861068763u }, { 1674586920110794838u, 1674586920110794838u },
    { 17232738806679429963u, 17232738806679429963u }, { 12223786786348261448u, 12223786786348261448u },
    { 11239399183149719747u, 15728576581236211161u }, { 17407331847580690346u, 3090276593909757278u },
    { 8599116374166881002u, 8154425960816092106u },   { 11740948610805557046u, 11740948610805557046u },
    { 5764450157144983583u, 5764450157144983583u },   { 7638278975564662140u, 7638278975564662140u },
    { 13114817559390531762u, 13114817559390531762u }, { 976534397114737124u, 976534397114737124u } };

} // namespace

TEST_P( Machines, AgreeOnTheChangesOfEveryScene )
{
    for ( int kind = 0; kind < CLT_SCENE_COUNT; ++kind )
    {
        EXPECT_EQ( expected[kind][GetParam().precision == clt_precisionDouble],
                   hashOfChanges( cltSceneKind( kind ), def() ) )
            << cltSceneName( cltSceneKind( kind ) );
    }
}
