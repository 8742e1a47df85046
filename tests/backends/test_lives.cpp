// SPDX-License-Identifier: Zlib
// Random lives: proxies created, moved, refiltered, hidden and destroyed in any order between updates. Changes are
// exact: began and ended are the difference of two sets, destroyed proxies go silently, ids are reused only after an
// update.
#include "tests/backends/each_config.h"
#include "tests/support/life.h"

using namespace test;

CLT_EACH_CONFIG( Lives );

namespace
{

/// One change at a time.
constexpr double one = 1e-9;
constexpr cullet::Phase singleChanges[] = {
    // name      longest popul turnov churn drift jump repeat odd edits
    { "created", 1, 1, one, 0, 0, 0, 0, 0, 0, false, false, false, false },
    { "destroyed", 1, 0, one, 0, 0, 0, 0, 0, 0, false, false, false, false },
    { "replaced", 1, 1, 0, one, 0, 0, 0, 0, 0, false, false, false, false },
    { "moved", 1, 1, 0, 0, one, 0, 0, 0, 0, false, false, false, false },
    { "moved far", 1, 1, 0, 0, 0, one, 0, 0, 0, false, false, false, false },
    { "set again", 1, 1, 0, 0, 0, 0, one, 0, 0, false, false, false, false },
    { "odd", 1, 1, 0, 0, 0, 0, 0, one, 0, false, false, false, false },
    { "refiltered", 1, 1, 0, 0, 0, 0, 0, 0, one, false, false, false, false },
};

class TestLife
{
public:
    TestLife( const Config& config, uint64_t seed, size_t bodyCount )
        : m_world( defOf( config ) ), m_life( m_stage, seed, bodyCount, config.precision )
    {
    }

    /// Without a phase one that the seed chooses.
    void step( const cullet::Phase* phase = nullptr )
    {
        SCOPED_TRACE( phase ? phase->name : "any phase" );
        phase ? m_life.beginStep( *phase ) : m_life.beginStep();
        m_life.changeFilters();
        m_life.changeBoxes();
        m_world.updateOnly();
        if ( m_life.random().oneIn( 2 ) )
        {
            m_world.expectPairs();
        }
    }

    /// Each after every other and after itself, once: the sequence of de Bruijn.
    void stepThrough( const cullet::Phase* phases, size_t count )
    {
        for ( size_t first = 0; first < count; ++first )
        {
            step( phases + first );
            for ( size_t second = first + 1; second < count && !testing::Test::HasFailure(); ++second )
            {
                step( phases + first );
                step( phases + second );
            }
        }
    }

private:
    World m_world;
    WorldStage m_stage{ m_world };
    cullet::Life m_life;
};

} // namespace

/// Each kind leaves something behind that the next one has to cope with.
TEST_P( Lives, EveryPhaseAfterEveryOther )
{
    TestLife life( GetParam(), 71, 400 );
    life.step( cullet::phases );
    life.stepThrough( cullet::phases, std::size( cullet::phases ) );
}

TEST_P( Lives, PhasesOfSeveralSteps )
{
    TestLife life( GetParam(), 72, 150 );
    for ( int step = 0; step < 150 && !HasFailure(); ++step )
    {
        life.step();
    }
}

TEST_P( Lives, EverySingleChangeAfterEveryOther )
{
    TestLife life( GetParam(), 73, 60 );
    life.step( cullet::phases );
    life.step( cullet::phases );
    life.stepThrough( singleChanges, std::size( singleChanges ) );
}

TEST_P( Lives, CreatedAndDestroyedBetweenUpdates )
{
    World world( def() );
    const cltProxyId stays = world.create( span( 0, 1 ) );
    world.update();
    const cltProxyId brief = world.create( span( 0, 1 ) );
    world.destroy( brief );
    EXPECT_NE( brief, world.create( span( 0, 1 ) ) );
    world.update();
    world.destroy( stays );
    world.update();
}

TEST_P( Lives, PairsStandUntilTheUpdate )
{
    World world( def() );
    const Ids proxies = world.createAll( Boxes( 4, span( 0, 1 ) ) );
    world.expectPairs(); // none before the first update
    world.update();
    world.move( proxies[0], span( 5, 6 ) );
    world.setFilter( proxies[1], { 1, 0 } );
    world.create( span( 0, 1 ) );
    world.expectPairs(); // as before
    world.destroy( proxies[2] );
    world.expectPairs(); // less those of the one destroyed
    world.move( proxies[3], span( 5, 6 ) );
    world.destroy( proxies[3] );
    world.expectPairs();
    world.update();
}
