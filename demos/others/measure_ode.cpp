// SPDX-License-Identifier: Zlib
/// \file measure_ode.cpp
/// ODE's spaces and CulletSpace: geoms are boxes without bodies, and pairs are counted.
#include "cullet_space.h"
#include "measure.h"

namespace
{

using namespace cullet::others;

void count( void* pairs, dGeomID, dGeomID )
{
    ++*static_cast<std::size_t*>( pairs );
}

void place( dGeomID geom, const cltAabb& box )
{
    dGeomSetPosition( geom, ( box.lower[0] + box.upper[0] ) / 2, ( box.lower[1] + box.upper[1] ) / 2,
                      ( box.lower[2] + box.upper[2] ) / 2 );
}

/// Creates a geom for each box of the scene, in `space` or, if it is NULL, in no space.
std::vector<dGeomID> createGeoms( const cltScene& scene, dSpaceID space )
{
    std::vector<dGeomID> geoms;
    for ( std::uint32_t k = 0; k < scene.boxCount; ++k )
    {
        const cltAabb& box = scene.boxes[k];
        geoms.push_back( dCreateBox( space, box.upper[0] - box.lower[0], box.upper[1] - box.lower[1],
                                     box.upper[2] - box.lower[2] ) );
        place( geoms.back(), box );
    }
    return geoms;
}

void placeMoved( const std::vector<dGeomID>& geoms, const cltScene& scene )
{
    for ( std::uint32_t k = 0; k < scene.movedCount; ++k )
    {
        place( geoms[scene.moved[k]], scene.boxes[scene.moved[k]] );
    }
}

class OdeRunner : public Runner
{
public:
    OdeRunner( const cltScene& scene, dSpaceID space ) : m_space( space ), m_geoms( createGeoms( scene, space ) )
    {
    }

    ~OdeRunner() override
    {
        dSpaceDestroy( m_space ); // also destroys the geoms in the space
    }

    std::size_t step( const cltScene& scene ) override
    {
        placeMoved( m_geoms, scene );
        std::size_t pairs = 0;
        dSpaceCollide( m_space, &pairs, count );
        return pairs;
    }

private:
    dSpaceID m_space;
    std::vector<dGeomID> m_geoms;
};

class CulletRunner : public Runner
{
public:
    CulletRunner( const cltScene& scene, int threadCount )
        : m_space( threadCount ), m_geoms( createGeoms( scene, nullptr ) )
    {
        for ( const dGeomID geom : m_geoms )
        {
            m_space.add( geom );
        }
    }

    ~CulletRunner() override
    {
        for ( const dGeomID geom : m_geoms )
        {
            dGeomDestroy( geom );
        }
    }

    std::size_t step( const cltScene& scene ) override
    {
        placeMoved( m_geoms, scene );
        std::size_t pairs = 0;
        m_space.collide( &pairs, count );
        return pairs;
    }

private:
    CulletSpace m_space;
    std::vector<dGeomID> m_geoms;
};

dSpaceID createQuadTree( const cltScene& scene )
{
    const dReal x = scene.extent[0] / 2;
    const dReal y = scene.extent[1] / 2;
    const dReal z = scene.extent[2] / 2;
    const dVector3 center = { x, y, z };
    const dVector3 extents = { 2 * x + 2, 2 * y + 2, 2 * z + 2 };
    return dQuadTreeSpaceCreate( nullptr, center, extents, 6 );
}

template <typename Create>
Contestant ode( const char* name, Create create )
{
    return { name,
             [create]( const cltScene& scene ) { return std::make_unique<OdeRunner>( scene, create( scene ) ); } };
}

Contestant ours( const char* name, int threadCount )
{
    return { name,
             [threadCount]( const cltScene& scene ) { return std::make_unique<CulletRunner>( scene, threadCount ); } };
}

} // namespace

int main( int argc, char** argv )
{
    dInitODE();
    const auto createSap = []( const cltScene& ) { return dSweepAndPruneSpaceCreate( nullptr, dSAP_AXES_XYZ ); };
    const auto createHash = []( const cltScene& ) { return dHashSpaceCreate( nullptr ); };
    const int exitCode = measure( { ours( "CulletSpace", 0 ), ours( "CulletSpace, one thread", 1 ),
                                    ode( "dSweepAndPruneSpace", createSap ), ode( "dHashSpace", createHash ),
                                    ode( "dQuadTreeSpace, depth 6", createQuadTree ) },
                                  argc, argv );
    dCloseODE();
    return exitCode;
}
