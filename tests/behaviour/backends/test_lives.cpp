// SPDX-License-Identifier: Zlib
// Random operation sequences: proxies are created, moved, hidden and destroyed and get other filters, in any order
// between updates. The changes are the exact difference of two pair sets. def.reportDestroyed decides whether pairs of
// destroyed proxies are among them. Ids are reused only after an update.
#include "tests/behaviour/backends/each_config.h"
#include "tests/support/random_operations.h"

using namespace test;

namespace
{

class Lives : public EachConfig
{
protected:
    cltBroadphaseDef def( bool reportsDestroyed = false ) const
    {
        cltBroadphaseDef def = EachConfig::def();
        def.reportDestroyed = reportsDestroyed;
        return def;
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, Lives, testing::ValuesIn( allConfigs() ), configName );

namespace
{

/// Phases of one kind of operation each, one operation per step.
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
    TestLife( const cltBroadphaseDef& def, uint64_t seed, size_t bodyCount )
        : m_world( def ), m_sequence( m_stage, seed, bodyCount, def.precision )
    {
    }

    /// \param phase  NULL: the seed chooses a phase
    void step( const cullet::Phase* phase = nullptr )
    {
        SCOPED_TRACE( phase ? phase->name : "any phase" );
        phase ? m_sequence.beginStep( *phase ) : m_sequence.beginStep();
        m_sequence.changeFilters();
        m_sequence.changeBoxes();
        m_world.updateOnly();
        if ( m_sequence.random().oneIn( 2 ) )
        {
            m_world.expectPairs();
        }
    }

    /// Runs phases in the order of a de Bruijn sequence: each phase follows every phase, itself included, exactly once.
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
    WorldTarget m_stage{ m_world };
    cullet::OperationSequence m_sequence;
};

} // namespace

/// The state after a phase affects the next phase, so every succession of two phases is tested.
TEST_P( Lives, EveryPhaseAfterEveryOther )
{
    TestLife life( def(), 71, 400 );
    life.step( cullet::phases );
    life.stepThrough( cullet::phases, std::size( cullet::phases ) );
}

TEST_P( Lives, PhasesOfSeveralSteps )
{
    for ( const bool reportsDestroyed : { false, true } )
    {
        TestLife life( def( reportsDestroyed ), 72, 150 );
        for ( int step = 0; step < 150 && !HasFailure(); ++step )
        {
            life.step();
        }
    }
}

TEST_P( Lives, EverySingleChangeAfterEveryOther )
{
    for ( const bool reportsDestroyed : { false, true } )
    {
        TestLife life( def( reportsDestroyed ), 73, 60 );
        life.step( cullet::phases );
        life.step( cullet::phases );
        life.stepThrough( singleChanges, std::size( singleChanges ) );
    }
}

TEST_P( Lives, CreatedAndDestroyedBetweenUpdates )
{
    for ( const bool reportsDestroyed : { false, true } )
    {
        World world( def( reportsDestroyed ) );
        const cltProxyId stays = world.create( span( 0, 1 ) );
        world.update();
        const cltProxyId brief = world.create( span( 0, 1 ) );
        world.destroy( brief );
        EXPECT_NE( brief, world.create( span( 0, 1 ) ) );
        world.update();
        world.destroy( stays );
        world.update();
    }
}

TEST_P( Lives, PairsStandUntilTheUpdate )
{
    for ( const bool reportsDestroyed : { false, true } )
    {
        World world( def( reportsDestroyed ) );
        const Ids proxies = world.createAll( Boxes( 4, span( 0, 1 ) ) );
        world.expectPairs(); // none before the first update
        world.update();
        world.move( proxies[0], span( 5, 6 ) );
        world.setFilter( proxies[1], { 1, 0 } );
        world.create( span( 0, 1 ) );
        world.expectPairs(); // unchanged
        world.destroy( proxies[2] );
        world.expectPairs(); // without the pairs of the destroyed proxy
        world.move( proxies[3], span( 5, 6 ) );
        world.destroy( proxies[3] );
        world.expectPairs();
        world.update();
    }
}

/// Destroyed proxies are reported as they were at the last update, whatever happened to them since. The ids are written
/// as numbers, not taken from the world.
TEST_P( Lives, PairsOfDestroyedProxiesAreReportedWhereAskedFor )
{
    for ( const bool reportsDestroyed : { false, true } )
    {
        World world( def( reportsDestroyed ) );
        const Ids ids = world.createAll( Boxes( 6, span( 0, 1 ) ) );
        world.setFilter( ids[5], { 1, 0 } ); // rejects all pairs
        world.update();
        world.move( ids[1], span( 5, 6 ) );       // moved away before it was destroyed
        world.setFilter( ids[2], { 1, 0 } );      // rejected its pairs before it was destroyed
        world.setFilter( ids[5], defaultFilter ); // would have accepted pairs
        world.destroyAll( { ids[1], ids[2], ids[5] } );
        cltPairChanges changes;
        ASSERT_EQ( clt_ok, cltBroadphase_Update( world.broadphase(), &changes ) );
        const auto key = []( cullet::PairKey a, cullet::PairKey b ) { return a << 32 | b; };
        const PairSet all = { key( 0, 1 ), key( 0, 2 ), key( 1, 2 ), key( 1, 3 ),
                              key( 1, 4 ), key( 2, 3 ), key( 2, 4 ) };
        EXPECT_EQ( 0u, changes.beganCount );
        EXPECT_EQ( reportsDestroyed ? all : PairSet(), copyPairs( changes.ended, changes.endedCount ) );
        ASSERT_EQ( clt_ok, cltBroadphase_Update( world.broadphase(), &changes ) );
        EXPECT_EQ( 0u, changes.beganCount + changes.endedCount ) << "once is enough";
        EXPECT_EQ( 3u, world.stats().proxyCount );
    }
}
