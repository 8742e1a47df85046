// SPDX-License-Identifier: Zlib
/// \file picture.h
/// A debug drawing as data, and worlds to draw.
#ifndef CLT_TESTS_PICTURE_H
#define CLT_TESTS_PICTURE_H

#include "cullet_debug.h"
#include "tests/support/world.h"

#include <algorithm>

namespace test
{

/// The calls of one drawing.
struct Picture
{
    struct Part ///< a node or a cell
    {
        cltAabb box;
        uint32_t level;
        bool isLeaf;
        uint32_t bodyCount; ///< of a cell, as given
        std::vector<cltDebugBody> bodies;
    };

    std::vector<Part> nodes;
    std::vector<Part> cells;
    std::map<cltProxyId, cltDebugBody> bodies;
    Part* last = nullptr; ///< the last leaf or cell
    bool isTwice = false; ///< some body was drawn twice

    static void node( const cltAabb* bounds, uint32_t level, bool isLeaf, void* context )
    {
        Picture& picture = *static_cast<Picture*>( context );
        picture.nodes.push_back( { *bounds, level, isLeaf, 0, {} } );
        picture.last = isLeaf ? &picture.nodes.back() : nullptr;
    }

    static void cell( const cltAabb* cell, uint32_t bodyCount, void* context )
    {
        Picture& picture = *static_cast<Picture*>( context );
        picture.cells.push_back( { *cell, 0, true, bodyCount, {} } );
        picture.last = &picture.cells.back();
    }

    static void body( const cltDebugBody* body, void* context )
    {
        Picture& picture = *static_cast<Picture*>( context );
        picture.isTwice |= !picture.bodies.emplace( body->proxy, *body ).second;
        if ( picture.last != nullptr && body->place != clt_debugOutlier && body->place != clt_debugUnplaced )
        {
            picture.last->bodies.push_back( *body );
        }
    }

    cltDebugDraw callbacks()
    {
        return { node, body, cell, this };
    }

    size_t countOf( cltDebugPlace place ) const
    {
        return size_t( std::count_if( bodies.begin(), bodies.end(),
                                      [=]( const auto& entry ) { return entry.second.place == place; } ) );
    }
};

inline Picture draw( const World& world )
{
    Picture picture;
    const cltDebugDraw callbacks = picture.callbacks();
    EXPECT_EQ( clt_ok, cltBroadphase_DebugDraw( world.broadphase(), &callbacks ) );
    return picture;
}

inline bool isOnCpu( const World& world )
{
    return world.stats().device == clt_deviceCpu;
}

inline cltAlgorithm algorithmOf( const World& world )
{
    return world.stats().algorithm;
}

constexpr double pictureReach = 12; ///< of the cubes' centres from the origin

/// Random cubes of similar size, without or with boxes that are large, infinite, inverted or NaN.
inline Boxes sceneToDraw( Random& random, bool hasOdd )
{
    Boxes boxes = randomCubes( random, 500, pictureReach );
    if ( hasOdd )
    {
        boxes = joined( boxes, { span( -40, 30 ), span( -infinity, infinity ), span( 2, -2 ), span( 1, notANumber ),
                                 cube( 0, -1e6, 0, 1e6 ) } );
    }
    return boxes;
}

/// Small moves, jumps, one proxy destroyed, some created.
inline void changeScene( World& world, Ids& ids, Random& random )
{
    for ( int i = 0; i < 30; ++i )
    {
        const cltProxyId id = ids[random.below( uint32_t( ids.size() ) )];
        world.move( id, i % 4 == 0 ? randomCube( random, pictureReach ) : shifted( world.boxOf( id ), 0.05 ) );
    }
    world.destroy( ids.back() );
    ids.pop_back();
    for ( const cltProxyId id : world.createAll( randomCubes( random, 3, pictureReach ) ) )
    {
        ids.push_back( id );
    }
}

} // namespace test

#endif
