// SPDX-License-Identifier: Zlib
#include "chitalu.h"

#include "motion.h"

#include <fmt/format.h>

namespace cullet::papers
{

namespace
{

constexpr std::uint32_t heavyStep = 40;

MeshScenePointer heavyScene( const ForestScene& known, const Effort& effort )
{
    effort.progress->detail( known.name );
    MeshScenePointer scene = createMeshScene( known.kind, 0, 1 );
    cltMeshScene_GoTo( scene.get(), heavyStep );
    return scene;
}

} // namespace

std::vector<ForestScene> forestScenes( const Effort& effort )
{
    const ForestScene scenes[] = { { clt_meshSceneFunnel, "Funnel", Between::all, 0.99, 0.57, 314e3, {} },
                                   { clt_meshSceneNBody, "NBody", Between::meshes, 2.42, 1.16, 117.6e3, 7.1 },
                                   { clt_meshSceneClothBall, "Cloth-Ball", Between::all, 6.43, 3.08, 3.1e6, {} } };
    return { std::begin( scenes ), effort.isQuick ? std::begin( scenes ) + 1 : std::end( scenes ) };
}

Forest::Forest( const ForestScene& known, Between between, const Effort& effort )
    : m_name( known.name ), m_between( between ), m_scene( heavyScene( known, effort ) ), m_trees( *m_scene ),
      m_pairs( trianglePairs( *m_scene, between, Directions::three ) )
{
}

void Forest::move( int steps )
{
    cltMeshScene_GoTo( m_scene.get(), std::uint32_t( int( m_scene->step ) + steps ) );
    m_trees.update( *m_scene );
}

bool Forest::isRight( ForestWalked& walked ) const
{
    std::sort( walked.pairs.begin(), walked.pairs.end() );
    return walked.pairs == m_pairs;
}

void Forest::addLibrary( std::vector<Row>& rows, const Effort& effort )
{
    constexpr std::uint32_t mostGroups = 31;
    if ( m_between == Between::meshes && m_scene->meshCount > mostGroups )
    {
        return;
    }
    const Motion motion( *m_scene, m_between, effort );
    for ( const cltAlgorithm algorithm : { clt_algorithmFrontier, clt_algorithmLbvh } )
    {
        const Everywhere library = measureEverywhere( defOf( algorithm, effort ), motion, effort );
        const std::string what = fmt::format( "the library's {}: the search", cltAlgorithmName( algorithm ) );
        rows.push_back( rowOf( m_name, what, {}, library, &Updates::findMs ) );
    }
}

} // namespace cullet::papers
