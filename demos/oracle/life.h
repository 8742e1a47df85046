// SPDX-License-Identifier: Zlib
/// \file life.h
/// A random life: what an application changes in its world, step after step. Every choice comes from the seed and from
/// the bodies as the stage tells them, never from the broadphase, so that the same seed makes the same calls whatever
/// it answers.
#ifndef CLT_ORACLE_LIFE_H
#define CLT_ORACLE_LIFE_H

#include "arena.h"

namespace cullet
{

/// A few steps that stress something; what one phase leaves behind, the next one meets. Shares are of the living bodies
/// and in each step, unless another meaning is given.
struct Phase
{
    const char* name;
    unsigned longest;  ///< steps
    double population; ///< share of the bodies asked for towards which the phase creates or destroys
    double turnover;   ///< at most this share of the bodies asked for a step
    double churn;      ///< destroyed, and as many created
    double drift;      ///< moved a little
    double jump;       ///< moved anywhere; some come back at once
    double repeat;     ///< set to the box they have
    double odd;        ///< given an odd box; some get their last one back at once
    double edits;      ///< of which the filter is changed
    bool swapsFilter;  ///< the rule that filters are read by is exchanged, where there is another
    bool editsCache;   ///< the application takes pairs out of the cache, where there is one
    bool crowds;       ///< some hundred gather in one place
    bool hasWide;      ///< planes and the like come and go
};

// clang-format off
/// The first one fills the world.
inline constexpr Phase phases[] = {
    // name       longest popul turnov  churn  drift  jump repeat   odd  edits  swap   cache  crowd  wide
    { "fill",           4,    1,   0.5,     0,     0,    0,     0,    0,     0, false, false, false, false },
    { "rest",           6,    1,     0,     0,     0,    0,     0,    0,     0, false, false, false, false },
    { "rest, reset",    3,    1,     0,     0,     0,    0,     1,    0,     0, false, false, false, false },
    { "flow",          10,    1,  0.05,     0,     1,    0,     0,    0,     0, false, false, false, false },
    { "stir",          10,    1,  0.05,     0,  0.03,    0,   0.5,    0,     0, false, false, false, false },
    { "single moves",   8,    1,     0,     0, 0.001,    0,     0,    0,     0, false, false, false, false },
    { "leap",           5,    1,  0.05,     0,  0.05,  0.1,     0,    0,     0, false, false, false, false },
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

/// Where a life is led: a broadphase, and what it was last told of its bodies, which are numbered from 0.
class Stage
{
public:
    virtual ~Stage() = default;

    virtual std::size_t count() const = 0;
    virtual cltAabbD boxOf( std::size_t body ) const = 0;

    virtual void create( const cltAabbD& box, const cltFilter& filter ) = 0; ///< as number count()
    virtual void destroy( std::size_t body ) = 0;                            ///< the last body takes its number
    virtual void move( std::size_t body, const cltAabbD& box ) = 0;
    virtual void setFilter( std::size_t body, const cltFilter& filter ) = 0;

    /// Called between changes of different kinds: the world may be looked at half changed.
    virtual void meanwhile()
    {
    }
};

class Life
{
public:
    /// \param bodyCount  towards which most phases create or destroy
    Life( Stage& stage, std::uint64_t seed, std::size_t bodyCount, cltPrecision precision );

    /// Begins the next step, of the same phase or of another one that the seed chooses. The first steps fill the world.
    void beginStep();

    /// Begins the next step, of a given phase.
    void beginStep( const Phase& phase );

    /// The two halves of a step. Filters first: whether a pair may be is settled before its boxes change.
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

    /// Of this step.
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

    Stage& m_stage;
    Arena m_arena;
    std::uint64_t m_seed;
    std::size_t m_bodyCount;
    const Phase* m_phase;
    unsigned m_stepsLeft;           ///< of the phase
    std::uint64_t m_phaseIndex = 0; ///< among those of this life
    std::uint64_t m_step = 0;
    Random m_random;
};

} // namespace cullet

#endif
