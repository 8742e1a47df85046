// SPDX-License-Identifier: Zlib
// Random operation sequences: proxies are created, moved, hidden and destroyed and get other filters, in any order
// between updates. The changes are the exact difference of two pair sets. def.reportDestroyed decides whether pairs of
// destroyed proxies are among them. Ids are reused only after an update.
#include "tests/behaviour/backends/each_config.h"
#include "tests/support/random_operations.h"

using namespace test;

namespace
{

// clang-format off
/// Each phase makes one kind of operation, one operation per step. The columns are the fields of cullet::Phase.
constexpr double one = 1e-9; // shares are rounded up to a body
constexpr cullet::Phase singleChanges[] = {
    // name       longest popul turnov churn drift jump repeat odd edits swap   cache  crowd  wide
    { "created",        1,    1,   one,    0,    0,   0,     0,  0,    0, false, false, false, false },
    { "destroyed",      1,    0,   one,    0,    0,   0,     0,  0,    0, false, false, false, false },
    { "replaced",       1,    1,     0,  one,    0,   0,     0,  0,    0, false, false, false, false },
    { "moved",          1,    1,     0,    0,  one,   0,     0,  0,    0, false, false, false, false },
    { "moved far",      1,    1,     0,    0,    0, one,     0,  0,    0, false, false, false, false },
    { "set again",      1,    1,     0,    0,    0,   0,   one,  0,    0, false, false, false, false },
    { "odd",            1,    1,     0,    0,    0,   0,     0, one,   0, false, false, false, false },
    { "refiltered",     1,    1,     0,    0,    0,   0,     0,  0,  one, false, false, false, false },
};

/// Phases of one step in which all, half, few or no bodies jump to random places. The shares of bodies that jump and
/// that drift decide how an update searches for changes. The columns are the fields of cullet::Phase.
constexpr cullet::Phase jumpPhases[] = {
    // name       longest popul turnov churn drift jump repeat odd edits swap   cache  crowd  wide
    { "pose",           1,    1,     0,    0,    0,   1,     0,  0,    0, false, false, false, false },
    { "another",        1,    1,     0,    0,    0,   1,     0,  0,    0, false, false, false, false },
    { "half",           1,    1,     0,    0,    0, 0.5,     0,  0,    0, false, false, false, false },
    { "few jump",       1,    1,     0,    0,    0, .03,     0,  0,    0, false, false, false, false },
    { "few, all drift", 1,    1,     0,    0,    1, .03,     0,  0,    0, false, false, false, false },
    { "all drift",      1,    1,     0,    0,    1,   0,     0,  0,    0, false, false, false, false },
    { "rest",           1,    1,     0,    0,    0,   0,     0,  0,    0, false, false, false, false },
    { "together",       1,    1,     0,    0,    0,   0,     0,  0,    0, false, false, false, false, 0.3, 1 },
    { "half together",  1,    1,     0,    0,    0,   0,     0,  0,    0, false, false, false, false, 0.3, 0.5 },
    { "exchanged",      1,  0.8,   0.2,  .05,    0,   1,     0,  0,  .05, false, false, false, false },
};
// clang-format on

cltBroadphaseDef defFor( const Config& config, bool reportsDestroyed )
{
    cltBroadphaseDef def = defOf( config );
    def.reportDestroyed = reportsDestroyed;
    return def;
}

/// A world with a random operation sequence, which is divided into phases.
class PhasedWorld
{
public:
    PhasedWorld( const Config& config, uint64_t seed, size_t bodyCount, bool reportsDestroyed = false )
        : m_world( defFor( config, reportsDestroyed ) ), m_sequence( m_stage, seed, bodyCount, config.precision )
    {
    }

    /// \param phase  NULL: a phase chosen by the seed
    void step( const cullet::Phase* phase = nullptr )
    {
        SCOPED_TRACE( phase ? phase->name : "any phase" );
        phase ? m_sequence.beginStep( *phase ) : m_sequence.beginStep();
        m_sequence.changeFilters();
        m_sequence.changeBoxes();
        if ( m_sequence.random().oneIn( 4 ) )
        {
            m_world.expectPairs(); // those of the last update
        }
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

CLT_EACH_CONFIG( OperationSequences );

/// The state after a phase affects the next phase, so every succession of two phases is tested.
TEST_P( OperationSequences, EveryPhaseAfterEveryOther )
{
    PhasedWorld life( GetParam(), 71, 400 );
    life.step( cullet::phases );
    life.stepThrough( cullet::phases, std::size( cullet::phases ) );
}

TEST_P( OperationSequences, EverySingleChangeAfterEveryOther )
{
    for ( const bool reportsDestroyed : { false, true } )
    {
        PhasedWorld life( GetParam(), 73, 60, reportsDestroyed );
        life.step( cullet::phases );
        life.step( cullet::phases );
        life.stepThrough( singleChanges, std::size( singleChanges ) );
    }
}

/// Few bodies, then more. Larger body counts need more bits per body number, also in data kept from the last update.
TEST_P( OperationSequences, EveryJumpPhaseAfterEveryOther )
{
    for ( const size_t count : { 1, 3, 17, 40, 300 } )
    {
        PhasedWorld life( GetParam(), 74, count );
        life.step( cullet::phases );
        life.step( cullet::phases );
        life.stepThrough( jumpPhases, std::size( jumpPhases ) );
    }
}

/// All bodies tremble. Their small moves need no search, except where a single other change ends the rest of bodies.
TEST_P( OperationSequences, EverySingleChangeAmongTremblingBodies )
{
    std::vector<cullet::Phase> trembling( std::begin( singleChanges ), std::end( singleChanges ) );
    for ( cullet::Phase& phase : trembling )
    {
        phase.drift = 1;
        phase.driftReach = 2e-4;
        phase.hasWide = phase.odd > 0;
    }
    for ( const size_t count : { 40, 300 } )
    {
        PhasedWorld life( GetParam(), 76, count, count == 300 );
        life.step( cullet::phases );
        life.step( cullet::phases );
        for ( int step = 0; step < 12; ++step ) // a backend needs some steps to detect bodies that tremble
        {
            life.step( &trembling[5] );
        }
        life.stepThrough( trembling.data(), trembling.size() );
    }
}

TEST_P( OperationSequences, PhasesOfSeveralSteps )
{
    for ( const bool reportsDestroyed : { false, true } )
    {
        PhasedWorld life( GetParam(), 72, 150, reportsDestroyed );
        for ( int step = 0; step < 150 && !HasFailure(); ++step )
        {
            life.step();
        }
    }
}

/// Pairs of destroyed proxies are reported as they were at the last update, whatever happened to the proxies since. The
/// expected ids are literals, not taken from the world.
TEST_P( OperationSequences, PairsOfDestroyedProxiesAreReportedIfRequested )
{
    for ( const bool reportsDestroyed : { false, true } )
    {
        World world( defFor( GetParam(), reportsDestroyed ) );
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
