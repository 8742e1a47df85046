// SPDX-License-Identifier: Zlib
// So many moves in one call that threads share them. The result is the same as for single moves.
#include "cullet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

namespace manyMoves
{

constexpr uint32_t count = 40000; // more than the least number that threads share
const float notANumber = std::nanf( "" );

using Boxes = std::vector<cltAabb>;
using Ids = std::vector<cltProxyId>;
using Pairs = std::vector<std::pair<cltProxyId, cltProxyId>>;

/// A row of cubes, some of which touch their neighbours, other ones at each step.
Boxes rowAt( uint32_t step )
{
    Boxes boxes( count );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const float x = static_cast<float>( 2 * i ) + ( ( i * 7 + step * 3 ) % 5 == 0 ? 1.0f : 0.0f );
        boxes[i] = { { x, 0, 0 }, { x + 1, 1, 1 } };
    }
    return boxes;
}

/// Runs the last range first, to detect ranges that depend on their order.
void runBackwards( cltTask* task, uint32_t total, uint32_t grain, void* taskContext, void* )
{
    for ( uint32_t end = ( total + grain - 1 ) / grain; end > 0; --end )
    {
        task( ( end - 1 ) * grain, std::min( end * grain, total ), taskContext );
    }
}

struct Row
{
    explicit Row( int threadCount )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = threadCount;
        def.hooks.parallelFor = threadCount == 0 ? runBackwards : nullptr;
        EXPECT_EQ( clt_ok, cltCreateBroadphase( &def, &broadphase ) );
        const Boxes boxes = rowAt( 0 );
        EXPECT_EQ( clt_ok, cltBroadphase_CreateProxies( broadphase, count, boxes.data(), nullptr, nullptr, nullptr ) );
        update();
    }

    ~Row()
    {
        cltDestroyBroadphase( broadphase );
    }

    Row( const Row& ) = delete;
    Row& operator=( const Row& ) = delete;

    cltStatus moveAll( const Ids& ids, const Boxes& boxes ) const
    {
        return cltBroadphase_MoveProxies( broadphase, ids.size(), ids.data(), boxes.data() );
    }

    void moveEach( const Ids& ids, const Boxes& boxes ) const
    {
        for ( size_t i = 0; i < ids.size(); ++i )
        {
            EXPECT_EQ( clt_ok, cltBroadphase_MoveProxy( broadphase, ids[i], &boxes[i] ) );
        }
    }

    /// The pairs that ended and began.
    Pairs update() const
    {
        cltPairChanges changes;
        Pairs pairs;
        EXPECT_EQ( clt_ok, cltBroadphase_Update( broadphase, &changes ) );
        for ( size_t i = 0; i < changes.endedCount; ++i )
        {
            pairs.emplace_back( changes.ended[i].proxyA, changes.ended[i].proxyB );
        }
        for ( size_t i = 0; i < changes.beganCount; ++i )
        {
            pairs.emplace_back( changes.began[i].proxyA, changes.began[i].proxyB );
        }
        return pairs;
    }

    cltBroadphase* broadphase = nullptr;
};

Ids everybody()
{
    Ids ids( count );
    for ( uint32_t i = 0; i < count; ++i )
    {
        ids[i] = i;
    }
    return ids;
}

/// Two rows of cubes. Each row is moved by another kind of call.
class ManyMoves : public testing::TestWithParam<int>
{
protected:
    void move( const Ids& ids, const Boxes& boxes ) const
    {
        EXPECT_EQ( clt_ok, atOnce.moveAll( ids, boxes ) );
        oneByOne.moveEach( ids, boxes );
    }

    void expectSame() const
    {
        EXPECT_EQ( oneByOne.update(), atOnce.update() );
        cltStats some, other;
        EXPECT_EQ( clt_ok, cltBroadphase_GetStats( oneByOne.broadphase, &some ) );
        EXPECT_EQ( clt_ok, cltBroadphase_GetStats( atOnce.broadphase, &other ) );
        EXPECT_EQ( some.changedCount, other.changedCount );
        EXPECT_EQ( some.nanCount, other.nanCount );
        for ( uint32_t i = 0; i < count; ++i )
        {
            cltAabb a, b;
            EXPECT_EQ( clt_ok, cltBroadphase_GetBox( oneByOne.broadphase, i, &a ) );
            EXPECT_EQ( clt_ok, cltBroadphase_GetBox( atOnce.broadphase, i, &b ) );
            ASSERT_EQ( 0, std::memcmp( &a, &b, sizeof a ) ) << "box " << i;
        }
    }

    const Ids all = everybody();
    const Boxes rowAt0 = rowAt( 0 );
    Row oneByOne{ 1 };
    Row atOnce{ GetParam() };
};

INSTANTIATE_TEST_SUITE_P( Threads, ManyMoves, testing::Values( 0, 1, 2, 5 ) );

TEST_P( ManyMoves, AreThoseOfEach )
{
    for ( uint32_t step = 1; step < 4; ++step )
    {
        move( all, rowAt( step ) );
        expectSame();
    }
}

TEST_P( ManyMoves, BringIntoSightAndOutOfIt )
{
    for ( uint32_t step = 1; step < 4; ++step )
    {
        Boxes boxes = rowAt( step );
        for ( uint32_t i = step; i < count; i += 97 + step )
        {
            boxes[i].lower[1] = notANumber;
        }
        move( all, boxes );
        expectSame();
    }
}

/// Every four neighbours another way: each stays, stays as another zero, moves, or goes out of sight.
Boxes everyFour( const Boxes& from )
{
    Boxes boxes( from.begin(), from.begin() + 4 * 256 );
    for ( uint32_t i = 0; i < boxes.size(); ++i )
    {
        const uint32_t kind = i / 4 >> 2 * ( i % 4 ) & 3; // two bits a box of the number of the four
        switch ( kind )
        {
        case 1:
            boxes[i].lower[i % 3 == 0 ? 2 : 1] = -0.0f;
            break;
        case 2:
            boxes[i].upper[i % 3] += 0.5f;
            break;
        case 3:
            boxes[i].lower[i % 3] = notANumber;
            break;
        }
    }
    return boxes;
}

TEST_P( ManyMoves, MayDifferWithinFourInARow )
{
    const Boxes four = everyFour( rowAt0 );
    for ( const uint32_t first : { 0u, 1u, 1u, 3u } ) // and some at once in two steps of four
    {
        const Ids ids( all.begin() + first, all.begin() + first + 4 * 256 );
        move( ids, four );
        move( ids, everyFour( Boxes( rowAt0.begin() + first, rowAt0.end() ) ) );
        expectSame();
    }
}

TEST_P( ManyMoves, MayNameAProxyTwice )
{
    Ids ids = all;
    Boxes boxes = rowAt( 1 );
    for ( uint32_t i = 0; i + 20000 < count; i += 31 )
    {
        ids[i + 20000] = i; // the later box counts
    }
    boxes[20000].upper[2] = notANumber;
    move( ids, boxes );
    expectSame();
}

TEST_P( ManyMoves, MayNameAProxyTwiceInARow )
{
    for ( const uint32_t distance : { 1024u, 4096u } )
    {
        Ids ids = all;
        for ( uint32_t i = distance; i < count; i += distance )
        {
            ids[i] = ids[i - 1];
        }
        move( ids, rowAt( distance ) );
        expectSame();
    }
}

TEST_P( ManyMoves, MayComeTwiceBeforeAnUpdate )
{
    Ids odd;
    Boxes oddBoxes;
    for ( uint32_t i = 1; i < count; i += 2 )
    {
        odd.push_back( i );
        oddBoxes.push_back( rowAt0[i] );
    }
    for ( cltAabb& box : oddBoxes )
    {
        box.upper[2] = 2;
    }
    Boxes boxes = rowAt( 2 );
    for ( cltAabb& box : boxes )
    {
        box.upper[2] = 3;
    }
    move( odd, oddBoxes );
    move( all, boxes ); // the list of changes has no room for all of them again
    expectSame();
}

TEST_P( ManyMoves, AreAllMadeOrNone )
{
    Ids ids = all;
    ids[count - 2] = count + 5;
    EXPECT_EQ( clt_unknownProxy, atOnce.moveAll( ids, rowAt( 1 ) ) );
    expectSame();
}

} // namespace manyMoves
