// SPDX-License-Identifier: Zlib
/// \file measure_meshes.cpp
/// Two balls that overlap by half, with moving bumps: all vertices change in each step. The libraries make each step
/// one after the other, and must find the same pairs.
#include "demos/others/meshes/engine.h"
#include "demos/report/timing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace cullet::others
{

namespace
{

constexpr std::uint32_t stepCount = 21; ///< the first is not counted

/// Edges of a triangle that the radius of a ball of 70,000 triangles is long, about; others grow as they do.
constexpr double radiusOf70000 = 34;

/// One of the two balls. The second is displaced and rotated, and its bumps have another phase.
class Ball
{
public:
    Ball( std::uint32_t triangleCount, bool isSecond ) : m_isSecond( isSecond )
    {
        const cltMeshSceneDef def = { clt_meshSceneBlob, triangleCount, 1 };
        m_scene.reset( cltCreateMeshScene( &def ) );
        m_shift = isSecond ? float( radiusOf70000 * std::sqrt( triangleCount / 70000.0 ) ) : 0;
        goTo( 0 );
    }

    void goTo( std::uint32_t step )
    {
        cltMeshScene_GoTo( m_scene.get(), m_isSecond ? step + 37 : step );
        for ( std::uint32_t i = 0; m_isSecond && i < mesh().vertexCount; ++i )
        {
            float* vertex = mesh().vertices[i];
            std::swap( vertex[0], vertex[1] );
            vertex[0] += m_shift;
        }
    }

    const cltMesh& mesh() const
    {
        return m_scene->meshes[0];
    }

private:
    struct Destroy
    {
        void operator()( cltMeshScene* scene ) const
        {
            cltDestroyMeshScene( scene );
        }
    };

    std::unique_ptr<cltMeshScene, Destroy> m_scene;
    bool m_isSecond;
    float m_shift;
};

struct MeshEntry
{
    const char* name;
    std::unique_ptr<MeshEngine> engine;
    std::vector<double> times;
    std::size_t pairCount = 0;
    std::size_t differingCount =
        0; ///< pairs, over all steps, found either by this library or by the first, but not by both
};

MeshPairs timeMeshes( MeshEntry& entry, const Ball& first, const Ball& second, bool isCounted )
{
    double milliseconds = 0;
    MeshPairs pairs;
    {
        compare::Stopwatch stopwatch( milliseconds );
        entry.engine->step( first.mesh(), second.mesh(), pairs );
    }
    if ( isCounted )
    {
        entry.times.push_back( milliseconds );
    }
    std::sort( pairs.begin(), pairs.end() );
    entry.pairCount += pairs.size();
    return pairs;
}

void stepMeshes( std::vector<MeshEntry>& entries, const Ball& first, const Ball& second, std::uint32_t step )
{
    std::vector<MeshPairs> found( entries.size() );
    for ( std::size_t turn = 0; turn < entries.size(); ++turn )
    {
        const std::size_t k = ( step + turn ) % entries.size();
        found[k] = timeMeshes( entries[k], first, second, step > 0 );
    }
    for ( std::size_t k = 1; k < entries.size(); ++k )
    {
        MeshPairs differing;
        std::set_symmetric_difference( found[0].begin(), found[0].end(), found[k].begin(), found[k].end(),
                                       std::back_inserter( differing ) );
        entries[k].differingCount += differing.size();
    }
}

} // namespace

int measureMeshes( std::uint32_t triangleCount )
{
    Ball first( triangleCount, false );
    Ball second( triangleCount, true );
    std::vector<MeshEntry> entries;
    entries.push_back( { "cullet", createCulletMeshes( first.mesh(), second.mesh(), 0 ), {} } );
    entries.push_back( { "cullet, one thread", createCulletMeshes( first.mesh(), second.mesh(), 1 ), {} } );
#ifdef CULLET_WITH_FCL
    entries.push_back( { "FCL", createFclMeshes( first.mesh(), second.mesh() ), {} } );
#endif
#ifdef CULLET_WITH_CGAL
    entries.push_back( { "CGAL", createCgalMeshes( first.mesh(), second.mesh() ), {} } );
#endif
    for ( std::uint32_t step = 0; step < stepCount; ++step )
    {
        first.goTo( step );
        second.goTo( step );
        stepMeshes( entries, first, second, step );
    }
    for ( const MeshEntry& entry : entries )
    {
        const double milliseconds = *compare::medianIfAny( entry.times );
        std::printf( "%-18s %8.2f ms, %6.2f x, %zu pairs in %u steps, %zu of them otherwise\n", entry.name,
                     milliseconds, milliseconds / *compare::medianIfAny( entries[0].times ), entry.pairCount, stepCount,
                     entry.differingCount );
    }
    return 0;
}

} // namespace cullet::others

int main( int argc, char** argv )
{
    const long triangleCount = argc == 2 ? std::atol( argv[1] ) : 0;
    if ( triangleCount < 8 || triangleCount > 10000000 )
    {
        std::fprintf( stderr, "usage: %s TRIANGLES-OF-EACH-MESH\n", argv[0] );
        return 2;
    }
    return cullet::others::measureMeshes( static_cast<std::uint32_t>( triangleCount ) );
}
