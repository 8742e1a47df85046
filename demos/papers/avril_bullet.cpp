// SPDX-License-Identifier: Zlib
/// \file avril_bullet.cpp
/// Comparisons with Bullet's broadphases. Figure 1: falling worlds. Figure 5: times by the number of bodies. Figure 6:
/// times by the percentage of bodies that move.
#include "motion.h"

#include "demos/race/race.h"
#include "demos/world/kinds.h"
#include "demos/world/world_options.h"

#include <fmt/format.h>

namespace cullet::papers
{

namespace
{

/// Runs the engines step by step in turns. Compares the pairs of each after the last step with an independent sweep.
void addRace( TableBuilder& table, const cltSceneDef& def, const std::string& size )
{
    compare::EngineOptions options;
    options.engines = { "dbvt", "sap", "cullet-grid", "cullet" };
    options.device = "cpu";
    options.threads = { table.effort.threads };
    options.capSeconds = 40; // engines that take longer have no figure
    options.check = true;
    const bool isQuick = table.isQuick();
    compare::SceneStream stream( def, { isQuick ? 1 : untimedSteps, isQuick ? 1 : timedSteps, 1e9 } );
    constexpr std::uint64_t onlyTheLast = 1u << 30;
    for ( const compare::Run& run : compare::race( stream, options, { 1, onlyTheLast }, *table.effort.progress ) )
    {
        const bool isDone = run.capped.empty();
        const bool isTree = run.engine == "cullet-grid" && run.algorithm != "grid"; // too many bodies shared a cell
        const std::string what = run.engine + ( isTree ? ", by " + run.algorithm : "" ) +
                                 ( isDone ? "" : fmt::format( ": not within {:g} s", options.capSeconds ) );
        Row& row =
            table.add( size, what, "ms", {}, isDone && !isQuick ? run.ms[compare::totalMs] : Figure(), run.checked );
        row.tick = isDone || !run.wrong.empty() ? row.tick : Tick::none; // stopped early, so not compared
    }
}

std::uint32_t numberOf( const btBroadphaseProxy& proxy )
{
    return std::uint32_t( static_cast<const btCollisionObject*>( proxy.m_clientObject )->getWorldArrayIndex() );
}

/// The pairs that an independent sweep finds from the boxes and filters of the world's proxies.
PairSet sweptPairsOf( demo::World& world )
{
    const btCollisionObjectArray& bodies = world.bullet().getCollisionObjectArray();
    std::vector<Candidate<cltAabbD>> candidates;
    for ( int k = 0; k < bodies.size(); ++k )
    {
        const btBroadphaseProxy& proxy = *bodies[k]->getBroadphaseHandle();
        const btVector3 &lower = proxy.m_aabbMin, &upper = proxy.m_aabbMax;
        const cltAabbD box = { { lower.x(), lower.y(), lower.z() }, { upper.x(), upper.y(), upper.z() } };
        candidates.push_back(
            { box, { proxy.m_collisionFilterGroup, proxy.m_collisionFilterMask }, numberOf( proxy ) } );
    }
    constexpr int upwards = 1; // the sweep's axis: columns are higher than wide
    return sweptPairs( std::move( candidates ), upwards );
}

PairSet cachedPairsOf( demo::World& world )
{
    const btBroadphasePairArray& pairs = world.bullet().getPairCache()->getOverlappingPairArray();
    PairSet set;
    for ( int k = 0; k < pairs.size(); ++k )
    {
        set.push_back( pairKey( numberOf( *pairs[k].m_pProxy0 ), numberOf( *pairs[k].m_pProxy1 ) ) );
    }
    std::sort( set.begin(), set.end() );
    return set;
}

void addWorldRow( TableBuilder& table, const char* kind, int bodies, Figure paper )
{
    demo::WorldOptions options;
    options.threads = table.effort.threads;
    for ( const char* broadphase : { "dbvt", "cullet" } )
    {
        table.detail( fmt::format( "{} {}, {}", bodies, kind, broadphase ) );
        const bool isCullet = broadphase == std::string( "cullet" );
        demo::World world( demo::createBroadphase( broadphase, options ) );
        demo::worldKind( kind ).fill( world, bodies );
        std::vector<double> times;
        for ( int step = 0; step < ( table.isQuick() ? 60 : untimedSteps + timedSteps ); ++step )
        {
            const demo::PartTimes parts = world.step().wall;
            if ( step >= untimedSteps && !table.isQuick() )
            {
                times.push_back( ( parts[demo::boxesPart] + parts[demo::broadphasePart] ) / demo::substepsPerStep );
            }
        }
        const bool isRight = firstWrongPair( cachedPairsOf( world ), sweptPairsOf( world ), isCullet ).empty();
        table.add( fmt::format( "{} {}", grouped( std::uint32_t( bodies ) ), kind ), broadphase, "ms",
                   isCullet ? paper : Figure(), compare::medianIfAny( times ), isRight );
    }
}

} // namespace

void measureWorlds( TableBuilder& table )
{
    const int part = table.isQuick() ? 500 : 1;
    addWorldRow( table, "cubes", 250000 / part, {} );
    addWorldRow( table, "spheres", 100000 / part, table.isQuick() ? Figure() : 25 );
    addWorldRow( table, "slabs", 75000 / part, {} );
}

void measureBullet( TableBuilder& table )
{
    for ( const std::uint32_t size : table.sizes( { 1000, 10000, 100000, 1000000 } ) )
    {
        addRace( table, { clt_sceneColumn, size, 100, 1, CLT_SCENE_SEED, 0 }, grouped( size ) );
        table.setX( size );
    }
}

void measureMoving( TableBuilder& table )
{
    const std::uint32_t size = table.isQuick() ? 1000 : 10000;
    for ( const double percent : { 0.0, 1.0, 10.0, 25.0, 50.0, 75.0, 100.0 } )
    {
        addRace( table, { clt_sceneBrownian, size, percent, 1, CLT_SCENE_SEED, 0 },
                 fmt::format( "{}, {:g} % moving", grouped( size ), percent ) );
        table.setX( percent );
    }
}

} // namespace cullet::papers
