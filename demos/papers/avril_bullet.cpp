// SPDX-License-Identifier: Zlib
/// \file avril_bullet.cpp
/// Figures 5 and 6: the grid beside Bullet's broadphases, over the number of bodies and over the share that moves.
#include "avril.h"
#include "motion.h"

#include "demos/race/race.h"
#include "demos/report/numbers.h"

#include <fmt/format.h>

namespace cullet::papers
{

using compare::grouped;

namespace
{

constexpr double capSeconds = 40; ///< an engine that takes longer has no figure

/// The engines step by step in turns; after the last step each is held against an independent sweep.
void addRace( std::vector<Row>& rows, const cltSceneDef& def, const std::string& size, const Effort& effort )
{
    compare::EngineOptions options;
    options.engines = { "dbvt", "sap", "cullet-grid", "cullet" };
    options.device = "cpu";
    options.threads = { effort.threads };
    options.capSeconds = capSeconds;
    options.check = true;
    compare::SceneStream stream( def, { effort.isQuick ? 1 : untimedSteps, effort.isQuick ? 1 : timedSteps, 1e9 } );
    constexpr std::uint64_t onlyTheLast = 1u << 30;
    for ( const compare::Run& run : compare::race( stream, options, { 1, onlyTheLast }, *effort.progress ) )
    {
        const bool isDone = run.capped.empty();
        const bool isRight = run.wrong.empty() && ( run.checked || !isDone );
        const std::string what = run.engine + ( isDone ? "" : fmt::format( ": not within {:g} s", capSeconds ) );
        const auto ms = isDone && !effort.isQuick ? run.ms[compare::totalMs] : std::nullopt;
        rows.push_back( cpuRow( size, what, "ms", {}, ms, isRight ) );
    }
}

} // namespace

std::vector<Row> measureBullet( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const std::uint32_t size : sizesFor( effort, { 1000, 10000, 100000, 1000000 } ) )
    {
        addRace( rows, { clt_sceneColumn, size, 100, 1, CLT_SCENE_SEED, 0 }, grouped( size ), effort );
        placeAt( rows, size );
    }
    return rows;
}

std::vector<Row> measureMoving( const Effort& effort )
{
    std::vector<Row> rows;
    const std::uint32_t size = effort.isQuick ? 1000 : 10000;
    for ( const double percent : { 0.0, 1.0, 10.0, 25.0, 50.0, 75.0, 100.0 } )
    {
        addRace( rows, { clt_sceneBrownian, size, percent, 1, CLT_SCENE_SEED, 0 },
                 fmt::format( "{}, {:g} % moving", grouped( size ), percent ), effort );
        placeAt( rows, percent );
    }
    return rows;
}

} // namespace cullet::papers
