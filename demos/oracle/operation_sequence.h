// SPDX-License-Identifier: Zlib
/// \file operation_sequence.h
/// A random operation sequence: the changes that an application makes to its world, step after step. They depend on the
/// seed and on the boxes of the target, never on the broadphase's answers: the same seed makes the same calls.
#ifndef CLT_ORACLE_OPERATION_SEQUENCE_H
#define CLT_ORACLE_OPERATION_SEQUENCE_H

#include "arena.h"

namespace cullet
{

/// A few steps that stress one feature of a broadphase. The next phase starts with the bodies at the end of this phase.
/// All doubles are shares of the living bodies and apply to each step, unless a comment says otherwise.
struct Phase
{
    const char* name;
    unsigned longest;  ///< largest number of steps
    double population; ///< target number of bodies, as a share of the constructor's bodyCount
    double turnover;   ///< most bodies created or destroyed in a step to reach the target, as a share of bodyCount
    double churn;      ///< destroyed, and replaced by equally many new bodies
    double drift;      ///< moved a little
    double jump;       ///< moved anywhere; some return to their previous box in the same step
    double repeat;     ///< set to the current box
    double odd;        ///< set to a box of Arena::odd (infinite, NaN, ...); some return to their previous box at once
    double edits;      ///< given another filter
    bool swapsFilter;  ///< the filter callback is replaced, if the target has one
    bool editsCache;   ///< the application removes pairs from the cache, if the target has one
    bool crowds;       ///< up to 300 bodies move to one place, so that it is dense
    bool hasWide;      ///< a few bodies get a box that overlaps nearly all others, and later an ordinary one
    double driftReach = 0.3; ///< how far `drift` moves a body along each axis
    double jumpTogether = 0; ///< moved anywhere, all by the same way
};

// clang-format off
/// All phases. The first one fills the world.
inline constexpr Phase phases[] = {
    // name       longest popul turnov  churn  drift  jump repeat   odd  edits  swap   cache  crowd  wide
    { "fill",           4,    1,   0.5,     0,     0,    0,     0,    0,     0, false, false, false, false },
    { "rest",           6,    1,     0,     0,     0,    0,     0,    0,     0, false, false, false, false },
    { "rest, reset",    3,    1,     0,     0,     0,    0,     1,    0,     0, false, false, false, false },
    { "flow",          10,    1,  0.05,     0,     1,    0,     0,    0,     0, false, false, false, false },
    { "stir",          10,    1,  0.05,     0,  0.03,    0,   0.5,    0,     0, false, false, false, false },
    { "single moves",   8,    1,     0,     0, 0.001,    0,     0,    0,     0, false, false, false, false },
    { "leap",           5,    1,  0.05,     0,  0.05,  0.1,     0,    0,     0, false, false, false, false },
    { "pose",           4,    1,     0,     0,   0.5,    0,     0,    0,     0, false, false, false, false, 0.3, 1 },
    { "churn",          6,    1,   0.2,  0.05,   0.3,    0,     0,    0,     0, false, false, false, false },
    { "exodus",         5,    0,   0.5,     0,   0.2,    0,     0,    0,     0, false, false, false, false },
    { "thinning",       4,  0.3,   0.1,     0,   0.5,    0,     0,    0,     0, false, false, false, false },
    { "crowd",          5,    1,  0.05,     0,  0.02,    0,     0,    0,     0, false, false,  true, false },
    { "odd boxes",      6,    1,  0.05, 0.002,   0.1,    0,     0, 0.01,     0, false, false, false,  true },
    { "planes",         5,    1,  0.05,     0,   0.5,    0,     0,    0,     0, false, false, false,  true },
    { "filters",        6,    1,  0.05,     0,   0.1,    0,   0.2,    0,  0.02,  true, false, false, false },
    { "filters, rest",  4,    1,     0,     0,     0,    0,     0,    0,  0.01,  true, false, false, false },
    { "cache edits",    5,    1,     0,     0,  0.02,    0,     0,    0,     0, false,  true, false, false },
    { "everything",     8,    1,   0.1,  0.01,   0.2, 0.01,   0.1, 0.01,  0.01,  true,  true, false,  true },
};
// clang-format on

/// Receives the operations: a broadphase, with the last box given to each of its bodies, which are numbered from 0.
class OperationTarget
{
public:
    virtual ~OperationTarget() = default;

    virtual std::size_t count() const = 0;
    virtual cltAabbD boxOf( std::size_t body ) const = 0;

    virtual void create( const cltAabbD& box, const cltFilter& filter ) = 0; ///< its number is the previous count()
    virtual void destroy( std::size_t body ) = 0;                            ///< the last body takes its number
    virtual void move( std::size_t body, const cltAabbD& box ) = 0;
    virtual void setFilter( std::size_t body, const cltFilter& filter ) = 0;

    /// Called after each kind of change, so that a test can query the half-changed world.
    virtual void afterKind()
    {
    }
};

class OperationSequence
{
public:
    /// \param bodyCount  the number of bodies at which most phases aim
    OperationSequence( OperationTarget& target, std::uint64_t seed, std::size_t bodyCount, cltPrecision precision );

    /// Begins the next step, of the same phase or of another that the seed chooses. The first steps fill the world.
    void beginStep();

    /// Begins the next step, of a given phase.
    void beginStep( const Phase& phase );

    /// The two halves of a step. Filters change first, so that boxes change under the filters of this step.
    void changeFilters();
    void changeBoxes();

    const Phase& phase() const
    {
        return *m_phase;
    }

    const Arena& arena() const
    {
        return m_arena;
    }

    /// The random numbers of this step.
    Random& random()
    {
        return m_random;
    }

    std::size_t anyBody();

private:
    template <typename Change>
    void forSome( double share, Change change );
    std::size_t countOf( double share ) const;

    void headForPopulation();
    void create();
    void moveAndPerhapsBack( std::size_t body, const cltAabbD& box );
    void setWide();

    OperationTarget& m_target;
    Arena m_arena;
    std::uint64_t m_seed;
    std::size_t m_bodyCount;
    const Phase* m_phase;
    unsigned m_stepsLeft;           ///< of the phase
    std::uint64_t m_phaseIndex = 0; ///< counted from the first phase of this sequence
    std::uint64_t m_step = 0;
    Random m_random;
};

} // namespace cullet

#endif
