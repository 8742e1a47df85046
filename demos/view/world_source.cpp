// SPDX-License-Identifier: Zlib
/// \file world_source.cpp
/// Worlds of Bullet. At the start of each step all worlds are placed like the first one, except soft ones.
#include "fat_boxes.h"
#include "source.h"

#include "demos/world/kinds.h"
#include "demos/world/synchronize.h"
#include "demos/world/world_drawing.h"
#include "demos/world/world_options.h"

namespace cullet::view
{
namespace
{

using namespace demo;

std::uint32_t slotOf( const btBroadphaseProxy& proxy )
{
    return std::uint32_t( static_cast<const btCollisionObject*>( proxy.m_clientObject )->getWorldArrayIndex() );
}

struct WorldContestant
{
    std::string name;
    std::unique_ptr<World> world;
    WorldDrawer drawer;
    StepRecord last;
};

class WorldSource : public Source
{
public:
    WorldSource( const SourceRequest& request, const WorldKind& kind ) : m_kind( kind )
    {
        WorldOptions options;
        options.bodies = request.bodies;
        options.threads = request.threads;
        options = optionsFor( m_kind, options );
        for ( const std::string& name : request.broadphases )
        {
            WorldContestant& contestant = m_contestants.emplace_back();
            contestant.name = name;
            contestant.world = std::make_unique<World>( createBroadphase( name, options ), m_kind.isSoft );
            m_kind.fill( *contestant.world, options.bodies );
        }
    }

    bool step() override
    {
        for ( std::size_t k = 1; k < m_contestants.size() && !m_kind.isSoft; ++k )
        {
            copyMotion( *m_contestants[0].world, *m_contestants[k].world );
        }
        for ( std::size_t turn = 0; turn < m_contestants.size(); ++turn )
        {
            WorldContestant& contestant = m_contestants[( m_step + turn ) % m_contestants.size()];
            contestant.last = contestant.world->step();
        }
        ++m_step;
        return true;
    }

    const std::vector<TimedPart>& parts() const override
    {
        static const std::vector<TimedPart> parts = []
        {
            std::vector<TimedPart> result;
            for ( std::size_t part = 0; part < wholeStep; ++part )
            {
                result.push_back( { partNames[part], false } );
            }
            result[boxesPart] = { "set boxes", true };
            result[broadphasePart] = { "find pairs", true };
            return result;
        }();
        return parts;
    }

    std::size_t contestantCount() const override
    {
        return m_contestants.size();
    }

    std::string contestantName( std::size_t contestant ) const override
    {
        return m_contestants[contestant].name;
    }

    std::vector<double> times( std::size_t contestant ) const override
    {
        const PartTimes& wall = m_contestants[contestant].last.wall;
        return { wall.begin(), wall.begin() + wholeStep };
    }

    void getBodies( std::size_t contestant, Bodies& bodies ) const override
    {
        const btCollisionObjectArray& objects = objectsOf( contestant );
        bodies.boxes.assign( std::size_t( objects.size() ), noBox );
        bodies.filters.assign( std::size_t( objects.size() ), openFilter );
        for ( int k = 0; k < objects.size(); ++k )
        {
            if ( const btBroadphaseProxy* proxy = objects[k]->getBroadphaseHandle() )
            {
                cltAabb& box = bodies.boxes[std::size_t( k )];
                for ( int axis = 0; axis < 3; ++axis )
                {
                    box.lower[axis] = float( proxy->m_aabbMin[axis] );
                    box.upper[axis] = float( proxy->m_aabbMax[axis] );
                }
                bodies.filters[std::size_t( k )] = { proxy->m_collisionFilterGroup, proxy->m_collisionFilterMask };
            }
        }
    }

    PairSet pairs( std::size_t contestant ) override
    {
        const btBroadphasePairArray& pairs =
            m_contestants[contestant].world->bullet().getPairCache()->getOverlappingPairArray();
        PairSet set;
        for ( int k = 0; k < pairs.size(); ++k )
        {
            set.push_back( pairKey( slotOf( *pairs[k].m_pProxy0 ), slotOf( *pairs[k].m_pProxy1 ) ) );
        }
        std::sort( set.begin(), set.end() );
        return set;
    }

    btVector3 up() const override
    {
        return m_contestants[0].world->up();
    }

    bool accepts( std::uint32_t slotA, std::uint32_t slotB ) const override
    {
        const btOverlapFilterCallback* callback =
            m_contestants[0].world->bullet().getPairCache()->getOverlapFilterCallback();
        return callback == nullptr || callback->needBroadphaseCollision( proxyOf( slotA ), proxyOf( slotB ) );
    }

    bool isResting( std::uint32_t slot ) const override
    {
        const btCollisionObject& object = *objectsOf( 0 )[int( slot )];
        return !object.isStaticObject() && !object.isActive();
    }

    void draw( std::size_t contestant, render::Drawing& drawing ) override
    {
        m_contestants[contestant].drawer.draw( *m_contestants[contestant].world, drawing );
    }

    void drawFatBoxes( std::size_t contestant, render::Drawing& drawing ) const override
    {
        addFatBoxes( m_contestants[contestant].world->bullet().getBroadphase(), drawing );
    }

private:
    const btCollisionObjectArray& objectsOf( std::size_t contestant ) const
    {
        return m_contestants[contestant].world->bullet().getCollisionObjectArray();
    }

    btBroadphaseProxy* proxyOf( std::uint32_t slot ) const
    {
        return const_cast<btBroadphaseProxy*>( objectsOf( 0 )[int( slot )]->getBroadphaseHandle() );
    }

    WorldKind m_kind;
    std::vector<WorldContestant> m_contestants;
    std::size_t m_step = 0;
};

} // namespace

std::unique_ptr<Source> makeWorldSource( const SourceRequest& request, const demo::WorldKind& kind )
{
    return std::make_unique<WorldSource>( request, kind );
}

} // namespace cullet::view
