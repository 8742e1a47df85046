// SPDX-License-Identifier: Zlib
/// \file broadphases.cpp
/// A table of names, and for cullet the algorithm that each one asks for.
#include "broadphases.h"

#include "plugin/CulletBroadphase.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

#include <array>
#include <stdexcept>

namespace cullet::demo
{
namespace
{

struct CulletName
{
    const char* name;
    cltAlgorithm algorithm;
};

constexpr std::array<CulletName, 4> culletNames = { { { "cullet", clt_algorithmAuto },
                                                      { "cullet-lbvh", clt_algorithmLbvh },
                                                      { "cullet-grid", clt_algorithmGrid },
                                                      { "cullet-brute", clt_algorithmBruteForce } } };

NamedBroadphase createCullet( cltAlgorithm algorithm, int threads )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.algorithm = algorithm;
    def.threadCount = threads;
    auto broadphase = std::make_unique<CulletBroadphase>( def );
    if ( broadphase->getCreationStatus() != clt_ok )
    {
        throw std::runtime_error( cltStatusMessage( broadphase->getCreationStatus() ) );
    }
    CulletBroadphase* cullet = broadphase.get();
    return { std::move( broadphase ), cullet };
}

/// The sweep maps its world onto integers and has to know its limits and how many there will be.
std::unique_ptr<btBroadphaseInterface> createSweep( const Column& column, int bodyCount )
{
    constexpr btScalar margin = 5; // bodies are smaller; beyond it the sweep would be slower, but not wrong
    constexpr unsigned planeCount = 1;
    const btScalar aside = column.bound() + margin;
    const btVector3 lower( -aside, -margin, -aside );
    const btVector3 upper( aside, column.top + margin, aside );
    return std::make_unique<bt32BitAxisSweep3>( lower, upper, unsigned( bodyCount ) + planeCount );
}

} // namespace

std::vector<std::string> broadphaseNames()
{
    std::vector<std::string> names;
    for ( const CulletName& entry : culletNames )
    {
        names.push_back( entry.name );
    }
    names.insert( names.end(), { "dbvt", "sap" } );
    return names;
}

NamedBroadphase createBroadphase( const std::string& name, int threads, const Column& column, int bodyCount )
{
    for ( const CulletName& entry : culletNames )
    {
        if ( name == entry.name )
        {
            return createCullet( entry.algorithm, threads );
        }
    }
    if ( name == "sap" )
    {
        return { createSweep( column, bodyCount ), nullptr };
    }
    return { std::make_unique<btDbvtBroadphase>(), nullptr };
}

} // namespace cullet::demo
